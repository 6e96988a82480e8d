"""Quadratic bending of sheets that are flat at rest and hardly stretch (Bergou et al. 2006, Wardetzky et al. 2007).

    V = k sum over hinges of |e|/h_e |r|^2,   r = sum_a c_a x_a
    c = (-(1 - tA)/hA - (1 - tB)/hB, -tA/hA - tB/hB, 1/hA, 1/hB)
with heights and feet of the rest mesh (hinge.py). |e| c are the sums of cotangents of the usual form, and |e|/h_e |r|^2
is 3/(A_A + A_B) |sum_a |e| c_a x_a|^2. r is the difference of both triangles' slopes across the edge. Where they keep
their shape |r| = 2 sin(theta/2), so for small angles V equals `DihedralBending` with the same k.

The Hessian is constant and V of degree 2. Stretching contributes slightly to V, and folds beyond a right angle are too
soft.
"""

from __future__ import annotations

import numpy as np

from supple.energies.bending.hinge import Hinges, hinges, measured_hinges
from supple.energies.bending.straight import StraightAtRest
from supple.energies.stencil import checked_stiffness
from supple.errors import MeshError
from supple.types import Array, Ints

CURVED = 1e-4
"""Angle at rest beyond which a sheet is not flat [rad]."""


def slope_differences(hinge: Hinges) -> Array:
    """(m, 4) coefficients c [1/m]."""
    foot, height = hinge.foot, hinge.height
    start, end = -((1.0 - foot) / height).sum(axis=1), -(foot / height).sum(axis=1)
    return np.column_stack([start, end, 1.0 / height])


class QuadraticBending(StraightAtRest):
    """Hinges of a flat sheet."""

    def __init__(self, rest: Array, triangles: Ints, stiffness: float | Array) -> None:
        """rest (n, 3) [m], flat; triangles (f, 3); stiffness k [N m]: a scalar, or one value per hinge."""
        hinge = hinges(rest, triangles)
        k = checked_stiffness("bending stiffness", stiffness, len(hinge.elements))
        super().__init__(rest, hinge.elements, k)
        angle = np.linalg.norm(self.combinations(rest), axis=1)
        bent = np.flatnonzero(angle > CURVED)
        if len(bent):
            i, j = self.elements[bent[0], :2]
            raise MeshError(
                f"quadratic bending: {len(bent)} edges are bent at rest, the first between vertices {i} and {j} by "
                f"{angle[bent[0]]:.3g} rad; it needs a flat sheet: take dihedral bending for this mesh"
            )

    def weighed(self, elements: Ints, corners: Array) -> tuple[Array, Array]:
        hinge = measured_hinges(elements, corners)
        return slope_differences(hinge), 2.0 * hinge.weight
