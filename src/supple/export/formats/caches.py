"""Common part of the point caches PC2 and MDD: a cache for each body, and the mesh of its first frame as OBJ.

A cache holds positions only, in the order of the vertices of the mesh.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from supple.escaping import file_parts, one_line
from supple.export.format import Format
from supple.export.formats.obj import cell_lines, vertex_lines
from supple.export.sequence import Body, Instant, Sequence


class PointCache(Format):
    """Header, then the positions of every frame as float32."""

    even = True
    clouds = False
    shapes = False  # static bodies need no cache
    kind = "<f4"
    """Order of bytes, as numpy calls it."""

    def header(self, sequence: Sequence, body: Body) -> bytes:
        """Bytes before the positions."""
        raise TypeError(f"{type(self).__name__} does not implement its header")

    def outputs(self, out: Path, sequence: Sequence) -> tuple[Path, ...]:
        names = [out]
        if len(sequence.bodies) > 1:
            plain = file_parts(body.name for body in sequence.bodies)
            names = [out.with_name(f"{out.stem}-{name}{out.suffix}") for name in plain]
        return tuple(path for name in names for path in (name, name.with_name(f"{name.name}.obj")))

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        places = list(paths.values())
        caches, meshes = places[::2], places[1::2]
        with ExitStack() as stack:
            files = [stack.enter_context(cache.open("wb")) for cache in caches]
            for file, body in zip(files, sequence.bodies, strict=True):
                file.write(self.header(sequence, body))
            for k, frame in enumerate(frames):
                for file, mesh, body, pose in zip(files, meshes, sequence.bodies, frame.poses, strict=True):
                    file.write(np.ascontiguousarray(pose.x, dtype=self.kind).data)
                    if k == 0:
                        text = f"o {one_line(body.name)}\n{vertex_lines(pose.x)}{cell_lines(body)}"
                        mesh.write_text(text, encoding="utf-8")
        return []
