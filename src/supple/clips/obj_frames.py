"""A sequence of OBJ files: `frames/*.obj`, one file per frame, ordered by the number at the end of their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from supple.clips.clip import Clip, Faces
from supple.clips.clip_file import ClipFile
from supple.errors import MeshError, SuppleError
from supple.mesh.mesh import Mesh

_NUMBER = re.compile(r"(\d+)(?=\D*$)")


class ObjFrames(ClipFile):
    title = "sequence of OBJ files"

    @property
    def file(self) -> str:
        return str(Path(self.path.parent.name) / self.path.name)

    @cached_property
    def files(self) -> tuple[tuple[int, Path], ...]:
        """Numbers and files of all frames in order; a gap in the numbers is an error."""
        found = sequence_files(self.path)
        if not found:
            raise SuppleError(f"{self.file}: no file fits this pattern in {self.path.parent}")
        numbered = [(_NUMBER.search(path.stem), path) for path in found]
        nameless = [path.name for number, path in numbered if number is None]
        if nameless and len(found) > 1:
            raise SuppleError(f"{self.file}: {nameless[0]} has no number; name the files like walk_0001.obj")
        frames = sorted((int(number[1]) if number else 0, path) for number, path in numbered)
        numbers = [number for number, _ in frames]
        step = min((b - a for a, b in pairwise(numbers)), default=1)
        if step == 0:
            twice = next(a for a, b in pairwise(numbers) if a == b)
            raise SuppleError(f"{self.file}: two files have the number {twice}; move one of them away")
        missing = sorted(set(range(numbers[0], numbers[-1] + 1, step)) - set(numbers))
        if missing:
            shown = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
            raise SuppleError(
                f"{self.file}: {len(missing)} frames are missing from {numbers[0]} to {numbers[-1]}: {shown}; write them again"
            )
        return tuple(frames)

    @cached_property
    def first(self) -> Mesh:
        """The mesh of the first frame."""
        return _read(self.files[0][1])

    @cached_property
    def objects(self) -> Sequence[str]:
        polygons = self.first.polygons
        named = () if polygons is None else polygons.objects.used_names()
        return tuple(named) if len(named) > 1 else (named[0] if named else self.path.parent.name or "frames",)

    def clip(self, name: str) -> Clip:
        rows = self._rows(name)
        frames = []
        for _, path in self.files:
            mesh = self.first if path == self.files[0][1] else _read(path)
            if mesh.n != self.first.n:
                raise SuppleError(
                    f"{self.file}: {path.name} has {mesh.n} vertices, the first frame has {self.first.n}; a clip keeps its "
                    "vertices: export all frames of the same mesh"
                )
            frames.append(mesh.vertices[rows])
        times = np.array([number for number, _ in self.files], dtype=np.float64)
        step = times[1] - times[0] if len(times) > 1 else 1.0
        faces, edges = self._faces(name, rows)
        return Clip(self.file, name, times / step, np.array(frames), faces, edges, timed=False)

    def _rows(self, name: str) -> np.ndarray:
        """Vertices of an object."""
        if len(self.objects) == 1:
            return np.arange(self.first.n)
        return np.asarray(self.first.groups[name])

    def _faces(self, name: str, rows: np.ndarray) -> tuple[Faces | None, np.ndarray | None]:
        polygons = self.first.polygons
        number = np.searchsorted(rows, np.arange(self.first.n)).astype(np.int32)
        if polygons is None:
            return None, self.first.edges
        if len(self.objects) > 1:
            polygons = polygons.kept(polygons.objects.of == polygons.objects.names.index(name))
        edges = (
            self.first.edges[np.isin(self.first.edges, rows).all(axis=1)] if len(self.first.edges) else self.first.edges
        )
        return Faces(polygons.counts, number[polygons.corners]), number[edges]


def sequence_files(pattern: Path) -> list[Path]:
    """All files that fit a pattern with * or ? in its last part."""
    return sorted(path for path in pattern.parent.glob(pattern.name) if path.is_file())


def _read(path: Path) -> Mesh:
    from supple.mesh.formats import read_mesh

    try:
        return read_mesh(path)
    except MeshError as error:
        raise SuppleError(str(error)) from None
