"""Wavefront OBJ: a folder with one file per frame. Numbers are written so that reading restores the same bits.

A body from a model has the model's polygons, texture coordinates, groups and materials, with the model's smooth and
hard normals. Others have one material each, with their colour. A point cloud is written as its surface, which has
different triangles in every frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from supple.escaping import one_line, word
from supple.export import FORMATS
from supple.export.clouds import Clouds
from supple.export.colours import own_colour
from supple.export.format import Format
from supple.export.sequence import Body, Instant, Sequence
from supple.mesh.faces.normals import corner_normals, sharing
from supple.mesh.faces.polygons import Finish, plain_polygons
from supple.mesh.obj.mtl import library_text
from supple.mesh.obj.writer import NOTHING, Counts, edge_lines, face_lines, number_lines
from supple.recording.playback import Singles


@FORMATS("obj")
class ObjSequence(Format):
    title = "OBJ: a folder with a mesh for each frame"

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        [(out, folder)] = paths.items()
        folder.mkdir()
        head = _head(sequence, out, folder)
        clouds = Clouds(sequence)
        cells = [] if clouds.names else _all_cells(sequence.bodies)
        for number, frame in zip(sequence.numbers, frames, strict=True):
            shown = clouds.shown(frame)
            lines = cells or _all_cells([body for body, _ in shown])
            texts = (
                f"o {one_line(body.name)}\n{vertex_lines(x)}{_normal_lines(body, x)}{own}"
                for (body, x), own in zip(shown, lines, strict=True)
            )
            (folder / f"{out.name}_{number:04d}.obj").write_text(head + "".join(texts), encoding="utf-8")
        return clouds.notes()


def _all_cells(bodies: Iterable[Body]) -> list[str]:
    """The lines of each body that do not depend on positions."""
    cells, counts = [], NOTHING
    for body in bodies:
        own = "" if body.painted else f"usemtl {_own_material(body)}\n"
        cells.append(own + cell_lines(body, counts, normals=True))
        normals = 0 if body.polygons is None else sharing(body.polygons)[2]
        counts = counts.after(body.n, body.polygons, normals)
    return cells


def vertex_lines(x: Singles) -> str:
    """A line for each vertex; nine digits are enough for any float32."""
    return number_lines("v", x, ".9g")


def cell_lines(body: Body, before: Counts = NOTHING, normals: bool = False) -> str:
    """A line for each texture coordinate, face and edge; `before`: counts already in the file."""
    polygons = plain_polygons(body.faces) if body.polygons is None else body.polygons
    rows = sharing(polygons)[0] if normals else None
    # the body is already a separate object
    faces = face_lines(polygons, rows, before, objects=False)
    return number_lines("vt", polygons.uv, "") + faces + edge_lines(body.edges, before)


def _normal_lines(body: Body, x: Singles) -> str:
    if body.polygons is None or not body.polygons.has_normals:
        return ""
    return number_lines("vn", corner_normals(x.astype(np.float64), body.polygons)[0], ".6g")


def _head(sequence: Sequence, out: Path, folder: Path) -> str:
    """Write one library with the materials of all bodies; returns the line that names it."""
    models = [body.polygons for body in sequence.bodies if body.polygons is not None]
    finishes = {name: finish for model in models for name, finish in model.finishes.items()}
    names = dict.fromkeys(name for model in models for name in model.materials.used_names())
    for body in (body for body in sequence.bodies if not body.painted):
        # a library does not specify the colour space; Blender assumes linear
        r, g, b = own_colour(body).tolist()
        finishes[_own_material(body)] = Finish((r, g, b))
        names[_own_material(body)] = None
    (folder / f"{out.name}.mtl").write_text(library_text(finishes, names, out), encoding="utf-8")
    return f"mtllib {one_line(out.name)}.mtl\n"


def _own_material(body: Body) -> str:
    """One word: not all readers continue after the first."""
    return word(body.name)
