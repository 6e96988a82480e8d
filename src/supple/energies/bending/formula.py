"""Bending by a formula of the angle between neighbouring triangles.

    V = sum over hinges of |e0|/h_e f(d),   d = theta - theta0
with the weights of dihedral.py, whose energy is f = k d^2. f may contain d, theta, theta0 and h, the mean height of
both triangles over the edge, so d/h is the curvature across it. Beyond a change of 3/4 pi, f is evaluated at a reduced
d, as the square in fold.py is reduced relative to d^2: the force vanishes at pi, where it would jump. The sign of theta
depends on the order of corners, so f must not change when d and theta0 change sign.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Self

import numpy as np

from supple.energies.bending import dihedral_kernels
from supple.energies.bending.dihedral import corner_angles
from supple.energies.bending.formula_kernels import element_hessians, gradient_part, hessian_part, unfolds
from supple.energies.bending.hinge import hinges, measured_hinges
from supple.energies.element_blocks import Place
from supple.energies.objective import ObjectiveTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.formulas.graph import leaf
from supple.formulas.potential import Potential, Variable, inputs
from supple.formulas.sameness import agree
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.materials.batches import pairs_of_outputs
from supple.types import Array, Ints

GRADIENT_TIME, HESSIAN_TIME = 0.14, 0.67
"""Approximate time per element on one thread [us]; short loops are not split among threads."""
GIVEN = ("theta0", "h")
NOISE = 1e-10
"""Relative tolerance for values that should be zero."""
ANGLES = np.array([0.002, 0.05, 0.4, 1.1, 2.0])
"""Changes of angle at which a formula is compared with itself; small ones count for formulas with a small domain [rad]."""


@cache
def bending_potential(energy: str, constants: tuple[str, ...]) -> Potential:
    """The law shared by all hinges with that energy, for the lifetime of the process; a ValueError names the fault."""
    (d,) = inputs(1)
    variables = {"d": Variable(d), "theta": Variable(leaf("theta0") + d)}
    return Potential(energy, variables, constants, 1, GIVEN, "an energy")


class FormulaBending(ObjectiveTerm, Elastic, MeasuredAtRest):
    """Hinges between triangles, flat or folded at rest."""

    group = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"weight"})

    def __init__(self, rest: Array, triangles: Ints, energy: str, constants: Mapping[str, float]) -> None:
        """rest (n, 3) [m]; triangles (f, 3); energy: f [N m]."""
        hinge = hinges(rest, triangles)
        self.elements, self.weight, self.factor = hinge.elements, hinge.weight, 1.0
        self.potential = bending_potential(energy, tuple(constants))
        own = np.tile(np.array(list(constants.values()), dtype=np.float64), (len(self.elements), 1))
        self.table = np.column_stack([own, np.zeros(len(own)), 0.5 * hinge.height.sum(axis=1)])
        self._measures: tuple[str, ...] = ("weight", "theta0", "h")
        self._rest_at(rest)
        _demand_rest(self.potential, {**constants, "theta0": self.rest_angle, "h": self.table[:, -1]})

    @property
    def rest_angle(self) -> Array:
        """(m,) theta0 [rad]."""
        return self.table[:, -2]

    def _rest_at(self, x: Array) -> None:
        self.table = self.table.copy()
        self.table[:, -2] = self._angles(x)[0]
        self.rest_at(x)

    def folded(self, angles: Array) -> FormulaBending:
        """A copy with other rest angles (m,) [rad], independent of the rest positions."""
        other = self.with_constant("theta0", angles)
        other._measures = tuple(name for name in self._measures if name != "theta0")
        return other

    def constants(self) -> dict[str, Array]:
        return {name: self.table[:, k] for k, name in enumerate((*self.potential.constants, "theta0"))}

    def _set_constant(self, name: str, values: Array) -> None:
        if name in self.potential.parameters:
            self.table = self.table.copy()
            self.table[:, self.potential.parameters.index(name)] = values
        else:
            super()._set_constant(name, values)

    def scaled(self, factor: float) -> Self:
        other = copy.copy(self)
        other.factor = factor * self.factor
        return other

    def measured(self, corners: Array) -> dict[str, Array]:
        hinge = measured_hinges(self.elements, corners)
        found = {"weight": hinge.weight, "theta0": corner_angles(corners), "h": 0.5 * hinge.height.sum(axis=1)}
        return {name: found[name] for name in self._measures}

    def _angles(self, x: Array) -> tuple[Array, Array]:
        theta, slopes = np.empty(len(self.elements)), np.empty((len(self.elements), 12))
        dihedral_kernels.angles(np.ascontiguousarray(x), self.elements, theta, slopes)
        return theta, slopes

    def resting_at(self, x: Array) -> EnergyTerm:
        """A copy with the angles at x; the weights stay."""
        other = copy.copy(self)
        other._rest_at(x)
        other._measures = ("theta0",)
        return other

    def _law(self, theta: Array) -> tuple[Array, Array]:
        """f and df/dtheta, times the weights."""
        d, slope = unfolds(theta - self.rest_angle)
        value, pull = np.empty((len(theta), 1)), np.empty((len(theta), 1))
        pairs_of_outputs(self.potential.response, self.table, d[:, None], value, pull)
        weight = self.factor * self.weight
        return weight * value[:, 0], weight * pull[:, 0] * slope

    def element_values(self, x: Array) -> Array:
        return self._law(self._angles(x)[0])[0]

    def element_gradients(self, x: Array) -> Array:
        theta, slopes = self._angles(x)
        return (self._law(theta)[1][:, None] * slopes).reshape(-1, 4, 3)

    def element_hessians(self, x: Array) -> Array:
        return self._hessians(x, project=False)

    def projected_hessians(self, x: Array) -> Array:
        """Without the theta'' part, which can be negative, and only where f'' is positive."""
        return self._hessians(x, project=True)

    def _hessians(self, x: Array, project: bool) -> Array:
        out = np.empty((len(self.elements), 12, 12))
        law, geometry = (self.potential.slopes, self.table), (self.elements, self.factor * self.weight)
        element_hessians(*law, np.ascontiguousarray(x), *geometry, project, out)
        return out

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        values = np.empty(len(self.elements))
        law, geometry = (self.potential.response, self.table), (self.elements, self.factor * self.weight)
        given = samples.x, samples.energy, samples.force

        def part(k: int) -> None:
            gradient_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), values, gradient)

        in_parts(part, parts.count, GRADIENT_TIME * len(self.elements))
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        law, geometry = (self.potential.slopes, self.table), (self.elements, self.factor * self.weight)
        parts, given = place.parts, (samples.x, samples.curvature)
        where = Place(parts.owner, place.unknowns, place.row_length, place.slots)

        def part(k: int) -> None:
            hessian_part(k, *law, *given, *geometry, where, parts.chosen(k), project, values)

        in_parts(part, parts.count, HESSIAN_TIME * len(self.elements))


def demand_evenness(potential: Potential, constants: Mapping[str, float]) -> None:
    """Raise a ValueError for an energy that depends on the order of corners."""
    state = {**constants, "h": 1.0}
    up, down = (potential.walk({**state, "theta0": sign * 0.3}, sign * ANGLES[:, None])[0] for sign in (1.0, -1.0))
    if not agree(up, down, NOISE):
        raise ValueError(
            "it changes with the signs of d and theta0, that is with the side from which the sheet is seen; "
            "take even powers of d"
        )


def _demand_rest(potential: Potential, constants: Mapping[str, float | Array]) -> None:
    """A hinge must have zero energy and zero moment at its rest angle."""
    m = np.size(constants["theta0"])
    value, slope, bend = (column.reshape(m) for column in potential.walk(constants, np.zeros((m, 1))))
    if not np.isfinite([value, slope, bend]).all():
        raise SuppleError("energy: it is not defined at rest, where d = 0 and theta = theta0")
    for offset, noun in ((value, "energy"), (slope, "torque")):
        bad = np.flatnonzero(~(np.abs(offset) <= NOISE * np.abs(bend)))
        if len(bad):
            raise SuppleError(
                f"energy: at rest the {noun} of a hinge should be zero, found {offset[bad[0]]:g} N m; "
                + ("subtract it" if noun == "energy" else "add a term that balances it")
            )
