"""A law from the text of its energy density psi(v1, v2 ...), in the variables of variables.py and constants by name.

    P = sum_k psi_k g_k,   dP/dF = sum_kl psi_kl g_k g_l + sum_k psi_k dg_k/dF,   g_k = dv_k/dF

psi and its derivatives are nodes of one graph, which is compiled to vector code on first use. Where a logarithm, a
root, a fractional power or 1/J is not defined, psi is +inf, P and dP/dF are zero, and line searches reject the point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from supple.formulas.degree import degree
from supple.formulas.differentiate import Derivatives
from supple.formulas.domain import condition
from supple.formulas.graph import ONE, ZERO, Node, apply, leaf, leaves, number, substitute, substitute_all
from supple.formulas.parse import A_NUMBER, kind, parse
from supple.formulas.shift import shift
from supple.formulas.size import demand_size
from supple.formulas.walk import evaluate
from supple.materials.kernel import LANES
from supple.materials.principal.density import PRINCIPAL_NAMES, STRETCHES, PrincipalDensity
from supple.materials.principal.law import PrincipalLaw
from supple.materials.variables import ENTRIES, FIBRES, Variable, direction, total, variables
from supple.types import Array

if TYPE_CHECKING:
    from supple.formulas.code.emit import Compiled

INFINITE, NOT_DEFINED = number(float("inf")), number(float("nan"))
DIAGONAL = ENTRIES[::4]


@dataclass(frozen=True)
class Density:
    """An energy density as a graph in deviations from rest and constants."""

    energy: str
    constants: tuple[str, ...]

    @cached_property
    def psi(self) -> Node:
        """Graph with the deviations as leaves."""
        node = parse(self.energy, (*NAMES, *self.constants), {})
        references = {v.short: (0.0, leaf(v.short)) for v in variables().values()}
        psi = shift(node, references | {name: (v.rest, leaf(v.short)) for name, v in variables().items()})
        self._demand_directions(leaves([psi]))
        return psi

    def _demand_directions(self, used: set[str]) -> None:
        for key, name in FIBRES.items():
            given, needed = direction(key)[0] in self.constants, name.lower() in used
            if needed and not given:
                raise ValueError(f"{name} requires a fibre direction; give `{key}`, such as [1, 0, 0]")
            if given and not needed:
                raise ValueError(f"`{key}` is given, but the energy does not depend on {name}")

    @cached_property
    def variables(self) -> list[Variable]:
        """The variables on which it depends."""
        used = leaves([self.psi])
        return [v for v in variables().values() if v.short in used]

    @property
    def degree(self) -> int | None:
        """Degree as a polynomial in F; None: not a polynomial."""
        return degree(self.psi, {v.short: v.degree for v in variables().values()})

    @cached_property
    def quadratic_in_strain(self) -> bool:
        """Whether it is a polynomial of at most second degree in C = F^T F."""
        found = degree(self.psi, {v.short: v.strain_degree for v in variables().values()})
        return found is not None and found <= 2

    @cached_property
    def defined(self) -> Node | None:
        """The condition under which it is defined; None: always."""
        return condition(self.psi, {ONE + leaf("j")})


NAMES = (*variables(), "i1", "i2", "j", "i4", "i6", *STRETCHES)
"""Variables allowed in a formula: those of variables.py, the deviations of the invariants, and the principal stretches."""


@dataclass(frozen=True, eq=False)
class FormulaLaw:
    """Density, stress and tangent of a formula, as nodes in the entries of F and as machine code."""

    density: Density

    @property
    def response(self) -> int:
        return self._response.address

    @property
    def tangent(self) -> int:
        return self._tangent.address

    @property
    def sensitivity(self) -> int:
        return self._sensitivity.address

    @cached_property
    def response_nodes(self) -> tuple[list[Node], list[Node]]:
        """psi, and the nine entries of P."""
        psi = self._in_entries(self.density.psi, INFINITE)
        P = [
            total(s * v.slopes[r] for s, v in zip(self._slopes, self.density.variables, strict=True)) for r in range(9)
        ]
        return [psi], P

    @cached_property
    def tangent_nodes(self) -> list[Node]:
        """The upper half of dP/dF, row by row."""
        variables, slopes, by = self.density.variables, self._slopes, Derivatives()
        bends = self._bends
        found = []
        for r in range(9):
            rows = [total(bend * v.slopes[r] for bend, v in zip(row, variables, strict=True)) for row in bends]
            for c in range(r, 9):
                entry = total(row * v.slopes[c] for row, v in zip(rows, variables, strict=True))
                turns = (s * by.of(v.slopes[r], leaf(ENTRIES[c])) for s, v in zip(slopes, variables, strict=True))
                found.append(entry + total(turns))
        return found

    @cached_property
    def sensitivity_nodes(self) -> tuple[list[Node], list[Node]]:
        """dpsi/dtheta, and the nine dP/dtheta, of each constant theta."""
        by, variables = Derivatives(), self.density.variables
        dpsi, dP = [], []
        for theta in map(leaf, self.density.constants):
            dpsi.append(self._in_entries(by.of(self.density.psi, theta), ZERO))
            slopes = [self._in_entries(by.of(slope, theta), ZERO) for slope in self._by_variables]
            dP += [total(s * v.slopes[r] for s, v in zip(slopes, variables, strict=True)) for r in range(9)]
        return dpsi, dP

    def demand_size(self) -> None:
        """Raises ValueError if there are too many operations to compile or differentiate in reasonable time."""

        def all_nodes() -> list[list[Node]]:
            psi, P = self.response_nodes
            return [[*psi, *P], self.tangent_nodes]

        demand_size(self.density.psi, len(self.density.variables), all_nodes)

    def at_identity(self, constants: Mapping[str, float | Array], k: int) -> tuple[Array, Array, Array]:
        """Result of `walk` for F = I and k sets of constants; fast, since most of the formula vanishes there."""
        found = np.stack(evaluate(self._rest_nodes, constants, k), axis=1)
        return found[:, 0], found[:, 1:10], found[:, 10:]

    @cached_property
    def _rest_nodes(self) -> list[Node]:
        psi, P = self.response_nodes
        nodes = [*psi, *P, *self.tangent_nodes]
        try:
            return substitute_all(nodes, {name: ONE if name in DIAGONAL else ZERO for name in ENTRIES})
        except ValueError:  # not finite whatever the constants
            return [NOT_DEFINED] * len(nodes)

    def walk(self, constants: Mapping[str, float | Array], F: Array) -> tuple[Array, Array, Array]:
        """psi (m,), P (m, 9) and the packed dP/dF (m, 45) of F (m, 3, 3) by NumPy, without compiling anything."""
        values = dict(zip(ENTRIES, F.reshape(-1, 9).T, strict=True)) | dict(constants)
        psi, P = self.response_nodes
        found = np.stack(evaluate([*psi, *P, *self.tangent_nodes], values, len(F)), axis=1)
        return found[:, 0], found[:, 1:10], found[:, 10:]

    def walk_sensitivity(self, constants: dict[str, float], F: Array) -> tuple[Array, Array]:
        """dpsi/dtheta (m, c) and dP/dtheta (m, c, 9) by NumPy."""
        values = dict(zip(ENTRIES, F.reshape(-1, 9).T, strict=True)) | constants
        dpsi, dP = (np.stack(evaluate(nodes, values, len(F)), axis=1) for nodes in self.sensitivity_nodes)
        return dpsi, dP.reshape(len(F), -1, 9)

    @cached_property
    def _response(self) -> Compiled:
        return self._compiled(self.response_nodes)

    @cached_property
    def _tangent(self) -> Compiled:
        return self._compiled((self.tangent_nodes,))

    @cached_property
    def _sensitivity(self) -> Compiled:
        return self._compiled(self.sensitivity_nodes)

    def _compiled(self, outputs: tuple[list[Node], ...]) -> Compiled:
        from supple.formulas.code.emit import emit

        return emit(self.density.constants, ENTRIES, outputs, LANES)

    @cached_property
    def _by_variables(self) -> list[Node]:
        by = Derivatives()
        return [by.of(self.density.psi, leaf(v.short)) for v in self.density.variables]

    @cached_property
    def _slopes(self) -> list[Node]:
        """psi_k."""
        return [self._in_entries(slope, ZERO) for slope in self._by_variables]

    @cached_property
    def _bends(self) -> list[list[Node]]:
        """psi_kl, of which only one half is computed."""
        by, leaf_of = Derivatives(), [leaf(v.short) for v in self.density.variables]
        half = {
            (k, n): self._in_entries(by.of(slope, leaf_of[n]), ZERO)
            for k, slope in enumerate(self._by_variables)
            for n in range(k, len(leaf_of))
        }
        return [[half[min(k, n), max(k, n)] for n in range(len(leaf_of))] for k in range(len(leaf_of))]

    def _in_entries(self, node: Node, otherwise: Node) -> Node:
        """A function of the deviations as a function of the entries of F, with its value where psi is not defined."""
        if self.density.defined is not None and node is not ZERO:
            node = apply("where", self.density.defined, node, otherwise)
        return substitute(node, {v.short: v.deviation for v in self.density.variables})


@cache
def formula_law(energy: str, constants: tuple[str, ...]) -> FormulaLaw | PrincipalLaw:
    """One law for all materials with the same energy, cached for the process; raises ValueError for invalid text."""
    if taken := sorted(set(constants) & set(NAMES)):
        raise ValueError(f"constants cannot be called {', '.join(taken)}: these names are strain variables")
    node = parse(energy, (*NAMES, *constants), {})
    if kind(node) != A_NUMBER:
        raise ValueError(f"an energy density is a number, but '{energy}' is {kind(node)}")
    used = leaves([node]) - set(constants)
    if not used & set(STRETCHES):
        law = FormulaLaw(Density(energy, constants))
        _ = law.density.psi
        return law
    if others := sorted(used - set(PRINCIPAL_NAMES)):
        raise ValueError(
            f"{', '.join(STRETCHES)} combine with I1, I2 and J only, found also {', '.join(others)}; "
            "stretches have no direction"
        )
    return PrincipalLaw(PrincipalDensity(energy, constants))
