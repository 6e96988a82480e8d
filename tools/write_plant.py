"""Writes scenes/potted-plant.obj and its materials: a prop that no mesher fills with tets.

It has a pot without thickness, a disc of soil, open tubes for stems and single sheets for leaves, most of which intersect. The
file has quads, texture coordinates, three materials and three groups.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from supple.mesh.faces.polygons import Finish, Labels, Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.mesh import Mesh
from supple.mesh.obj.writer import write_obj
from supple.types import Array, Ints

FILE = Path(__file__).parent.parent / "scenes" / "potted-plant.obj"
FINISHES = {
    "clay": Finish((0.62, 0.3, 0.2)), "soil": Finish((0.16, 0.1, 0.07)), "leaf": Finish((0.2, 0.48, 0.18)),
}  # fmt: skip
AROUND = 28
STEMS, LEAVES = 6, 5


class Parts:
    """Grids of quads, one after the other."""

    def __init__(self) -> None:
        self.x: list[Array] = []
        self.uv: list[Array] = []
        self.quads: list[Ints] = []
        self.labels: list[tuple[int, int, int]] = []
        """Faces of each grid, their group and their material."""
        self.n = 0

    def add(self, x: Array, group: int, material: int, closed: bool = False) -> None:
        """A grid (p, q, 3), perhaps closed along its second axis."""
        p, q = x.shape[:2]
        i, j = np.meshgrid(np.arange(p - 1), np.arange(q if closed else q - 1), indexing="ij")
        a, b = i * q + j, i * q + (j + 1) % q
        quads = np.stack([a, a + q, b + q, b], axis=-1).reshape(-1, 4) + self.n
        u, v = np.meshgrid(np.linspace(0, 1, p), np.linspace(0, 1, q), indexing="ij")
        self.x.append(x.reshape(-1, 3))
        self.uv.append(np.stack([v, u], axis=-1).reshape(-1, 2))
        self.quads.append(quads.astype(np.int32))
        self.labels.append((len(quads), group, material))
        self.n += p * q

    def mesh(self) -> Mesh:
        x, corners = np.round(np.concatenate(self.x), 5), np.concatenate(self.quads).ravel()
        counts = np.full(len(corners) // 4, 4, dtype=np.int32)
        many = [faces for faces, _, _ in self.labels]
        groups = Labels(("pot", "stems", "leaves"), np.repeat([g for _, g, _ in self.labels], many))
        materials = Labels(tuple(FINISHES), np.repeat([m for _, _, m in self.labels], many))
        objects = Labels(("plant",), np.zeros(len(counts), dtype=np.int32))
        uv = np.round(np.concatenate(self.uv), 4)
        smooth = np.zeros(len(corners), dtype=np.int32)
        polygons = Polygons(counts, corners, uv, corners, smooth, objects, groups, materials, FINISHES)
        places, _ = triangulated(x, counts, corners)
        return Mesh(x, triangles=corners[places], polygons=polygons)


def ring(radius: float, height: float) -> Array:
    """(AROUND, 3)"""
    angle = 2 * np.pi * np.arange(AROUND) / AROUND
    return np.stack([radius * np.cos(angle), np.full(AROUND, height), -radius * np.sin(angle)], axis=1)


def stem(start: Array, lean: Array, length: float) -> tuple[Array, Array]:
    """Axis (p, 3) and wall (p, 8, 3) of a tube that bends outwards."""
    s = np.linspace(0, 1, 14)[:, None]
    axis = start + length * (s * [0.0, 1.0, 0.0] + s**2 * lean)
    angle = 2 * np.pi * np.arange(8) / 8
    across = np.stack([np.cos(angle), np.zeros(8), -np.sin(angle)], axis=1)
    return axis, axis[:, None] + (0.006 - 0.003 * s)[:, :, None] * across


def leaf(foot: Array, out: Array, size: float) -> Array:
    """(9, 5, 3) a sheet that hangs over."""
    s, t = np.meshgrid(np.linspace(0, 1, 9), np.linspace(-1, 1, 5), indexing="ij")
    width = 0.28 * size * np.sin(np.pi * np.clip(s, 0.02, 0.98)) * t
    side = np.cross(out, [0.0, 1.0, 0.0])
    rise = size * (0.55 * s - 0.75 * s**2) + 0.15 * np.abs(width)
    return foot + (size * s)[..., None] * out + width[..., None] * side + rise[..., None] * np.array([0.0, 1.0, 0.0])


def main() -> None:
    random = np.random.default_rng(4)
    parts = Parts()
    profile = [
        (0.06, 0.0),
        (0.075, 0.05),
        (0.09, 0.1),
        (0.1, 0.13),
        (0.112, 0.132),
        (0.112, 0.15),
        (0.1, 0.152),
        (0.095, 0.13),
    ]
    parts.add(np.stack([ring(0.001, 0.0), *(ring(r, y) for r, y in profile)])[::-1], 0, 0, closed=True)
    parts.add(np.stack([ring(r, 0.125) for r in (0.001, 0.05, 0.095)])[::-1], 0, 1, closed=True)
    for k in range(STEMS):
        turn = 2 * np.pi * (k + 0.3 * random.random()) / STEMS
        way = np.array([np.cos(turn), 0.0, np.sin(turn)])
        axis, wall = stem(0.02 * way + [0.0, 0.11, 0.0], 0.5 * way, 0.26 + 0.08 * random.random())
        parts.add(wall, 1, 2, closed=True)
        for j in range(LEAVES):
            angle = turn + 2.4 * j + 0.4 * random.random()
            out = np.array([np.cos(angle), 0.0, np.sin(angle)])
            parts.add(leaf(axis[13 - 2 * j], out, 0.11 + 0.05 * random.random()), 2, 2)
    write_obj(parts.mesh(), FILE)


if __name__ == "__main__":
    main()
