"""Writes notebooks/tuning-fork.mesh: a tuning fork of cubic cells with 6 tets each, as a mesh of the reader's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import supple as sp

TARGET = Path(__file__).parent.parent / "notebooks" / "tuning-fork.mesh"
CELL = 0.01
"""Edge of a cell [m]."""
CELLS = (5, 12, 1)
"""Width, height and depth of the whole fork."""


def belongs(column: int, row: int) -> bool:
    """Whether a cell is part of the fork: the stem below, the bridge across, and two tines."""
    if row < 3:
        return column == 2
    return row == 3 or column in (0, 4)


def fork() -> sp.Mesh:
    """The tets of a block that lie in the fork, on the vertices that they use."""
    block = sp.Bar(cells=CELLS, size=tuple(CELL * n for n in CELLS), tets=6).mesh()
    centres = block.vertices[block.tets].mean(axis=1) / CELL
    kept = block.tets[[belongs(int(x), int(y)) for x, y, _ in centres]]
    used, tets = np.unique(kept, return_inverse=True)
    return sp.Mesh(block.vertices[used], tets=tets.reshape(kept.shape).astype(np.int32))


if __name__ == "__main__":
    sp.write_mesh(fork(), TARGET)
