"""Springs whose energy is a formula psi of the length l, of s = l^2 or of the stretch e = l/l0 - 1; l0 is the rest length.

The law is called by address, as psi and its derivatives with respect to s. Even powers of l are powers of s, so
formulas in l^2 are polynomials and AVF conserves their energy exactly. A spring of zero length exerts no force.

The mean over a step needs q = (psi(s1) - psi(s0))/(s1 - s0). Where s changes little, the difference loses digits; then
q is the mean of psi' by the three-point Gauss rule, as long as both agree up to round-off.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

import numpy as np

from supple.energies.chord import NOISE
from supple.energies.samples import Samples
from supple.energies.springs.central import CentralSprings, checked_factors
from supple.energies.springs.formula_kernels import gradient_part, hessian_part
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.formulas.graph import LEAF, ZERO, Node, apply, leaf, order
from supple.formulas.potential import Potential, Variable, inputs
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.linalg.quadrature import gauss
from supple.materials.batches import pairs_of_outputs
from supple.types import Array, Ints

GRADIENT_TIME, HESSIAN_TIME = 0.018, 0.037
"""Approximate time per element on one thread [us]; short loops are not split among threads."""
REST_LENGTH = "l0"
UNRESTED = 1e-10
"""Energy and force at rest that are rejected, relative to a spring of equal stiffness stretched to twice its length."""


@cache
def spring_potential(energy: str, constants: tuple[str, ...]) -> Potential:
    """The law shared by all springs with that energy, for the lifetime of the process; a ValueError names the fault."""
    (s,) = inputs(1)
    length = apply("where", apply("gt", s, ZERO), apply("sqrt", s), ZERO)
    variables = {
        "l": Variable(length, positive=True),
        "s": Variable(s, degree=2, positive=True),
        "e": Variable(length / leaf(REST_LENGTH) - 1.0),
    }
    return Potential(energy, variables, constants, 1, (REST_LENGTH,), "an energy", _even_powers)


def _even_powers(node: Node) -> Node:
    """Replace l l by s, and even powers of l by powers of s."""
    made: dict[Node, Node] = {}
    for n in order([node]):
        if n.operation == LEAF or n.is_number:
            made[n] = n
            continue
        a = [made[argument] for argument in n.arguments]
        if n.operation == "mul" and a[0] is a[1] is leaf("l"):
            made[n] = leaf("s")
        elif n.operation == "pow" and a[0] is leaf("l") and a[1].is_number and a[1].value in range(2, 17, 2):
            made[n] = leaf("s") ** (a[1].value / 2)
        else:
            made[n] = apply(n.operation, *a)
    return made[node]


class FormulaSprings(CentralSprings):
    """Springs of one energy [J]; `factor` scales the energy of each."""

    proportional_to: ClassVar[frozenset[str]] = frozenset({"factor"})

    def __init__(
        self, rest: Array, edges: Ints, energy: str, constants: Mapping[str, float], factor: float | Array = 1.0
    ) -> None:
        """rest (n, 3) rest positions [m], edges (m, 2); factor: one number or one per spring."""
        super().__init__(rest, edges)
        self.potential = spring_potential(energy, tuple(constants))
        self.degree = self.potential.degree
        self.factor = checked_factors("spring factors", factor, len(edges))
        own = np.tile(np.array(list(constants.values()), dtype=np.float64), (len(edges), 1))
        self.table = np.column_stack([own, self.rest_length])
        demand_rest(self.potential, constants, self.rest_length)

    def resting_at(self, x: Array) -> EnergyTerm:
        other = super().resting_at(x)
        assert isinstance(other, FormulaSprings)
        other.table = np.column_stack([self.table[:, :-1], other.rest_length])
        return other

    def constants(self) -> dict[str, Array]:
        own = {name: self.table[:, k] for k, name in enumerate(self.potential.constants)}
        return {"factor": self.factor, **super().constants(), **own}

    def _set_constant(self, name: str, values: Array) -> None:
        if name in (*self.potential.constants, "rest_length"):
            at = self.potential.parameters.index(REST_LENGTH if name == "rest_length" else name)
            self.table = self.table.copy()
            self.table[:, at] = values
        if name not in self.potential.constants:
            super()._set_constant(name, values)

    def _law(self, s: Array) -> tuple[Array, Array, Array]:
        value, slope = self._both(self.potential.response, s)
        return value, slope, self._both(self.potential.slopes, s)[1]

    def _both(self, address: int, s: Array) -> tuple[Array, Array]:
        found = np.empty((len(s), 1)), np.empty((len(s), 1))
        pairs_of_outputs(address, self.table, np.ascontiguousarray(s)[:, None], *found)
        return self.factor * found[0][:, 0], self.factor * found[1][:, 0]

    def _mean_law(self, s0: Array, s1: Array) -> tuple[Array, Array]:
        change, rule = s1 - s0, gauss(3)
        q, slope, bent = np.zeros((3, len(s0)))
        for node, weight in zip(rule.nodes, rule.weights, strict=True):
            _, first, second = self._law(s0 + node * change)
            q, slope, bent = q + weight * first, slope + weight * node * second, np.maximum(bent, np.abs(second))
        (before, _, _), (after, end, _) = self._law(s0), self._law(s1)
        with np.errstate(invalid="ignore"):
            difference = after - before
        # round-off of energies follows from that of s through slope and curvature
        size = np.abs(before) + np.abs(after) + (s0 + s1) * (np.abs(end) + bent * (s0 + s1))
        sampled = (change == 0.0) | (np.abs(difference - q * change) <= NOISE * size)
        safe = np.where(sampled, 1.0, change)
        q = np.where(sampled, q, difference / safe)
        # dq/ds1 = (psi'(s1) - q)/(s1 - s0)
        return q, 2.0 * np.where(sampled, slope, (end - q) / safe)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        values = np.empty(len(self.elements))
        law, geometry = (self.potential.response, self.table), (self.elements, self.factor)
        given = samples.x, samples.energy, samples.force

        def part(k: int) -> None:
            gradient_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), values, gradient)

        in_parts(part, parts.count, GRADIENT_TIME * len(self.elements))
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        law, geometry = (self.potential.slopes, self.table), (self.elements, self.factor)
        parts, rows = place.parts, (place.unknowns, place.row_length, place.slots)
        given = samples.x, samples.curvature

        def part(k: int) -> None:
            hessian_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), *rows, project, values)

        in_parts(part, parts.count, HESSIAN_TIME * len(self.elements))


def demand_rest(potential: Potential, constants: Mapping[str, float], rest_length: Array) -> None:
    """A spring must have zero energy and zero force at its rest length."""
    l0 = np.unique(rest_length)
    psi, slope, curvature = (
        column.reshape(len(l0)) for column in potential.walk({**constants, REST_LENGTH: l0}, l0[:, None] ** 2)
    )
    if not np.isfinite([psi, slope, curvature]).all():
        raise SuppleError("energy: it is not defined at rest, where l = l0, s = l0^2 and e = 0")
    force, stiffness = 2.0 * l0 * slope, np.abs(2.0 * slope + 4.0 * curvature * l0**2)
    for offset, size, noun, unit in (
        (psi, stiffness * l0**2, "energy", "J"),
        (force, stiffness * l0, "force", "N"),
    ):
        bad = np.flatnonzero(~(np.abs(offset) <= UNRESTED * size))
        if len(bad):
            raise SuppleError(
                f"energy: at rest the {noun} of a spring should be zero, found {offset[bad[0]]:g} {unit} at l = l0 = "
                f"{l0[bad[0]]:g} m; " + ("subtract it" if noun == "energy" else "add a term that balances it")
            )
