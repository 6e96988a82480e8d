"""The linear systems of both sweeps: H x = b with H = Phi'' of a stage at its solution, without projection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from supple.dynamics.equation import Jacobian
from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.linalg.square import square_pattern
from supple.solvers.linear import LinearSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Blocks: TypeAlias = list[tuple[Ints, Array]]
"""Elements (m, k) and their matrices (m, 3k, 3k)."""

ACCURACY = 1e-10
"""Residual of iterative solves, relative to the right-hand side: it determines the error of the gradient."""

LARGE = 10_000
"""Unknowns below which systems are solved exactly: at this accuracy old factors help little."""


class StageMatrix:
    """Solves with the Hessians of stages of one system. For large bodies the factor of one step preconditions the next."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        if options.reuse == "auto" and system.pattern.unknowns < LARGE:
            options = replace(options, reuse="never")
        self._linear = LinearSolver(system, options)
        self.report = SolveReport()

    def at(self, objective: StageObjective, x: Array) -> None:
        """Use the Hessian of a stage at x."""
        self._linear.assemble(objective, x)

    def solve(self, b: Array) -> Array:
        """H^-1 b on free vertices, zero on prescribed ones; b (n, 3)."""
        return self._linear.newton(-b, ACCURACY, self.report)

    def close(self) -> None:
        self._linear.close()


class JacobianMatrix:
    """Solves with the Jacobian of an equation that is not a gradient, and with its transpose."""

    def __init__(self, system: System, jacobian: Jacobian) -> None:
        from scipy.sparse import csr_matrix, diags, triu
        from scipy.sparse.linalg import splu

        self._free, self._n = system.free, system.n
        unknowns = np.full(system.n, -1, dtype=np.int64)
        unknowns[system.free] = np.arange(len(system.free))
        size = 3 * len(system.free)
        matrix = diags(np.repeat(jacobian.diagonal[system.free], 3)).tocsr()
        if jacobian.symmetric is not None:
            pattern = system.pattern
            upper = csr_matrix((jacobian.symmetric, pattern.indices, pattern.indptr), shape=(size, size))
            matrix = matrix + upper + triu(upper, k=1).T
        if jacobian.square is not None:
            whole = square_pattern(system.pattern)
            matrix = matrix + csr_matrix((jacobian.square, whole.indices, whole.indptr), shape=(size, size))
        for elements, matrices in (*jacobian.blocks, *jacobian.couplings):
            matrix = matrix + sum_of(unknowns[elements], matrices, size)
        self._factors = splu(matrix.tocsc())
        products = [(a[system.free].ravel(), b[system.free].ravel()) for a, b in jacobian.products]
        self._left = np.array([a for a, _ in products]).reshape(-1, size)
        self._right = np.array([b for _, b in products]).reshape(-1, size)

    def solve(self, b: Array, transposed: bool = False) -> Array:
        """J^-1 b or J^-T b on free vertices, zero on prescribed ones."""
        x = np.zeros((self._n, 3))
        x[self._free] = self._solved(b[self._free].ravel(), transposed).reshape(-1, 3)
        return x

    def _solved(self, b: Array, transposed: bool) -> Array:
        """Solve with A + sum of a_k b_k^T by Woodbury's formula."""
        side = "T" if transposed else "N"
        x = self._factors.solve(b, trans=side)
        if not len(self._left):
            return x
        a, c = (self._right, self._left) if transposed else (self._left, self._right)
        Z = self._factors.solve(a.T, trans=side)
        return x - Z @ np.linalg.solve(np.eye(len(a)) + c @ Z, c @ x)


def block_product(blocks: Blocks, move: Array, transposed: bool = False) -> Array:
    """(n, 3) sum of element matrices times a displacement, or of their transposes."""
    out = np.zeros(move.size)
    for elements, matrices in blocks:
        along = move[elements].reshape(len(elements), -1)
        moved = np.einsum("mji,mj->mi" if transposed else "mij,mj->mi", matrices, along)
        places = (3 * elements.astype(np.int64)[:, :, None] + np.arange(3)).ravel()
        out += np.bincount(places, moved.ravel(), move.size)
    return out.reshape(-1, 3)


def sum_of(elements: npt.NDArray[np.integer], matrices: Array, size: int) -> csr_matrix:
    """Element matrices as one sparse matrix over unknowns; -1 marks constrained vertices."""
    from scipy.sparse import coo_matrix

    k = 3 * elements.shape[1]
    rows = (3 * elements.astype(np.int64)[:, :, None] + np.arange(3)).reshape(len(elements), k)
    known = np.repeat(elements >= 0, 3, axis=1)
    i, j = np.repeat(rows, k, axis=1).ravel(), np.tile(rows, (1, k)).ravel()
    kept = (np.repeat(known, k, axis=1) & np.tile(known, (1, k))).ravel()
    return coo_matrix((matrices.ravel()[kept], (i[kept], j[kept])), shape=(size, size)).tocsr()
