"""Visible parts of a film, one for each body and each obstacle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.colours import OBSTACLE, body_colour
from supple.constraints.motion import Script
from supple.contact.obstacles.shapes import Shape
from supple.mesh.topology import boundary_triangles
from supple.recording.cells import Cells
from supple.recording.fine_skins import Dress
from supple.recording.scenery import Prop, Scenery
from supple.types import Ints


@dataclass(frozen=True)
class Part:
    """Visible geometry of one body or obstacle. `faces` and `edges` count within `vertices`."""

    name: str
    vertices: Ints
    """(k,) vertices of the film that lie on the surface, ascending; all for a cloud."""
    faces: Ints
    """(f, 3) triangles, counterclockwise seen from outside."""
    edges: Ints
    """(e, 2) lines that belong to no triangle and no tet: ropes and springs."""
    span: tuple[int, int]
    """First vertex of the whole body in the film, and the one after its last."""
    colour: str
    """`#rrggbb`"""
    obstacle: bool = False
    """Whether it is an obstacle: without strain, static or moved by a script."""
    shape: Shape | None = None
    """Shape of an obstacle that is not recorded; its vertices lie on it at time 0."""
    script: Script | None = None
    """Motion of such an obstacle."""

    @property
    def still(self) -> bool:
        """Whether it never moves."""
        return self.shape is not None and self.script is None

    @property
    def cloud(self) -> bool:
        """Whether it is a point cloud: vertices only."""
        return bool(len(self.vertices)) and not len(self.faces) and not len(self.edges)


def cut_parts(cells: Cells, worn: Sequence[Dress], props: Sequence[tuple[Prop, int]], scenery: Scenery) -> list[Part]:
    """Bodies and mesh obstacles in the order of their vertices, then shapes, with their vertex counts."""
    cutter = _Cutter(cells)
    parts = []
    for k, dress in enumerate(worn):
        obstacle = dress.name in scenery.obstacles
        colour = scenery.colours.get(dress.name, OBSTACLE if obstacle else body_colour(k))
        parts.append(Part(dress.name, *cutter.cut(dress.vertices), colour, obstacle))
    return parts + [
        Part(prop.name, *cutter.cut(size), prop.colour, True, prop.shape, prop.script) for prop, size in props
    ]


class _Cutter:
    """Takes the visible geometry of the next vertices."""

    def __init__(self, cells: Cells) -> None:
        tets, triangles, edges = (cells.of_type(corners).astype(np.int32) for corners in (4, 3, 2))
        self._cells = np.concatenate([boundary_triangles(tets).astype(np.int32), triangles]), edges
        self._points = cells.of_type(1)[:, 0].astype(np.int32)
        self._first = 0

    def cut(self, count: int) -> tuple[Ints, Ints, Ints, tuple[int, int]]:
        """Vertices, faces, edges and span."""
        first, end = self._first, self._first + count
        self._first = end
        mine = [cells[(cells[:, 0] >= first) & (cells[:, 0] < end)] for cells in self._cells]
        seen = np.unique(np.concatenate([cells.ravel() for cells in mine])).astype(np.int32)
        if not len(seen):  # an isolated vertex beside faces is not visible; a body of isolated vertices is a cloud
            seen = self._points[(self._points >= first) & (self._points < end)]
        faces, edges = (np.searchsorted(seen, cells).astype(np.int32) for cells in mine)
        return seen, faces, edges, (first, end)
