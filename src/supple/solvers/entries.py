"""A square matrix as a sum of entries at places that stay: laid out and analysed once, factorised for every solve.

SuperLU, whose row exchanges step around zeros on the diagonal; PARDISO as it is used here exchanges only within small blocks.
A small matrix is kept whole: laying out a sparse one takes longer than solving it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.errors import SuppleError
from supple.linalg.factors.factorisation import Factorisation, analyse, check_finite
from supple.types import Array

WHOLE = 64
"""Unknowns up to which the matrix is not sparse."""


class Entries:
    """`places` are pairs of row and column numbers, arrays of any equal shape; negative numbers are left out."""

    def __init__(self, size: int, places: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        pairs = [np.broadcast_arrays(row, column) for row, column in places]
        self._known = [(row >= 0) & (column >= 0) for row, column in pairs]
        keys = [row[k].astype(np.int64) * size + column[k] for (row, column), k in zip(pairs, self._known, strict=True)]
        self._size, self._slot = size, np.concatenate(keys)
        self._matrix: Array | None = None
        self._lu: Factorisation | None = None
        self._count = size * size
        if size > WHOLE:
            unique, self._slot = np.unique(self._slot, return_inverse=True)
            indptr = np.searchsorted(unique // size, np.arange(size + 1)).astype(np.int32)
            self._count = len(unique)
            self._lu = analyse("lu", indptr, (unique % size).astype(np.int32), "superlu")

    def factor(self, values: Sequence[Array]) -> None:
        """Numbers for the places, in the same order; shapes may be broadcast."""
        parts = [np.broadcast_to(v, k.shape)[k] for v, k in zip(values, self._known, strict=True)]
        entries: Array = np.bincount(self._slot, np.concatenate(parts), self._count).astype(np.float64, copy=False)
        if self._lu is not None:
            self._lu.factor(entries)
        else:
            check_finite(entries)
            self._matrix = entries.reshape(self._size, self._size)

    def solve(self, rhs: Array) -> Array:
        """Solution for (size,)."""
        if self._lu is not None:
            return self._lu.solve(rhs)
        if self._matrix is None:
            raise SuppleError("solve was called without a successful factor")
        try:
            return np.asarray(np.linalg.solve(self._matrix, rhs), dtype=np.float64)
        except np.linalg.LinAlgError as problem:
            raise SuppleError(f"the matrix could not be factorised: {problem}") from None

    def close(self) -> None:
        if self._lu is not None:
            self._lu.close()
