"""A clip: the vertex positions of one object of a file, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.clips.space import Space
from supple.errors import SuppleError
from supple.mesh.faces.polygons import Labels, Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

Positions = npt.NDArray[Any]
"""(frames, n, 3) floats of any size and byte order; the array may be memory-mapped."""
EVEN = 1e-3
"""Fraction of a frame by which the times of a uniform clip may vary, as single-precision times do."""


@dataclass(frozen=True, eq=False)
class Faces:
    """Polygons: `counts` (f,) corners of each face, and the vertices of all corners, counterclockwise seen from outside."""

    counts: Ints
    corners: Ints

    def __len__(self) -> int:
        return len(self.counts)

    def triangles(self, x: Array) -> Ints:
        """(t, 3) triangulation of the faces for vertices at x (n, 3)."""
        places, _ = triangulated(x, self.counts, self.corners)
        made: Ints = self.corners[places].astype(np.int32).reshape(-1, 3)
        return made

    def polygons(self) -> Polygons:
        """The same for a mesh, without texture coordinates and names."""
        none, no_face = np.full(len(self.corners), -1, np.int32), Labels((), np.full(len(self), -1, np.int32))
        return Polygons(self.counts, self.corners, np.empty((0, 2)), none, none, no_face, no_face, no_face)


def triangle_faces(triangles: npt.NDArray[Any]) -> Faces:
    """Triangles (t, 3) as faces."""
    return Faces(np.full(len(triangles), 3, np.int32), np.ascontiguousarray(triangles, dtype=np.int32).ravel())


@dataclass(frozen=True, eq=False)
class Clip:
    """One object of a file in motion, in the units and axes of the file."""

    file: str
    """Name of the file, for messages."""
    name: str
    """Name of the object in it."""
    times: Array
    """(frames,) [s], or frame numbers if the format has no clock."""
    positions: Positions
    faces: Faces | None = None
    edges: Ints | None = None
    """(e, 2) lines that belong to no face."""
    space: Space = field(default_factory=Space)
    timed: bool = True
    """Whether the times are seconds."""

    def __post_init__(self) -> None:
        if len(self.times) != len(self.positions):
            raise SuppleError(
                f"{self.file}: '{self.name}' has {len(self.times)} times for {len(self.positions)} frames; export it again"
            )

    def __len__(self) -> int:
        return len(self.times)

    @property
    def n(self) -> int:
        """Vertices."""
        return int(self.positions.shape[1])

    @property
    def still(self) -> bool:
        """Whether it has one frame only."""
        return len(self) == 1

    def frame(self, k: int) -> Array:
        """(n, 3) positions of a frame."""
        made: Array = np.ascontiguousarray(self.positions[k], dtype=np.float64)
        return made

    def seconds(self, fps: float | None) -> Array:
        """(frames,) since the first frame [s]; `fps` overrides the clock of the file."""
        since = self.times - self.times[0]
        if fps is None:
            if not self.timed and len(self) > 1:
                raise SuppleError(f"{self.file}: the format has no clock; give the frames per second, such as fps = 24")
            return since
        rate = self.rate if self.timed else 1.0
        return since if rate is None else since * (rate / fps)

    @cached_property
    def rate(self) -> float | None:
        """Frames per second, the median for nonuniform clips; None for a clip with one frame, or without a clock."""
        if len(self) < 2 or not self.timed:
            return None
        spacing = float(np.median(np.diff(self.times)))
        rate = 1.0 / spacing if spacing > 0 else None
        # times in single precision give 23.99998
        return round(rate) if rate is not None and abs(rate - round(rate)) < EVEN * rate and round(rate) else rate

    def box(self) -> tuple[Array, Array]:
        """Low and high corner of the first frame, in file units."""
        x = self.frame(0)
        return x.min(axis=0), x.max(axis=0)

    def mesh(self) -> Mesh:
        """The first frame, in file units; polygons are kept beside the triangles."""
        x = self.frame(0)
        edges = np.empty((0, 2), np.int32) if self.edges is None else self.edges
        if self.faces is None or not len(self.faces):
            return Mesh(x, edges)
        plain = bool((self.faces.counts == 3).all())
        return Mesh(x, edges, self.faces.triangles(x), polygons=None if plain else self.faces.polygons())
