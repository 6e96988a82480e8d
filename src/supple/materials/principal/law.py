"""A law from an energy density in principal stretches: decompose F, call the formula, assemble stress and tangent.

The formula is emitted for each density (psi, psi_a and the coefficients of the tangent, lane innermost); the code
before and after it is common to all densities and compiled once (kernels.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from supple.formulas.differentiate import Derivatives
from supple.formulas.graph import Node, leaf
from supple.formulas.size import demand_size
from supple.formulas.walk import evaluate
from supple.materials.kernel import LANES
from supple.materials.principal.assembly import COEFFICIENTS, PAIRS
from supple.materials.principal.decomposition import UPPER
from supple.materials.principal.density import E, PrincipalDensity
from supple.types import Array

if TYPE_CHECKING:
    from supple.formulas.code.emit import Compiled
    from supple.materials.principal.sequence import Call, Joined, Place

ROOMS = (7, 9, 9, 3)
"""Rows of A, U, V and e, see kernels.py."""
NAMES = tuple(e.value for e in E)


@dataclass(frozen=True, eq=False)
class PrincipalLaw:
    """Density, stress and tangent of a density in principal stretches."""

    density: PrincipalDensity

    @property
    def response(self) -> int:
        return self._response.address

    @property
    def tangent(self) -> int:
        return self._tangent.address

    @property
    def projected(self) -> int:
        """The address of a tangent without negative eigenvalues."""
        return self._projected.address

    @property
    def sensitivity(self) -> int:
        return self._sensitivity.address

    @cached_property
    def response_nodes(self) -> tuple[list[Node], list[Node]]:
        """psi, and the three psi_a."""
        density = self.density
        return [density.guarded(density.psi, float("inf"))], [density.guarded(slope) for slope in density.slopes]

    @cached_property
    def tangent_nodes(self) -> list[Node]:
        """The coefficients of assembly.py."""
        return [self.density.guarded(node) for node in self.density.coefficients]

    @cached_property
    def sensitivity_nodes(self) -> tuple[list[Node], list[Node]]:
        """dpsi/dtheta, and the three dpsi_a/dtheta, of each constant theta."""
        by, density = Derivatives(), self.density
        constants = list(map(leaf, density.constants))
        dpsi = [density.guarded(by.of(density.psi, theta)) for theta in constants]
        return dpsi, [density.guarded(by.of(slope, theta)) for theta in constants for slope in density.slopes]

    def demand_size(self) -> None:
        """Raises ValueError if there are too many operations to compile or differentiate in reasonable time."""

        def all_nodes() -> list[list[Node]]:
            psi, slopes = self.response_nodes
            return [[*psi, *slopes], self.tangent_nodes]

        demand_size(self.density.psi, len(NAMES), all_nodes)

    def walk(self, constants: Mapping[str, float | Array], F: Array) -> tuple[Array, Array, Array]:
        """psi (m,), P (m, 9) and the packed dP/dF (m, 45) of F (m, 3, 3) by NumPy, without compiling anything."""
        U, e, V = decomposed(F)
        values = dict(zip(NAMES, e.T, strict=True)) | dict(constants)
        psi, slopes = self.response_nodes
        found = np.stack(evaluate([*psi, *slopes, *self.tangent_nodes], values, len(F)), axis=1)
        return found[:, 0], assembled(U, V, found[:, 1:4]), _packed_tangent(U, V, found[:, 4:])

    def walk_sensitivity(self, constants: dict[str, float], F: Array) -> tuple[Array, Array]:
        """dpsi/dtheta (m, c) and dP/dtheta (m, c, 9) by NumPy."""
        U, e, V = decomposed(F)
        values = dict(zip(NAMES, e.T, strict=True)) | constants
        dpsi, slopes = (np.stack(evaluate(nodes, values, len(F)), axis=1) for nodes in self.sensitivity_nodes)
        dP = [assembled(U, V, slopes[:, 3 * k : 3 * k + 3]) for k in range(dpsi.shape[1])]
        return dpsi, np.stack(dP, axis=1)

    @cached_property
    def _response(self) -> Joined:
        from supple.materials.principal import kernels
        from supple.materials.principal.sequence import Call, Place, sequence

        constants, F, psi, P, A, U, V, e, slopes = map(Place, range(9))
        formula = self._compiled(self.response_nodes)
        calls = [
            decomposing(F, A, U, V, e),
            Call(formula.address, [constants, e, psi, slopes]),
            Call(kernels.stress(), [U, V, slopes, P]),
        ]
        return sequence(4, (*ROOMS, 3), calls, formula)

    @cached_property
    def _tangent(self) -> Joined:
        return self._assembled_tangent(clamped=False)

    @cached_property
    def _projected(self) -> Joined:
        return self._assembled_tangent(clamped=True)

    def _assembled_tangent(self, clamped: bool) -> Joined:
        from supple.materials.principal import kernels
        from supple.materials.principal.sequence import Call, Place, sequence

        constants, F, C, A, U, V, e, coefficients, axes = map(Place, range(9))
        calls = [decomposing(F, A, U, V, e), Call(self._coefficients.address, [constants, e, coefficients])]
        if clamped:
            calls.append(Call(kernels.clamp(), [coefficients, A, axes]))
        calls.append(Call(kernels.tangent(), [U, V, coefficients, C]))
        return sequence(3, (*ROOMS, COEFFICIENTS, 9), calls, self._coefficients)

    @cached_property
    def _coefficients(self) -> Compiled:
        return self._compiled((self.tangent_nodes,))

    @cached_property
    def _sensitivity(self) -> Joined:
        from supple.materials.principal import kernels
        from supple.materials.principal.sequence import Call, Place, sequence

        constants, F, dpsi, dP, A, U, V, e, slopes = map(Place, range(9))
        formula, count = self._compiled(self.sensitivity_nodes), len(self.density.constants)
        calls = [decomposing(F, A, U, V, e), Call(formula.address, [constants, e, dpsi, slopes])]
        calls += [
            Call(kernels.stress(), [U, V, Place(slopes.array, 3 * k), Place(dP.array, 9 * k)]) for k in range(count)
        ]
        return sequence(4, (*ROOMS, 3 * count), calls, formula)

    def _compiled(self, outputs: Sequence[Sequence[Node]]) -> Compiled:
        from supple.formulas.code.emit import emit

        return emit(self.density.constants, NAMES, outputs, LANES)


def decomposing(*places: Place) -> Call:
    """A call that decomposes F into U, V and e, with scratch space A."""
    from supple.materials.principal.kernels import decompose
    from supple.materials.principal.sequence import Call

    return Call(decompose(), places)


def decomposed(F: Array) -> tuple[Array, Array, Array]:
    """U (m, 3, 3), e = l - 1 (m, 3) and V (m, 3, 3) by NumPy, with rotations U and V."""
    U, stretches, Vt = np.linalg.svd(F)
    for Q, last in ((U, np.s_[:, :, 2]), (Vt, np.s_[:, 2, :])):
        mirrored = np.sign(np.linalg.det(Q))
        Q[last] *= mirrored[:, None]
        stretches[:, 2] *= mirrored
    return U, stretches - 1.0, np.swapaxes(Vt, 1, 2)


def assembled(U: Array, V: Array, slopes: Array) -> Array:
    """(m, 9) stresses from (m, 3) psi_a."""
    return np.einsum("mia,ma,mja->mij", U, slopes, V).reshape(-1, 9)


def _packed_tangent(U: Array, V: Array, coefficients: Array) -> Array:
    """(m, 45) from (m, 12), see assembly.py."""
    both = np.einsum("mia,mjb->mabij", U, V).reshape(-1, 3, 3, 9)
    C = np.zeros((len(U), 9, 9))
    for k, (a, b) in enumerate(UPPER):
        outer = np.einsum("m,mr,mc->mrc", coefficients[:, k], both[:, a, a], both[:, b, b])
        C += outer if a == b else outer + np.swapaxes(outer, 1, 2)
    for k, (a, b) in enumerate(PAIRS):
        for sign, column in ((1.0, 6 + k), (-1.0, 9 + k)):
            matrix = both[:, a, b] + sign * both[:, b, a]
            C += 0.5 * np.einsum("m,mr,mc->mrc", coefficients[:, column], matrix, matrix)
    return C[:, *np.triu_indices(9)]
