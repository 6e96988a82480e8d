"""The linear systems of both sweeps: H x = b with H = Phi'' of a stage at its solution, as it is, never projected."""

from __future__ import annotations

import numpy as np

from supple.dynamics.equation import Jacobian
from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.solvers.linear import LinearSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array, Ints

ACCURACY = 1e-12
"""Residual of iterative solves, relative to the right-hand side: it is the error of the gradient."""


class StageMatrix:
    """Solves with the Hessians of stages of one system. The factor of one step preconditions the next one of a large body."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self._linear = LinearSolver(system, options)
        self.report = SolveReport()

    def at(self, objective: StageObjective, x: Array) -> None:
        """Take the Hessian of a stage at x."""
        self._linear.assemble(objective, x)

    def solve(self, b: Array) -> Array:
        """H^-1 b on free vertices, zero on prescribed ones; b (n, 3)."""
        return self._linear.newton(-b, ACCURACY, self.report)

    def close(self) -> None:
        self._linear.close()


class JacobianMatrix:
    """Solves with the Jacobian of an equation that is no gradient, and with its transpose."""

    def __init__(self, system: System, jacobian: Jacobian) -> None:
        from scipy.sparse import coo_matrix, diags
        from scipy.sparse.linalg import splu

        n, free = system.n, system.free
        self._free, self._n = free, n
        matrix = diags(np.repeat(jacobian.diagonal, 3)).tocsr()
        for elements, matrices in (*jacobian.blocks, *jacobian.couplings):
            rows, columns = _places(elements)
            matrix = matrix + coo_matrix((matrices.ravel(), (rows, columns)), shape=(3 * n, 3 * n)).tocsr()
        self.whole = matrix
        unknowns = (3 * np.asarray(free, dtype=np.int64)[:, None] + np.arange(3)).ravel()
        self._factors = splu(matrix[unknowns][:, unknowns].tocsc())

    def solve(self, b: Array, transposed: bool = False) -> Array:
        """J^-1 b or J^-T b on free vertices, zero on prescribed ones."""
        x = np.zeros((self._n, 3))
        x[self._free] = self._factors.solve(b[self._free].ravel(), trans="T" if transposed else "N").reshape(-1, 3)
        return x


def block_product(blocks: tuple[tuple[Ints, Array], ...], move: Array, transposed: bool = False) -> Array:
    """(n, 3) sum of element matrices times a move, or of their transposes."""
    out = np.zeros(move.size)
    for elements, matrices in blocks:
        moved = np.einsum(
            "mji,mj->mi" if transposed else "mij,mj->mi", matrices, move[elements].reshape(len(elements), -1)
        )
        places = (3 * elements.astype(np.int64)[:, :, None] + np.arange(3)).ravel()
        out += np.bincount(places, moved.ravel(), move.size)
    return out.reshape(-1, 3)


def _places(elements: Ints) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the entries of element matrices."""
    unknowns = (3 * elements.astype(np.int64)[:, :, None] + np.arange(3)).reshape(len(elements), -1)
    k = unknowns.shape[1]
    return np.repeat(unknowns, k, axis=1).ravel(), np.tile(unknowns, (1, k)).ravel()
