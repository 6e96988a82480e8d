"""The 3x3 diagonal blocks: negligible set-up, and iterations that grow with the stiffness."""

from __future__ import annotations

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.krylov import block_product
from supple.linalg.pattern import SymmetricPattern
from supple.types import Array


class DiagonalBlocks:
    """Solves with the diagonal blocks alone."""

    renewal = 0.0
    factorises = may_err = False

    def __init__(self, pattern: SymmetricPattern) -> None:
        self._pattern = pattern
        self._inverse = np.empty((0, 3, 3))

    def renew(self, values: Array, places: Array) -> None:
        blocks = diagonal_blocks(self._pattern, values)
        if not np.isfinite(blocks).all() or not (np.linalg.eigvalsh(blocks)[:, 0] > 0.0).all():
            raise NotPositiveDefinite("a diagonal block is not positive definite")
        self._inverse = np.asarray(np.linalg.inv(blocks))

    def solve(self, rhs: Array) -> Array:
        return block_product(self._inverse, rhs)

    def close(self) -> None:
        self._inverse = np.empty((0, 3, 3))


def diagonal_blocks(pattern: SymmetricPattern, values: Array) -> Array:
    """(n, 3, 3) diagonal blocks."""
    first, L = pattern.diagonal[::3].astype(np.int64), pattern.row_length
    D, rows = np.empty((len(first), 3, 3)), (first, first + L - 1, first + 2 * L - 3)
    for i in range(3):
        for j in range(i, 3):
            D[:, i, j] = D[:, j, i] = values[rows[i] + j]
    return D
