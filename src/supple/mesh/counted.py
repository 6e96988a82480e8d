"""numpy, decompressors and the console as the readers of meshio see them while they read a file that anybody may have written.

The readers take memory for as many numbers as a file announces. Here a count that the file is too small for is refused before.
Outside of `counted` all of them are the plain ones.
"""

from __future__ import annotations

import lzma
import math
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

SPARE = 100_000_000
"""Numbers that a file of any size may make: a grid of VTK is announced by three of them."""
UNPACKED = 1 << 29
"""Bytes that the compressed blocks of a file may unpack to, all together; of a larger file, eight times its size."""
SPLITS = 1_000_000
"""Largest number of blocks of cells times arrays of a file: each array is split at each change of the kind of cells."""
DICTIONARY = 1 << 28
"""Bytes that the decompressor of LZMA may take for itself; its strongest preset needs a quarter."""
SAID = 300
"""Characters of a message of meshio, which may quote a whole file."""
_MARKUP = re.compile(r"\[/?(?:bold|yellow|red)\]")


@dataclass
class _File:
    """The file being read."""

    size: int
    """In bytes."""
    unpacked: int = 0
    """Bytes that its blocks have unpacked to so far."""
    splits: int = 0
    """Parts of arrays so far."""


_FILE: ContextVar[_File | None] = ContextVar("file", default=None)


@contextmanager
def counted(path: os.PathLike[str]) -> Iterator[None]:
    """Inside, counts are compared with the size of the file."""
    token = _FILE.set(_File(os.stat(path).st_size))
    try:
        yield
    finally:
        _FILE.reset(token)


def demand_room(count: Any, each: float = 1.0) -> None:
    """Refuse a count of entries that take so many bytes each in the file, at least."""
    file = _FILE.get()
    if file is not None and int(count) * each > file.size:
        raise ValueError(f"it announces {int(count)} entries, more than its {file.size} bytes can hold")


def demand_made(shape: Any) -> None:
    """Refuse an array that is far larger than the file."""
    file = _FILE.get()
    count = math.prod(int(n) for n in np.atleast_1d(shape).tolist())
    if file is not None and count > max(SPARE, file.size):
        raise ValueError(f"it announces {count} entries, and has {file.size} bytes")


def demand_splits(blocks: int, arrays: int) -> None:
    """Refuse arrays that would be split into far too many parts."""
    file = _FILE.get()
    if file is not None:
        file.splits += int(blocks) * arrays
        if file.splits > SPLITS:
            raise ValueError(f"it has {arrays} arrays for {int(blocks)} blocks of cells; sort its cells by their kind")


def is_counted() -> bool:
    """Whether a file is being read."""
    return _FILE.get() is not None


class Arrays:
    """numpy with counts that are compared with the file."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def fromfile(self, file: Any, dtype: Any = float, count: Any = -1, sep: str = "", **more: Any) -> Any:
        """Of a text each number takes a digit and a blank."""
        demand_room(int(count) - 1 if sep else count, 2.0 if sep else np.dtype(dtype).itemsize)
        return np.fromfile(file, dtype, int(count), sep, **more)

    def fromiter(self, values: Any, dtype: Any, count: Any = -1) -> Any:
        demand_room(int(count) - 1)
        return np.fromiter(values, dtype, int(count))

    def empty(self, shape: Any, *more: Any, **named: Any) -> Any:
        demand_made(shape)
        return np.empty(shape, *more, **named)

    def ones(self, shape: Any, *more: Any, **named: Any) -> Any:
        demand_made(shape)
        return np.ones(shape, *more, **named)

    def full(self, shape: Any, *more: Any, **named: Any) -> Any:
        demand_made(shape)
        return np.full(shape, *more, **named)

    def arange(self, *ends: Any, **named: Any) -> Any:
        demand_made(ends[0] if len(ends) == 1 else max(0, int(ends[1]) - int(ends[0])))
        return np.arange(*ends, **named)

    def linspace(self, start: Any, stop: Any, num: Any = 50) -> Any:
        demand_made((num, 10))  # the points and cells of the grid have about ten numbers each
        return np.linspace(start, stop, num)


class Blocks:
    """zlib or lzma with a limit on the unpacked size."""

    def __init__(self, plain: Any) -> None:
        self.compress, self._plain = plain.compress, plain

    def decompress(self, data: bytes) -> bytes:
        file = _FILE.get()
        if file is None:
            return bytes(self._plain.decompress(data))
        most = max(UNPACKED, 8 * file.size)
        left = most - file.unpacked
        packed = zlib.decompressobj() if self._plain is zlib else lzma.LZMADecompressor(memlimit=DICTIONARY)
        found = packed.decompress(data, left + 1)
        file.unpacked += len(found)
        if len(found) > left:
            raise ValueError(f"its blocks unpack to more than {most:,} bytes")
        if not packed.eof:
            raise ValueError("one of its blocks is cut off")
        return found


class _Plain:
    """A console that writes the beginning of a message as it is."""

    def print(self, text: str, **_: Any) -> None:
        sys.stderr.write(_MARKUP.sub("", text[: SAID + 50])[:SAID] + "\n")


def console(**options: Any) -> Any:
    """rich breaks a message of half a million characters into lines for half a minute, and looks for markup in it."""
    from rich.console import Console

    return Console(**options) if _FILE.get() is None else _Plain()
