"""Wavefront OBJ: positions, faces with any number of corners, texture coordinates, normals, lines, names, materials.

Vertices are the `v` lines: a vertex with several texture coordinates or normals stays one vertex. Objects and
groups become vertex groups too. Curves and free-form surfaces are rejected; points and display attributes are ignored.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from supple.errors import MeshError
from supple.formulas.source import cut
from supple.mesh.faces.polygons import Labels, Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.mesh import INDEX_LIMIT, Mesh
from supple.mesh.obj.lines import statements
from supple.mesh.obj.mtl import read_finishes
from supple.types import Array

FREE_FORM = {"vp", "cstype", "curv", "curv2", "surf", "trim", "hole", "bmat"}
UNNAMED = {"", "default", "off", "(null)"}
KINDS = (("v", "vertex"), ("vt", "texture coordinate"), ("vn", "normal"))
"""The entities that corner numbers refer to: keyword of their lines, and noun for messages."""


def read_obj(path: Path) -> Mesh:
    """The mesh in an OBJ file, unchecked; a `MeshError` names the faulty line."""
    reader = _Reader(path)
    for number, word, rest in statements(path):
        try:
            reader.take(number, word, rest)
        except MeshError as error:
            raise MeshError(f"{path}: line {number}: {error}") from None
    return reader.mesh()


class _Reader:
    """The content read so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
        self.corners: list[tuple[int, int, int]] = []
        """Numbers of vertex, texture coordinate and normal, from 0; -1 for none."""
        self.counts: list[int] = []
        self.lines: list[int] = []
        """Line of the file of each corner."""
        self.edges: list[tuple[int, int]] = []
        self.edge_lines: list[int] = []
        self.libraries: list[str] = []
        self.now = {"o": -1, "g": -1, "usemtl": -1}
        self.names: dict[str, dict[str, int]] = {word: {} for word in self.now}
        self.labels: dict[str, list[int]] = {word: [] for word in self.now}

    def take(self, number: int, word: str, rest: str) -> None:
        """Read a line."""
        if word in self.rows:
            self.rows[word].append(_numbers(word, rest))
        elif word in ("f", "fo"):
            self._face(number, rest)
        elif word == "l":
            self._line(number, rest)
        elif word in self.now:
            plain = rest if word != "g" else " ".join(rest.split())
            known = self.names[word]
            self.now[word] = -1 if plain in UNNAMED else known.setdefault(plain, len(known))
        elif word == "mtllib":
            self.libraries.append(rest)
        elif word in FREE_FORM:
            raise MeshError(
                f"found '{word}', a curve or free-form surface; supple reads polygons: convert it to a mesh first"
            )

    def mesh(self) -> Mesh:
        """The mesh, after the numbers of all corners were checked against the file's counts."""
        if not self.rows["v"]:
            raise MeshError(f"{self.path}: found no vertices; is this a mesh file?")
        x = np.array(self.rows["v"])
        corners = np.array(self.corners, dtype=np.int64).reshape(-1, 3)
        edges = np.array(self.edges, dtype=np.int32).reshape(-1, 2)
        for column, (word, noun) in enumerate(KINDS):
            self._demand_known(corners[:, column], np.array(self.lines), word, noun)
        self._demand_known(edges.ravel(), np.repeat(self.edge_lines, 2), "v", "vertex")
        if not self.counts:
            return Mesh(x, edges=edges)
        polygons = self._polygons(corners)
        places, _ = triangulated(x, polygons.counts, polygons.corners)
        groups = polygons.vertex_groups()
        return Mesh(x, edges, polygons.corners[places], groups=groups, polygons=polygons)

    def _polygons(self, corners: np.ndarray) -> Polygons:
        vertex, uv, normal = np.ascontiguousarray(corners.T, dtype=np.int32)
        objects, groups, materials = (Labels(tuple(self.names[w]), np.array(self.labels[w])) for w in self.now)
        finishes = read_finishes(self.path.parent, self.libraries)
        coordinates: Array = np.array(self.rows["vt"]).reshape(-1, 2)
        counts = np.array(self.counts, dtype=np.int32)
        return Polygons(counts, vertex, coordinates, uv, normal, objects, groups, materials, finishes)

    def _face(self, number: int, rest: str) -> None:
        words = rest.split()
        if len(words) < 3:
            raise MeshError(f"a face with {len(words)} corners; it needs three or more")
        self.corners += [self._corner(word) for word in words]
        self.lines += [number] * len(words)
        self.counts.append(len(words))
        for word, now in self.now.items():
            self.labels[word].append(now)

    def _line(self, number: int, rest: str) -> None:
        ends = [self._corner(word)[0] for word in rest.split()]
        if len(ends) < 2:
            raise MeshError(f"a line with {len(ends)} points; it needs two or more")
        self.edges += pairwise(ends)
        self.edge_lines += [number] * (len(ends) - 1)

    def _corner(self, word: str) -> tuple[int, int, int]:
        """`7`, `7/3`, `7//5` or `7/3/5`; negative numbers count back from the last line of their kind."""
        texts = word.split("/")
        if len(texts) > 3 or not texts[0]:
            raise MeshError(f"found the corner '{cut(word)}'; allowed: v, v/vt, v//vn, v/vt/vn, each a whole number")
        found = [-1, -1, -1]
        for k, text in enumerate(texts):
            if not text:
                continue
            try:
                index = int(text)
            except ValueError:
                raise MeshError(f"found the corner '{cut(word)}'; '{cut(text)}' is no whole number") from None
            if index > INDEX_LIMIT:
                raise MeshError(
                    f"found the corner '{word[:60]}'; a number of more than 32 bits is none of a {KINDS[k][1]}"
                )
            count = len(self.rows[KINDS[k][0]])
            if index == 0 or index < -count:
                raise MeshError(
                    f"found the corner '{cut(word)}'; {KINDS[k][1]} numbers count from 1, or back from -1 to -{count} here"
                )
            found[k] = index - 1 if index > 0 else count + index
        return found[0], found[1], found[2]

    def _demand_known(self, numbers: np.ndarray, lines: np.ndarray, word: str, noun: str) -> None:
        count = len(self.rows[word])
        bad = np.flatnonzero(numbers >= count)
        if len(bad):
            plural = "vertices" if noun == "vertex" else f"{noun}s"
            raise MeshError(
                f"{self.path}: line {lines[bad[0]]}: {noun} {numbers[bad[0]] + 1} does not exist, the file has {count} "
                f"{plural} ({len(bad)} {'corner is' if len(bad) == 1 else 'corners are'} wrong); is the file complete?"
            )


def _numbers(word: str, rest: str) -> list[float]:
    """Three values of a position or normal; two of a texture coordinate, the second 0 if missing."""
    texts = rest.split()
    least, wanted = (1, 2) if word == "vt" else (3, 3)
    if len(texts) < least:
        raise MeshError(f"'{word}' with {len(texts)} numbers; it needs {least}; is the file complete?")
    try:
        found = [float(text) for text in texts[:wanted]]
    except ValueError as error:
        raise MeshError(f"'{cut(f'{word} {rest}')}': {cut(str(error))}") from None
    return found + [0.0] * (wanted - len(found))
