"""Wavefront OBJ: a folder with one file a frame, and one of colours. Numbers are written so that reading gives back the same
bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from supple.export import FORMATS
from supple.export.colours import own_colour
from supple.export.format import Format
from supple.export.sequence import Body, Instant, Sequence
from supple.recording.playback import Singles
from supple.types import Ints


@FORMATS("obj")
class ObjSequence(Format):
    title = "OBJ: a folder with a mesh for each frame"

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        [(out, folder)] = paths.items()
        folder.mkdir()
        cells, first = [], 1
        for body in sequence.bodies:
            cells.append(f"usemtl {_material(body)}\n{cell_lines(body, first)}")
            first += body.n
        colours = "".join(f"newmtl {_material(body)}\n{_colour_line(body)}" for body in sequence.bodies)
        (folder / f"{out.name}.mtl").write_text(colours, encoding="utf-8")
        for number, frame in zip(sequence.numbers, frames, strict=True):
            texts = (
                f"o {body.name}\n{vertex_lines(pose.x)}{lines}"
                for body, pose, lines in zip(sequence.bodies, frame.poses, cells, strict=True)
            )
            text = "".join((f"mtllib {out.name}.mtl\n", *texts))
            (folder / f"{out.name}_{number:04d}.obj").write_text(text, encoding="utf-8")
        return []


def vertex_lines(x: Singles) -> str:
    """A line for each vertex; nine digits are enough for any float32."""
    return "".join(f"v {a:.9g} {b:.9g} {c:.9g}\n" for a, b, c in x.tolist())


def cell_lines(body: Body, first: int = 1) -> str:
    """A line for each face and edge; `first` is the number of the body's first vertex in the file."""
    return _lines("f", body.faces, first) + _lines("l", body.edges, first)


def _material(body: Body) -> str:
    """One word: not all readers go on after the first."""
    return "_".join(body.name.split())


def _colour_line(body: Body) -> str:
    """The format does not say which space colours are in; Blender writes and reads linear ones."""
    return f"Kd {' '.join(f'{channel:.5f}' for channel in own_colour(body).tolist())}\n"


def _lines(letter: str, cells: Ints, first: int) -> str:
    return "".join(f"{letter} {' '.join(map(str, row))}\n" for row in (cells + first).tolist())
