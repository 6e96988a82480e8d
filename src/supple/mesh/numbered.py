"""Tables from the numbers of nodes to their rows, as the readers of meshio make them, without silent mistakes.

A negative number would count from the end of the table, and the second of two nodes with one number would replace the first:
both give another mesh than the file describes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from supple.mesh.counted import Arrays, is_counted


class Table(np.ndarray[Any, np.dtype[Any]]):
    """An array of rows, -1 for numbers that no node has."""

    def __getitem__(self, numbers: Any) -> Any:
        if np.size(numbers) and np.min(numbers) < 0:
            raise ValueError("an element names a node with a number below the first one")
        return self.view(np.ndarray)[numbers]

    def __setitem__(self, numbers: Any, rows: Any) -> None:
        plain = np.asarray(numbers)
        if plain.size and plain.min() < 0:
            raise ValueError("a node has a number below the first one; number nodes from 1 on")
        if len(np.unique(plain)) < plain.size:
            raise ValueError("two nodes have the same number; number nodes from 1 on")
        self.view(np.ndarray)[numbers] = rows


class NumberedArrays(Arrays):
    """numpy whose tables are checked while a file is read."""

    def ones(self, shape: Any, *more: Any, **named: Any) -> Any:
        return _table(super().ones(shape, *more, **named))

    def full(self, shape: Any, *more: Any, **named: Any) -> Any:
        return _table(super().full(shape, *more, **named))


def _table(made: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return made.view(Table) if is_counted() else made
