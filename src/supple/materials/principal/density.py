"""An energy density in the principal stretches l1, l2, l3, the singular values of F, and in derived quantities.

    I1 = l1^2 + l2^2 + l3^2,   I2 = l1^2 l2^2 + l1^2 l3^2 + l2^2 l3^2,   J = l1 l2 l3
The graph is written in the deviations l_a - 1. It must be symmetric in the stretches: which of them is l1 depends on
the state of the body.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.formulas.differentiate import Derivatives
from supple.formulas.domain import condition
from supple.formulas.graph import ONE, ZERO, Node, apply, leaf, leaves, number
from supple.formulas.parse import parse
from supple.formulas.quotient import exchange_quotient
from supple.formulas.shift import shift
from supple.formulas.walk import evaluate
from supple.materials.principal.assembly import PAIRS
from supple.materials.principal.decomposition import AXES, UPPER

STRETCHES = ("l1", "l2", "l3")
PRINCIPAL_NAMES = (*STRETCHES, "I1", "I2", "J", "i1", "i2", "j")
"""Variables allowed in a density in stretches."""
SMALLEST_SUM = 1e-6
"""Cap on 1/(l_a + l_b), which is singular where an element inverts through a rotation by pi [-]."""
TRIALS = 40
UNEQUAL = 1e-9
"""Relative difference of energies with exchanged stretches above which a density is rejected."""

E = [leaf(f"{name}-1") for name in STRETCHES]
"""Names of the deviations, not available for constants."""


def _references() -> dict[str, tuple[float, Node]]:
    """Value at rest and deviation of each variable."""
    squares = [e * (2.0 + e) for e in E]
    pairs = [squares[a] * squares[b] for a, b in PAIRS]
    i1 = squares[0] + squares[1] + squares[2]
    i2 = 2.0 * i1 + (pairs[0] + pairs[1] + pairs[2])
    j = E[0] + E[1] + E[2] + (E[0] * E[1] + E[0] * E[2] + E[1] * E[2]) + E[0] * E[1] * E[2]
    found = {name: (1.0, e) for name, e in zip(STRETCHES, E, strict=True)}
    found |= {"I1": (3.0, i1), "I2": (3.0, i2), "J": (1.0, j)}
    return found | {"i1": (0.0, i1), "i2": (0.0, i2), "j": (0.0, j)}


@dataclass(frozen=True)
class PrincipalDensity:
    """An energy density as a graph in l_a - 1 and constants; a ValueError if it is not symmetric in the stretches."""

    energy: str
    constants: tuple[str, ...]

    degree = None
    quadratic_in_strain = False

    def __post_init__(self) -> None:
        if self._exchanged_differs():
            raise ValueError(
                f"an energy density must stay the same when two of {', '.join(STRETCHES)} change places, "
                f"but '{self.energy}' does not; write every stretch in the same way, as in l1^2 + l2^2 + l3^2"
            )

    @cached_property
    def psi(self) -> Node:
        return shift(parse(self.energy, (*PRINCIPAL_NAMES, *self.constants), {}), _references())

    @cached_property
    def slopes(self) -> list[Node]:
        """psi_a."""
        return [self._by.of(self.psi, e) for e in E]

    @cached_property
    def coefficients(self) -> list[Node]:
        """Coefficients of the tangent, in the order of assembly.py."""
        bends = [self._by.of(self.slopes[a], E[b]) for a, b in UPPER]
        apart = [exchange_quotient(self.slopes[a], E[a], E[b]) for a, b in PAIRS]
        return [*bends, *apart, *((self.slopes[a] + self.slopes[b]) / _capped(E[a] + E[b] + 2.0) for a, b in PAIRS)]

    @cached_property
    def defined(self) -> Node | None:
        """The condition under which it is defined; None: always."""
        return condition(self.psi, {ONE + e for e in E} | {ONE + _references()["J"][1]})

    def guarded(self, node: Node, otherwise: float = 0.0) -> Node:
        """The node, with its value where the density is not defined."""
        if self.defined is None or node is ZERO:
            return node
        return apply("where", self.defined, node, number(otherwise))

    @cached_property
    def _by(self) -> Derivatives:
        return Derivatives()

    def _exchanged_differs(self) -> bool:
        """Symmetry test at stretches and constants drawn at random with a fixed seed."""
        rng = np.random.default_rng(0)
        size = np.where(np.arange(TRIALS) % 2, 0.4, 0.02)  # some near rest, for densities with a small domain
        e = size * rng.uniform(-1, 1, (3, TRIALS))
        values = {name: rng.uniform(0.5, 2.0, TRIALS) for name in sorted(leaves([self.psi]) & set(self.constants))}
        names = [node.value for node in E]
        found = [
            evaluate([self.psi], values | dict(zip(names, e[list(p)], strict=True)), TRIALS)[0]
            for p in itertools.permutations(AXES)
        ]
        with np.errstate(invalid="ignore"):
            apart = np.ptp(found, axis=0) / np.abs(found).max(axis=0)
        return bool((apart > UNEQUAL).any())


def _capped(total: Node) -> Node:
    least = apply("where", apply("lt", total, ZERO), number(-SMALLEST_SUM), number(SMALLEST_SUM))
    return apply("where", apply("lt", apply("abs", total), number(SMALLEST_SUM)), least, total)
