"""Newest frame wins: one writer and any number of readers in other processes, without waiting.

Shared memory holds three buffers, each with the number of the frame in it. The writer marks the oldest one as being
written (-1), fills it, numbers it, and then announces it as the latest. A reader copies the latest buffer and checks
its number again: if that changed meanwhile, the copy is torn and it tries once more. A slow reader misses frames;
the writer is not affected.
"""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.types import Array

BUFFERS = 3
TRIES = 8
FARTHEST = 1e15
"""Of a position [m]: a run that diverges leaves the range of single precision, and so do the squares of what is in it."""
LARGEST = 1e30
"""Of a value for a colour."""
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Shape:
    """Layout of a frame in memory."""

    figures: int
    """Number of figures in double precision."""
    vertices: int
    """Vertices, each with a position and one value for its colour, in single precision."""

    @property
    def stride(self) -> int:
        """Bytes of one buffer, a multiple of 8."""
        return 8 * self.figures + 16 * self.vertices

    @property
    def size(self) -> int:
        return 8 * (1 + BUFFERS) + BUFFERS * self.stride


@dataclass(frozen=True)
class Shown:
    """A frame as stored."""

    number: int
    figures: Array
    x: Singles
    values: Singles


class Slot:
    """Built by `create`, which owns the memory, or by `attach` in another process."""

    def __init__(self, memory: SharedMemory, shape: Shape, owner: bool) -> None:
        self.shape = shape
        self._memory, self._owner = memory, owner
        self._head = self._view(0, np.int64, 1 + BUFFERS)
        first = self._head.nbytes
        self._figures = [self._view(first + k * shape.stride, np.float64, shape.figures) for k in range(BUFFERS)]
        beyond = first + 8 * shape.figures
        self._singles = [self._view(beyond + k * shape.stride, np.float32, 4 * shape.vertices) for k in range(BUFFERS)]
        self._number = 0

    @classmethod
    def create(cls, shape: Shape) -> Slot:
        """New memory, empty; `close` returns it to the system."""
        slot = cls(SharedMemory(create=True, size=shape.size), shape, owner=True)
        slot._head[:] = -1
        return slot

    @classmethod
    def attach(cls, name: str, shape: Shape) -> Slot:
        """The memory created by another process."""
        return cls(SharedMemory(name=name), shape, owner=False)

    @property
    def name(self) -> str:
        return self._memory.name

    def put(self, figures: npt.ArrayLike, x: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Store a frame: (f,) figures, (k, 3) positions, (k,) values."""
        k = self._number % BUFFERS
        n = 3 * self.shape.vertices
        self._head[1 + k] = -1
        self._figures[k][:] = figures
        self._singles[k][:n].reshape(-1, 3)[:] = np.clip(x, -FARTHEST, FARTHEST)
        self._singles[k][n:] = np.clip(values, -LARGEST, LARGEST)
        self._head[1 + k] = self._number
        self._head[0] = self._number
        self._number += 1

    def get(self, after: int = -1) -> Shown | None:
        """The newest frame with a number above `after`, or None if there is none."""
        for _ in range(TRIES):
            number = int(self._head[0])
            if number <= after:
                return None
            k = number % BUFFERS
            n = 3 * self.shape.vertices
            figures, singles = self._figures[k].copy(), self._singles[k].copy()
            if int(self._head[1 + k]) == number:
                return Shown(number, figures, singles[:n].reshape(-1, 3), singles[n:])
        return None  # the writer laps every copy; the caller retries anyway

    def figure(self, index: int) -> float:
        """One figure of the newest frame, NaN before the first; cheap."""
        number = int(self._head[0])
        return float(self._figures[number % BUFFERS][index]) if number >= 0 else float("nan")

    def close(self) -> None:
        """Release the memory, and remove it if it was created here; closing twice is harmless."""
        if self._head.size == 0:
            return
        self._head = np.empty(0, dtype=np.int64)
        self._figures, self._singles = [], []
        self._memory.close()
        if self._owner:
            self._memory.unlink()

    def _view(self, offset: int, kind: type, count: int) -> npt.NDArray[Any]:
        buffer: Any = self._memory.buf
        return np.frombuffer(buffer, dtype=kind, count=count, offset=offset)
