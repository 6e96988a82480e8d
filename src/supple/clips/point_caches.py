"""PC2 and MDD: positions of one object, frame after frame, memory-mapped.

The faces are read from the mesh that a cache belongs to: supple writes it beside the cache, as `NAME.pc2.obj`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.clips.clip import Clip, Faces, triangle_faces
from supple.clips.clip_file import ClipFile
from supple.errors import MeshError, SuppleError
from supple.types import Array

_PC2, _MDD = "<12siiffi", ">ii"


class PointCacheFile(ClipFile):
    """The common part of both readers."""

    @property
    def objects(self) -> Sequence[str]:
        return (self.path.stem,)

    def clip(self, name: str) -> Clip:
        times, n, start, kind = self.header()
        self._check_size(len(times), n, start)
        positions = np.memmap(self.path, dtype=kind, mode="r", offset=start, shape=(len(times), n, 3))
        return Clip(self.file, name, times, positions, self._faces(n), timed=kind == ">f4")

    def header(self) -> tuple[Array, int, int, str]:
        """Times, number of vertices, offset of positions, and their type."""
        raise TypeError(f"{type(self).__name__} does not define its header")

    def _begin(self, form: str) -> tuple[Any, ...]:
        try:
            with self.path.open("rb") as file:
                return struct.unpack(form, file.read(struct.calcsize(form)))
        except OSError as error:
            raise SuppleError(f"{self.file}: cannot be read: {error.strerror or error}") from error
        except struct.error:
            raise self._broken("it ends within its header") from None

    def _broken(self, why: str) -> SuppleError:
        return SuppleError(f"{self.file}: is not a {self.title} file: {why}; export it again")

    def _check_size(self, frames: int, n: int, start: int) -> None:
        if frames <= 0:
            raise SuppleError(f"{self.file}: '{self.path.stem}' has no frames; export at least one")
        if n <= 0:
            raise SuppleError(f"{self.file}: '{self.path.stem}' has no vertices; export an object that has some")
        size, wanted = self.path.stat().st_size, start + 12 * frames * n
        if size < wanted:
            there = max(0, size - start) // (12 * n)
            raise SuppleError(
                f"{self.file}: {frames - there} of {frames} frames are missing: the header promises {wanted:,} bytes, the "
                f"file has {size:,}; was the export interrupted?"
            )

    def _faces(self, n: int) -> Faces | None:
        """The faces of the mesh beside the cache, if it matches."""
        from supple.mesh.formats import read_mesh

        beside = self.path.with_name(f"{self.path.name}.obj")
        if not beside.is_file():
            return None
        try:
            mesh = read_mesh(beside)
        except MeshError:
            return None
        if mesh.n != n or not len(mesh.triangles):
            return None
        polygons = mesh.polygons
        return triangle_faces(mesh.triangles) if polygons is None else Faces(polygons.counts, polygons.corners)


class Pc2File(PointCacheFile):
    """Frames are `step` apart on a clock of frames, whose rate the format does not specify."""

    title = "PC2"

    def header(self) -> tuple[Array, int, int, str]:
        mark, version, n, first, step, frames = self._begin(_PC2)
        if bytes(mark).rstrip(b"\0") != b"POINTCACHE2" or version != 1:
            raise self._broken("it does not begin with POINTCACHE2, version 1")
        if not (np.isfinite(first) and np.isfinite(step) and step > 0):
            raise self._broken(f"frames are {step:g} apart")
        start = struct.calcsize(_PC2)
        self._check_size(frames, n, start)  # before memory is allocated for the times
        return first + step * np.arange(frames), n, start, "<f4"


class MddFile(PointCacheFile):
    """Every frame has its time [s], in single precision."""

    title = "MDD"

    def header(self) -> tuple[Array, int, int, str]:
        frames, n = self._begin(_MDD)
        start = struct.calcsize(_MDD) + 4 * max(frames, 0)
        if frames < 0 or n < 0 or start > self.path.stat().st_size:
            raise self._broken(f"its header promises {frames} frames of {n} vertices")
        raw = np.fromfile(self.path, dtype=">f4", offset=struct.calcsize(_MDD), count=frames) if frames else np.empty(0)
        return raw.astype(np.float64), n, start, ">f4"
