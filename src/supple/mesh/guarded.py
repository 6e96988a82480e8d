"""Readers of meshio for untrusted files.

They trust counts, and some wait forever for a line after the end of a file. So the wait is bounded, and blocks that
would unpack, or node numbers that lie, far beyond the size of the file are rejected first.
"""

from __future__ import annotations

import importlib
import io
import lzma
import math
import zlib
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from supple.mesh.counted import Arrays, Blocks, console, counted, demand_room, demand_splits
from supple.mesh.element_lines import demand_columns
from supple.mesh.numbered import NumberedArrays

WAITS = 1000
"""Number of reads allowed after the end of a file."""
GAPS = 100_000_000
"""Largest number of a node in a .msh file, per node if there are more: meshio makes a table of all numbers below."""
GRID = 10_000_000
"""Points of a structured grid, which a file of any size can announce."""
_CORNERS = {1: 1, 3: 2, 5: 3, 9: 4, 10: 4}
"""Corners of the cells of VTK that supple reads, by their type: vertex, line, triangle, quad, tet."""
HEADERS = ("UInt32", "UInt64")
"""Types of the sizes of blocks in a .vtu file; with a negative one its reader does not come back."""
_ARRAYS = (
    "gmsh._gmsh22", "gmsh._gmsh40", "gmsh._gmsh41", "gmsh.common", "vtk._vtk_42", "vtk._vtk_51", "vtu._vtu", "medit._medit",
    "off._off", "stl._stl", "ply._ply", "_vtk_common",
)  # fmt: skip
"""Modules of meshio that allocate arrays of the sizes announced in a file."""

_NUMBERED = ("gmsh._gmsh22", "gmsh._gmsh40", "gmsh._gmsh41")
"""Modules whose tables of ones and of one value map the numbers of nodes to rows."""


def read(module: str, path: Path) -> Any:
    """meshio's object for a file of one of its formats; any exception names the fault."""
    _guard()
    # The module itself, not meshio.read: which tries several formats, prints the failures and exits the process.
    with counted(path):
        if module in ("medit", "off"):
            with _EndingText(io.BufferedReader(io.FileIO(path)), encoding="utf-8", errors="replace") as text:
                return _module(module).read(text)
        if module in ("gmsh", "ply", "vtk"):
            inner = {"gmsh": "gmsh.main", "ply": "ply._ply", "vtk": "vtk._main"}[module]
            with _Ending(io.FileIO(path)) as file:
                return _module(inner).read_buffer(file)
        if module == "vtu":
            _demand_plain(path)
        return _module(module).read(str(path))


def _module(name: str) -> Any:
    return importlib.import_module(f"meshio.{name}")


class _Ending(io.BufferedReader):
    """Raises an error when a reader keeps reading after the end."""

    waits = 0

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(-1 if size is None else size)
        self.waits = _waited(self.waits + (not line))
        return line


class _EndingText(io.TextIOWrapper):
    """The same for texts."""

    waits = 0

    def readline(self, size: int = -1) -> str:  # type: ignore[override]  # as its base, whose stub has two overloads
        line = super().readline(size)
        self.waits = _waited(self.waits + (not line))
        return line


def _waited(waits: int) -> int:
    if waits > WAITS:
        raise ValueError("it ends too early")
    return waits


def _demand_plain(path: Path) -> None:
    """The first element with sizes as VTK has them, and no document type before it: entities can grow without end, or name
    other files."""
    parser = expat.ParserCreate()
    begun: list[dict[str, str]] = []

    def refuse(*_: Any) -> None:
        raise ValueError("it has a document type, which VTK files do not have")

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = lambda _, attributes: begun.append(attributes)
    with path.open("rb") as file:
        while not begun and (piece := file.read(1 << 12)):
            try:
                parser.Parse(piece)
            except expat.ExpatError:
                if not begun:  # after the first element there may be bytes that are no text
                    raise
    sizes = begun[0].get("header_type", HEADERS[0]) if begun else ""
    if sizes not in HEADERS:
        raise ValueError(f"its header_type is '{sizes[:60]}'; VTK has {' and '.join(HEADERS)}")


