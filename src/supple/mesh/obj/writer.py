"""Wavefront OBJ output: positions, texture coordinates, faces as polygons, and the names of objects, groups and materials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.escaping import one_line
from supple.interruption.placing import placed
from supple.mesh.faces.normals import corner_normals
from supple.mesh.faces.polygons import Polygons, plain_polygons
from supple.mesh.mesh import Mesh
from supple.mesh.obj.mtl import library_text, read_finishes
from supple.types import Ints


@dataclass(frozen=True)
class Counts:
    """Lines of each kind already in the file."""

    v: int = 0
    vt: int = 0
    vn: int = 0

    def after(self, vertices: int, polygons: Polygons | None, normals: int = 0) -> Counts:
        """The counts with one more mesh."""
        uv = 0 if polygons is None else len(polygons.uv)
        return Counts(self.v + vertices, self.vt + uv, self.vn + normals)


NOTHING = Counts()


def write_obj(mesh: Mesh, path: Path) -> None:
    """Write a surface; its original polygons are kept, materials go into a library beside the file."""
    polygons = plain_polygons(mesh.triangles) if mesh.polygons is None else mesh.polygons
    parts = []
    library = path.with_suffix(".mtl")
    if text := material_library(polygons, library.parent):
        _keep_or_write(library, text, polygons)
        parts.append(f"mtllib {library.name}\n")
    # enough digits to restore the same bits
    parts += [number_lines("v", mesh.vertices, ""), number_lines("vt", polygons.uv, "")]
    normals, rows = corner_normals(mesh.vertices, polygons)
    parts += [number_lines("vn", normals, ".6g"), face_lines(polygons, rows), edge_lines(mesh.edges)]
    _written(path, "".join(parts))


def material_library(polygons: Polygons, folder: Path) -> str:
    """The text of a library in the folder for the materials of the faces; empty if there are none."""
    names = polygons.materials.used_names()
    return library_text(polygons.finishes, names, folder) if names else ""


def _keep_or_write(library: Path, text: str, polygons: Polygons) -> None:
    """A library that has all the materials is kept: it may contain more than supple reads."""
    if not set(polygons.materials.used_names()) <= set(read_finishes(library.parent, [library.name])):
        _written(library, text)


def _written(path: Path, text: str) -> None:
    with placed(path) as new:
        new.write_text(text, encoding="utf-8")


def number_lines(word: str, rows: npt.NDArray[Any], digits: str) -> str:
    """A line for each row of numbers."""
    return "".join(f"{word} {' '.join(format(c, digits) for c in row)}\n" for row in rows.tolist())


def edge_lines(edges: Ints, before: Counts = NOTHING) -> str:
    """A line for each edge."""
    return "".join(f"l {a} {b}\n" for a, b in (edges + 1 + before.v).tolist())


def face_lines(
    polygons: Polygons, normals: npt.NDArray[np.int64] | None = None, before: Counts = NOTHING, objects: bool = True
) -> str:
    """A line for each face, and one wherever the object, group or material changes.

    `normals` (c,) has the row of the normal of each corner; without it none are written.
    """
    words = _corner_words(polygons, normals, before)
    labels = {"o": polygons.objects, "g": polygons.groups, "usemtl": polygons.materials}
    labels = {word: label for word, label in labels.items() if label.names and (objects or word != "o")}
    state: dict[str, int] = dict.fromkeys(labels, -1)
    lines, place = [], 0
    for face, count in enumerate(polygons.counts.tolist()):
        for word, label in labels.items():
            if (now := int(label.of[face])) != state[word]:
                state[word] = now
                lines.append(f"{word} {one_line(label.names[now]) if now >= 0 else _none(word)}".rstrip())
        lines.append("f " + " ".join(words[place : place + count]))
        place += count
    return "\n".join(lines) + "\n" if lines else ""


def _none(word: str) -> str:
    """The OBJ line for faces without a name of a kind."""
    return {"o": "", "g": "default", "usemtl": "(null)"}[word]


def _corner_words(polygons: Polygons, normals: npt.NDArray[np.int64] | None, before: Counts) -> list[str]:
    vertices: Iterable[int] = (polygons.corners + 1 + before.v).tolist()
    uv: list[int] = np.where(polygons.uv_corners < 0, 0, polygons.uv_corners + 1 + before.vt).tolist()
    vn = [0] * len(uv) if normals is None else np.where(normals < 0, 0, normals + 1 + before.vn).tolist()
    return [
        f"{v}/{t or ''}/{n}" if n else f"{v}/{t}" if t else str(v) for v, t, n in zip(vertices, uv, vn, strict=True)
    ]
