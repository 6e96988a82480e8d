"""Faces disassembled for repair: each a list of corners, with its face in the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from supple.mesh.faces.polygons import Polygons
from supple.types import Array


class Corner(NamedTuple):
    """Vertex, row of the texture coordinates and index of the shared normal; -1 for none."""

    vertex: int
    uv: int = -1
    smooth: int = -1


Face = list[Corner]


@dataclass
class Soup:
    """Faces under repair, for vertices at `x`."""

    x: Array
    faces: list[Face]
    source: list[int]
    """Face of the model that provides object, group and material."""
    uv: list[tuple[float, float]]

    @classmethod
    def of(cls, x: Array, polygons: Polygons) -> Soup:
        """Disassemble the faces of a model."""
        columns = (polygons.corners.tolist(), polygons.uv_corners.tolist(), polygons.smooth.tolist())
        corners = [Corner(*row) for row in zip(*columns, strict=True)]
        ends = np.cumsum(polygons.counts).tolist()
        faces = [corners[end - count : end] for end, count in zip(ends, polygons.counts.tolist(), strict=True)]
        return cls(x, faces, list(range(len(faces))), [(u, v) for u, v in polygons.uv.tolist()])

    def polygons(self, old: Polygons) -> Polygons:
        """The faces reassembled, with the names of the model."""
        counts = np.array([len(face) for face in self.faces], dtype=np.int32)
        corners = np.array([corner for face in self.faces for corner in face], dtype=np.int32).reshape(-1, 3)
        rows = np.array(self.source, dtype=np.int64)
        return replace(
            old,
            counts=counts,
            corners=corners[:, 0],
            uv=np.array(self.uv).reshape(-1, 2),
            uv_corners=corners[:, 1],
            smooth=corners[:, 2],
            objects=old.objects.rows(rows),
            groups=old.groups.rows(rows),
            materials=old.materials.rows(rows),
        )

    def keep(self, which: list[bool]) -> int:
        """Discard the other faces; returns their number."""
        before = len(self.faces)
        self.faces = [face for face, kept in zip(self.faces, which, strict=True) if kept]
        self.source = [face for face, kept in zip(self.source, which, strict=True) if kept]
        return before - len(self.faces)

    def turn(self, face: int) -> None:
        """Flip a face."""
        self.faces[face] = self.faces[face][::-1]

    def sides(self) -> dict[tuple[int, int], list[tuple[int, bool]]]:
        """For each edge (lower vertex first) its faces, and whether they traverse it from the lower vertex."""
        found: dict[tuple[int, int], list[tuple[int, bool]]] = {}
        for number, face in enumerate(self.faces):
            for a, b in runs(face):
                found.setdefault((min(a, b), max(a, b)), []).append((number, a < b))
        return found


def runs(face: Face) -> Iterator[tuple[int, int]]:
    """The directed edges of a face."""
    vertices = [corner.vertex for corner in face]
    return zip(vertices, vertices[1:] + vertices[:1], strict=True)