def _guard() -> None:
    """Replace numpy and other imports of meshio's modules with counting versions, once."""
    if isinstance(_module("ply._ply").np, Arrays):
        return
    _module("_common").Console = console
    vtu = _module("vtu._vtu")
    vtu.zlib, vtu.lzma = Blocks(zlib), Blocks(lzma)
    _wrap("vtu._vtu", "_polyhedron_cells_from_data", _no_polyhedra)
    for name in ("vtk._vtk_42", "vtk._vtk_51"):
        _wrap(name, "_generate_points", lambda axes: _demand_grid([len(axis) for axis in axes]))
        _wrap(name, "_generate_cells", lambda dim: _demand_grid(dim))
    lines = _module("gmsh._gmsh22")
    kinds, corners = lines._gmsh_to_meshio_type, lines.num_nodes_per_cell
    _wrap("gmsh._gmsh22", "_read_cells_ascii", lambda *given: demand_columns(given[0], given[3], kinds, corners))
    _wrap("gmsh._gmsh22", "_read_cells", lambda *given: _demand_dense(given[2]))
    _wrap("gmsh._gmsh40", "_read_elements", lambda *given: _demand_dense(given[1]))
    _wrap("gmsh._gmsh41", "_read_elements", _demand_blocks)
    for name in ("gmsh._gmsh22", "gmsh._gmsh40", "gmsh._gmsh41"):
        _wrap(name, "cell_data_from_raw", lambda cells, arrays: demand_splits(len(cells), len(arrays)))
    _wrap("vtu._vtu", "_organize_cells", _demand_one_piece)
    for name in ("vtu._vtu", "vtk._vtk_51"):
        _wrap(name, "vtk_cells_from_data", _demand_cells)
    for name in _ARRAYS:
        _module(name).np = NumberedArrays() if name in _NUMBERED else Arrays()


def _wrap(name: str, function: str, check: Callable[..., None]) -> None:
    """Pass the arguments of a function of meshio to a check first."""
    module = _module(name)
    plain = getattr(module, function)

    @wraps(plain)
    def checked(*given: Any, **named: Any) -> Any:
        check(*given, **named)
        return plain(*given, **named)

    setattr(module, function, checked)


def _no_polyhedra(*_: Any) -> None:
    raise ValueError("it has polyhedra; split them into tets in the program that made the mesh")


def _demand_grid(shape: Any) -> None:
    count = math.prod(max(1, int(n)) for n in shape)
    if count > GRID:
        raise ValueError(f"its grid has {count} points; supple reads grids of up to {GRID:,}")


def _demand_one_piece(_: Any, cells: Any, *more: Any) -> None:
    """meshio keeps the cells of the last piece only."""
    pieces = sum(len(piece["types"]) > 0 for piece in cells)
    if pieces > 1 or (pieces and not len(cells[-1]["types"])):
        raise ValueError(f"its cells are in {len(cells)} pieces; merge them into one, and save it again")


def _demand_cells(corners: Any, ends: Any, types: Any, arrays: Any) -> None:
    """Each cell has its own corners, in order: a table of ends that runs backwards would take those of other cells."""
    sizes = np.diff(np.asarray(ends, dtype=np.int64), prepend=0)
    if len(sizes) and (sizes.min() < 0 or sizes.sum() != len(corners)):
        raise ValueError(f"its cells end at {int(np.asarray(ends)[-1])} of {len(corners)} corners, or not in order")
    wanted = np.array([_CORNERS.get(kind, 0) for kind in range(256)])[np.asarray(types, dtype=np.uint8)]
    if len(sizes) == len(wanted) and len(wrong := np.flatnonzero((wanted > 0) & (sizes != wanted))):
        raise ValueError(f"cell {wrong[0]} has {sizes[wrong[0]]} corners, and a type with {wanted[wrong[0]]}")
    blocks = 1 + np.count_nonzero(np.diff(types)) + np.count_nonzero(np.diff(sizes))
    demand_splits(int(blocks), len(arrays))


def _demand_dense(numbers: Any) -> None:
    if numbers is not None and len(numbers) and np.max(numbers) > max(GAPS, 100 * len(numbers)):
        raise ValueError(f"a node has the number {np.max(numbers)}; number nodes from 1 on")


def _demand_blocks(file: Any, numbers: Any, *more: Any) -> None:
    """Of version 4.1, which makes a list of all blocks of elements first."""
    _demand_dense(numbers)
    is_ascii, size = more[2], more[3]
    here = file.tell()
    for count in np.fromfile(file, f"u{size}", 1, " " if is_ascii else ""):
        demand_room(count)
    file.seek(here)
