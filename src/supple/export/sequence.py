"""Content of an export: bodies with constant faces, and their vertex positions per frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from supple.errors import RecordError
from supple.export.axes import KEPT, Turn
from supple.export.physics.physics import Physics
from supple.mesh.faces.polygons import Polygons
from supple.recording.film import Film
from supple.recording.playback import Singles
from supple.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Body:
    """The constant data of a body or an obstacle. `faces`, `edges` and `tets` count within the body's own `n` vertices."""

    name: str
    n: int
    faces: Ints
    """(f, 3) triangles, counterclockwise seen from outside."""
    edges: Ints
    """(e, 2) lines that belong to no triangle and no tet: ropes and springs."""
    tets: Ints
    """(m, 4) tets; none for surface-only formats."""
    closed: bool
    """Whether the faces are the surface of a solid, so back faces are hidden."""
    pick: Callable[[Singles], Singles]
    """From the values at all vertices of the film to those at the vertices of this body."""
    colour: str
    """`#rrggbb`"""
    obstacle: bool = False
    """Whether it is an obstacle."""
    still: bool = False
    """Whether it is static, so one frame suffices."""
    polygons: Polygons | None = None
    """The faces of the model that the triangles were cut from, with texture coordinates and names."""
    spacing: float = 0.0
    """Point spacing of a cloud [m]; 0 for other bodies."""

    @property
    def cloud(self) -> bool:
        """Whether it is a point cloud, without faces or edges."""
        return self.spacing > 0.0

    @property
    def points(self) -> Ints:
        """(n, 1) the vertices of a cloud as cells."""
        return np.arange(self.n if self.cloud else 0, dtype=np.int32)[:, None]

    @property
    def loops(self) -> tuple[Ints, Ints]:
        """(f,) corners of each face, and the vertices of all corners: polygons of the model, or the triangles."""
        if self.polygons is not None:
            return self.polygons.counts, self.polygons.corners
        return np.full(len(self.faces), 3, dtype=np.int32), self.faces.ravel()

    @property
    def painted(self) -> bool:
        """Whether it has materials of its model, which take precedence over its colour."""
        return self.polygons is not None and bool(self.polygons.materials.used_names())


@dataclass(frozen=True)
class Pose:
    """One body at one time."""

    x: Singles
    """(n, 3) positions, in the units and axes of the export."""
    v: Singles
    """(n, 3) velocities, per second."""
    energy: Singles
    """(n,) strain energy density [J/m^3]."""


@dataclass(frozen=True)
class Instant:
    """All bodies at one time [s]."""

    t: float
    poses: tuple[Pose, ...]


@dataclass(frozen=True)
class Sequence:
    """The bodies of a film at the times of an export."""

    film: Film
    title: str
    bodies: tuple[Body, ...]
    times: Array
    fps: float
    """Frames per second; the mean for uneven times."""
    first: int = 1
    """Number of the first frame, for formats that count frames."""
    scale: float = 1.0
    """Length units per metre."""
    turn: Turn = KEPT
    """From the axes of the run to those of the export."""
    energy_colours: bool = False
    """Colour by strain energy instead of one colour per body, where supported."""
    physics: Physics | None = None
    """The set-up of the run, if exported."""

    def __len__(self) -> int:
        return len(self.times)

    @property
    def up(self) -> str:
        """Axis that points up in the export."""
        return self.turn.moved(self.film.up)

    @property
    def numbers(self) -> range:
        """The numbers of the frames."""
        return range(self.first, self.first + len(self))

    @property
    def vertices(self) -> int:
        """Number of vertices of all bodies."""
        return sum(body.n for body in self.bodies)

    def turned(self, up: str) -> Sequence:
        """The same with another axis up."""
        return replace(self, turn=Turn.to(self.film.up, up))

    def frames(self) -> Iterator[Instant]:
        """All frames in order; each is read on demand."""
        for t in self.times:
            moment = self.film.at(float(t))
            poses = tuple(
                Pose(self._placed(b.pick(moment.x)), self._placed(b.pick(moment.v)), b.pick(moment.energy))
                for b in self.bodies
            )
            if not all(np.isfinite(pose.x).all() for pose in poses):
                raise RecordError(
                    f"{self.film.path}: positions at {t:g} s are not finite because the run diverged; "
                    "export the earlier part with --stop"
                )
            yield Instant(float(t), poses)

    def _placed(self, values: Singles) -> Singles:
        turned = self.turn(values)
        return turned if self.scale == 1.0 else turned * np.float32(self.scale)
