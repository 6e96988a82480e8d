"""A square matrix as a sum of entries at fixed positions, with a structurally symmetric pattern."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.types import Array, Ints


class Entries:
    """`places` are pairs of row and column indices, arrays of any equal shape; negative indices are skipped. The
    pattern also contains the transpose of every position, and the whole diagonal."""

    def __init__(self, size: int, places: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        pairs = [np.broadcast_arrays(row, column) for row, column in places]
        self._known = [(row >= 0) & (column >= 0) for row, column in pairs]
        self._whole = [bool(known.all()) for known in self._known]
        chosen = [(row[k].astype(np.int64), column[k]) for (row, column), k in zip(pairs, self._known, strict=True)]
        keys = np.concatenate([row * size + column for row, column in chosen])
        mirrored = np.concatenate([column.astype(np.int64) * size + row for row, column in chosen])
        ordered = np.sort(np.concatenate([keys, mirrored, np.arange(size, dtype=np.int64) * (size + 1)]))
        unique = ordered[
            np.append(True, ordered[1:] != ordered[:-1])
        ]  # np.unique hashes, which takes several times as long
        row, column = unique // size, unique % size
        self.size, self.nnz, self._keys = size, len(unique), unique
        self.slots = np.searchsorted(unique, keys)
        """Slots of all positions that are not skipped, concatenated."""
        self.indptr: Ints = np.searchsorted(row, np.arange(size + 1)).astype(np.int32)
        self.indices: Ints = column.astype(np.int32)
        self._upper = np.flatnonzero(column >= row)
        self._lower = np.searchsorted(unique, column[self._upper] * size + row[self._upper])
        self.half: tuple[Ints, Ints] = (
            np.searchsorted(row[self._upper], np.arange(size + 1)).astype(np.int32),
            self.indices[self._upper],
        )
        """Rows and columns of the upper triangle."""
        self.ends = row[self._upper], column[self._upper]
        """Row and column of each of its entries."""

    def find(self, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Slots of positions in the pattern."""
        return np.searchsorted(self._keys, row.astype(np.int64) * self.size + column)

    @property
    def diagonal(self) -> np.ndarray:
        """Slots of the diagonal."""
        own = np.arange(self.size)
        return self.find(own, own)

    def sum(self, values: Sequence[Array], more: Sequence[tuple[np.ndarray, Array]] = ()) -> Array:
        """Entries of the matrix from values for the positions, in the same order; shapes may be broadcast. `more`:
        additional slots and values."""
        parts = [
            np.broadcast_to(v, k.shape).ravel() if whole else np.broadcast_to(v, k.shape)[k]
            for v, k, whole in zip(values, self._known, self._whole, strict=True)
        ]
        slots = np.concatenate([self.slots, *(s for s, _ in more)]) if more else self.slots
        weights = np.concatenate([*parts, *(v for _, v in more)])
        return np.bincount(slots, weights, self.nnz).astype(np.float64, copy=False)

    def symmetric(self, entries: Array) -> Array:
        """Upper triangle of (A + A^T)/2."""
        return 0.5 * (entries[self._upper] + entries[self._lower])
