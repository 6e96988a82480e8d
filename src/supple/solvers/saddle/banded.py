"""Pivoted LU of matrices that form a narrow band after reordering (Cuthill and McKee): chains and ropes.

Exact, and faster than sparse factors, whose rows are too short there.
"""

from __future__ import annotations

import numpy as np

from supple.errors import SuppleError
from supple.types import Array, Ints

WIDEST = 40
"""Half bandwidth up to which a band is faster than sparse factors; a chain has 14."""
CROWDED = 30
"""Mean length of rows beyond which there is no such band."""


class Banded:
    """Rows and columns from `indptr` and `indices`, ordered by `order`."""

    def __init__(self, indptr: Ints, indices: Ints, order: Ints) -> None:
        self._order, place = order, np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        row, column = place[np.repeat(np.arange(len(order)), np.diff(indptr))], place[indices]
        self.width = int(np.abs(row - column).max(initial=0))
        self._slot = column * (3 * self.width + 1) + 2 * self.width + row - column

    def solve(self, values: Array, rhs: Array) -> Array:
        """Solution for (n,)."""
        from scipy.linalg import lapack

        k, n = self.width, len(rhs)
        band = np.zeros((n, 3 * k + 1))
        band.ravel()[self._slot] = values
        *_, y, info = lapack.dgbsv(k, k, band.T, rhs[self._order], overwrite_ab=1, overwrite_b=1)
        if info:
            raise SuppleError(f"the matrix could not be factorised: pivot {info} is zero")
        out = np.empty_like(rhs)
        out[self._order] = y
        return out


def banded(indptr: Ints, indices: Ints) -> Banded | None:
    """None if the matrix is not a narrow band."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = len(indptr) - 1
    if len(indices) > CROWDED * n:
        return None
    graph = csr_matrix((np.ones(len(indices), np.int8), indices, indptr), shape=(n, n))
    found = Banded(indptr, indices, reverse_cuthill_mckee(graph, symmetric_mode=True))
    return found if found.width <= WIDEST else None
