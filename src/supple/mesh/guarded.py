"""Readers of meshio on files that anybody may have written.

They believe in counts, and some wait for ever for a line after the end of a file. So the waiting is ended, and what is about to
unpack or to be numbered far beyond the size of the file is refused first.
"""

from __future__ import annotations

import importlib
import io
import re
import types
import zlib
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

UNPACKED = 1 << 31
"""Bytes that one compressed block of a .vtu file may unpack to."""
WAITS = 1000
"""Lines that are asked for after the end of a file."""
GAPS = 100_000_000
"""Largest number of a node in a .msh file, per node if there are more: meshio makes a table of all numbers below."""
_NODES = {"_gmsh22": ("_read_cells", 2), "_gmsh40": ("_read_elements", 1), "_gmsh41": ("_read_elements", 1)}
"""Functions of meshio that make the table, and the argument that has the numbers of nodes."""


def read(module: str, path: Path) -> Any:
    """meshio's object for a file of one of its formats; any exception says what is wrong with it."""
    # The module itself, not meshio.read: that one tries several formats, prints what failed and leaves the process.
    reader = importlib.import_module(f"meshio.{module}")
    if module == "ply":
        with _Ending(io.FileIO(path)) as file:
            return reader.read(file)
    if module == "off":
        _demand_counts(path)
    if module == "vtu":
        _limit_blocks()
        _refuse_entities(path)
    if module == "gmsh":
        _limit_numbers()
    return reader.read(str(path))


class _Ending(io.BufferedReader):
    """Ends with an error when somebody keeps asking for lines after its end."""

    waits = 0

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(-1 if size is None else size)
        self.waits += not line
        if self.waits > WAITS:
            raise ValueError("it ends within its header")
        return line


def _demand_counts(path: Path) -> None:
    """An .off file has a line of counts after its first line; without one its reader does not come back."""
    with path.open("rb") as file:
        next(file, b"")
        if all(not line.strip() or line.strip().startswith(b"#") for line in file):
            raise ValueError("it ends within its header")


def _refuse_entities(path: Path) -> None:
    """No document types: their entities can grow without end, or name other files."""
    with path.open("rb") as file:
        head = file.read(1 << 16)
    if re.search(rb"<!\s*(DOCTYPE|ENTITY)", head, re.IGNORECASE):
        raise ValueError("it has a document type, which files of VTK have not")


def _limit_blocks() -> None:
    module: Any = importlib.import_module("meshio.vtu._vtu")
    if isinstance(module.zlib, types.ModuleType):
        module.zlib = types.SimpleNamespace(compress=zlib.compress, decompress=_inflated)


def _inflated(data: bytes) -> bytes:
    """zlib.decompress with an end."""
    packed = zlib.decompressobj()
    found = packed.decompress(data, UNPACKED)
    if packed.unconsumed_tail:
        raise ValueError(f"one of its blocks unpacks to more than {UNPACKED:,} bytes")
    return found


def _limit_numbers() -> None:
    for name, (function, place) in _NODES.items():
        module = importlib.import_module(f"meshio.gmsh.{name}")
        plain = getattr(module, function)
        if not hasattr(plain, "__wrapped__"):
            setattr(module, function, _limited(plain, place))


def _limited(plain: Callable[..., Any], place: int) -> Callable[..., Any]:
    @wraps(plain)
    def checked(*arguments: Any) -> Any:
        numbers = arguments[place]
        if numbers is not None and len(numbers) and max(numbers) > max(GAPS, 100 * len(numbers)):
            raise ValueError(f"a node has the number {max(numbers)}; number nodes from 1 on")
        return plain(*arguments)

    return checked
