"""Bending of discrete shells by the angle between neighbouring triangles (Grinspun et al. 2003).

    V = k sum over hinges of (theta - theta0)^2 |e0|/h_e,   h_e = (hA + hB)/6
theta is the signed angle between the normals (dihedral_kernels.py), |e0|, h_e and theta0 refer to the rest mesh
(hinge.py). The square holds up to a change of 3/4 pi. Beyond that the force falls to zero at pi, where triangles folded
onto each other would make it jump (fold.py). A triangle without area has no normal and yields NaN, so the solver
backtracks.

The limit of V under refinement depends on the triangulation: `rigidity.py` gives k for a flexural rigidity.
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.bending import dihedral_kernels
from supple.energies.bending.dihedral_kernels import Bends, element_hessians
from supple.energies.bending.fold import folds
from supple.energies.bending.hinge import hinges, measured_hinges
from supple.energies.compliant import Compliance
from supple.energies.fused import FusedTerm
from supple.energies.objective import ObjectiveTerm
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.stencil import checked_stiffness
from supple.energies.term import EnergyTerm
from supple.types import Array, Ints


class DihedralBending(FusedTerm, ObjectiveTerm, Elastic, CompliantTerm, MeasuredAtRest):
    """Hinges between triangles, flat or folded at rest."""

    group = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness", "weight"})

    def __init__(
        self, rest: Array, triangles: Ints, stiffness: float | Array, rest_angle: float | Array | None = None
    ) -> None:
        """rest (n, 3) [m]; triangles (f, 3); stiffness k [N m] and theta0 [rad]: a scalar, or one value per hinge.

        Without `rest_angle` the given mesh is at rest; 0 makes the flat sheet the rest shape.
        """
        hinge = hinges(rest, triangles)
        self.elements = hinge.elements
        m = len(self.elements)
        self.stiffness = checked_stiffness("bending stiffness", stiffness, m)
        self.rest, self.weight = rest, hinge.weight
        self._measures = ("weight", "rest_angle") if rest_angle is None else ("weight",)
        own = self.angles(rest) if rest_angle is None else np.broadcast_to(np.asarray(rest_angle, np.float64), (m,))
        self.rest_angle = np.ascontiguousarray(own)

    @property
    def weighted(self) -> Array:
        """(m,) k |e0|/h_e [N m]."""
        return self.stiffness * self.weight

    def constants(self) -> dict[str, Array]:
        return {"stiffness": self.stiffness, "rest_angle": self.rest_angle}

    def measured(self, corners: Array) -> dict[str, Array]:
        found = {"weight": measured_hinges(self.elements, corners).weight, "rest_angle": corner_angles(corners)}
        return {name: found[name] for name in self._measures}

    def angles(self, x: Array) -> Array:
        """(m,) theta [rad]."""
        return self._angles(x)[0]

    def _angles(self, x: Array) -> tuple[Array, Array]:
        theta, slopes = np.empty(len(self.elements)), np.empty((len(self.elements), 12))
        dihedral_kernels.angles(np.ascontiguousarray(x), self.elements, theta, slopes)
        return theta, slopes

    def resting_at(self, x: Array) -> EnergyTerm:
        """A copy with the angles at x; the weights stay."""
        other = copy.copy(self)
        other.rest_at(x)
        other.rest_angle, other._measures = self.angles(x), ("rest_angle",)
        return other

    def folded(self, angles: Array) -> DihedralBending:
        """A copy with other rest angles (m,) [rad], independent of the rest positions."""
        other = self.with_constant("rest_angle", angles)
        other._measures = ("weight",)
        return other

    def compliant(self) -> tuple[Compliance, ...]:
        return (Compliance("dihedral", self.elements, self.rest_angle[:, None], 2.0 * self.weighted),)

    def element_values(self, x: Array) -> Array:
        return self.weighted * folds(self.angles(x) - self.rest_angle)[0]

    def element_gradients(self, x: Array) -> Array:
        theta, slopes = self._angles(x)
        pull = self.weighted * folds(theta - self.rest_angle)[1]
        return (pull[:, None] * slopes).reshape(-1, 4, 3)

    def element_hessians(self, x: Array) -> Array:
        return self._hessians(x, project=False)

    def projected_hessians(self, x: Array) -> Array:
        """Without the theta'' part, which can be negative: k |e0|/h_e f'' theta' theta'^T, where f'' is positive."""
        return self._hessians(x, project=True)

    def _hessians(self, x: Array, project: bool) -> Array:
        out = np.empty((len(self.elements), 12, 12))
        element_hessians(self.described(), np.ascontiguousarray(x), project, out)
        return out

    def described(self) -> Bends:
        return Bends(self.elements, self.weighted, self.rest_angle)


def corner_angles(corners: Array) -> Array:
    """(m,) theta of hinges with these corners (m, 4, 3) [rad]."""
    m = len(corners)
    theta, slopes = np.empty(m), np.empty((m, 12))
    elements = np.arange(4 * m, dtype=np.int32).reshape(m, 4)
    dihedral_kernels.angles(np.ascontiguousarray(corners).reshape(-1, 3), elements, theta, slopes)
    return theta
