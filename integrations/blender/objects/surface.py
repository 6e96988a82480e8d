# SPDX-License-Identifier: GPL-3.0-or-later
"""The faces of a mesh of Blender, in world coordinates and metres, and their text as Wavefront OBJ."""

from dataclasses import dataclass, field

import bpy
import numpy as np


@dataclass(eq=False)
class Surface:
    """Vertices in Blender's order, faces with any number of corners, edges without faces."""

    vertices: np.ndarray
    """(n, 3) [m]"""
    counts: np.ndarray
    """Corners of each face."""
    corners: np.ndarray
    """Vertices of all faces, one after another."""
    triangles: np.ndarray
    """(m, 3), as Blender cuts the faces."""
    edges: np.ndarray
    """(k, 2) without a face."""
    uv: np.ndarray | None = None
    """(corners, 2) texture coordinates."""
    materials: list[str] = field(default_factory=list)
    """Name for each face, empty without any."""

    @property
    def open_edges(self) -> int:
        """Sides of faces that do not join exactly two faces; 0: the surface is closed."""
        sides = np.sort(self._sides(), axis=1)
        _, times = np.unique(sides, axis=0, return_counts=True)
        return int((times != 2).sum())

    @property
    def pieces(self) -> int:
        """Connected parts."""
        label = np.arange(len(self.vertices))
        links = np.concatenate([self._sides(), self.edges])
        while True:
            low = np.minimum(label[links[:, 0]], label[links[:, 1]])
            new = label.copy()
            np.minimum.at(new, links[:, 0], low)
            np.minimum.at(new, links[:, 1], low)
            new = new[new]
            if (new == label).all():
                return len(np.unique(label[np.unique(links)]))
            label = new

    @property
    def loose(self) -> np.ndarray:
        """Vertices without a face or an edge."""
        used = np.zeros(len(self.vertices), dtype=bool)
        used[self.corners] = True
        used[self.edges.ravel()] = True
        return np.flatnonzero(~used)

    def obj(self) -> str:
        """The text of an OBJ file; numbers have all their digits."""
        lines = ["v {!r} {!r} {!r}".format(*row) for row in self.vertices.tolist()]
        if self.uv is not None:
            lines += ["vt {!r} {!r}".format(*row) for row in self.uv.tolist()]
        ends = np.cumsum(self.counts)
        material = ""
        for k, (end, count) in enumerate(zip(ends.tolist(), self.counts.tolist(), strict=True)):
            if self.materials and self.materials[k] != material:
                material = self.materials[k]
                lines.append(f"usemtl {material.replace(' ', '_') or 'none'}")
            places = range(end - count, end)
            words = (
                f"{self.corners[p] + 1}/{p + 1}" if self.uv is not None else f"{self.corners[p] + 1}" for p in places
            )
            lines.append("f " + " ".join(words))
        lines += [f"l {a + 1} {b + 1}" for a, b in self.edges.tolist()]
        return "\n".join(lines) + "\n"

    def _sides(self) -> np.ndarray:
        """(k, 2): both ends of each side of each face."""
        after = np.roll(self.corners, -1)
        ends = np.cumsum(self.counts)
        if len(ends):
            after[ends - 1] = self.corners[ends - self.counts]
        return np.stack([self.corners, after], axis=1)


def surface_of(mesh: bpy.types.Mesh, world: np.ndarray) -> Surface:
    """The faces of an evaluated mesh, with its vertices at `world`."""
    counts = _read(mesh.polygons, "loop_total", 1, np.int32).ravel()
    corners = _read(mesh.loops, "vertex_index", 1, np.int32).ravel()
    mesh.calc_loop_triangles()
    triangles = _read(mesh.loop_triangles, "vertices", 3, np.int32)
    edges = _read(mesh.edges, "vertices", 2, np.int32)
    layer = mesh.uv_layers.active
    uv = None if layer is None or not len(corners) else _read(layer.data, "uv", 2, np.float32).astype(float)
    slots = [slot.name if slot else "" for slot in mesh.materials]
    index = _read(mesh.polygons, "material_index", 1, np.int32).ravel()
    materials = [slots[k] if k < len(slots) else "" for k in index.tolist()] if slots else []
    made = Surface(world, counts, corners, triangles, edges[:0], uv, materials)
    sides = {tuple(side) for side in np.sort(made._sides(), axis=1).tolist()}
    alone = [k for k, edge in enumerate(np.sort(edges, axis=1).tolist()) if tuple(edge) not in sides]
    made.edges = edges[alone]
    return made


def turned(surface: Surface) -> Surface:
    """The same surface with all faces facing the other way."""
    order = np.concatenate(
        [
            np.arange(end - 1, end - count - 1, -1)
            for end, count in zip(np.cumsum(surface.counts), surface.counts, strict=True)
        ]
        or [np.empty(0, dtype=int)]
    )
    uv = None if surface.uv is None else surface.uv[order]
    return Surface(
        surface.vertices,
        surface.counts,
        surface.corners[order],
        surface.triangles[:, ::-1],
        surface.edges,
        uv,
        surface.materials,
    )


def _read(rows: object, key: str, width: int, kind: type) -> np.ndarray:
    flat = np.empty(len(rows) * width, dtype=kind)
    rows.foreach_get(key, flat)
    return flat.reshape(-1, width)
