"""A recorded run as whoever shows it needs it: the bodies' visible surfaces, and where all vertices are at any time.

Of a coarse body that stands for a fine one the fine surface is shown: see fine_skins.py.

Between two recorded frames positions follow the cubic that has the recorded positions and velocities at both ends
(Hermite), velocities its derivative; strain energies go linearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError, SuppleError
from supple.mesh.topology import boundary_triangles
from supple.recording.cells import Cells
from supple.recording.fine_skins import Dress, dresses, shown_cells
from supple.recording.folder import RunFolder
from supple.recording.playback import Animation, Singles, open_animation
from supple.types import Array, Ints

NEARLY = 1e-6
"""Part of the time between two frames by which a time may miss one and still be that frame: sums of steps are not exact."""


@dataclass(frozen=True)
class Moment:
    """All vertices at one time."""

    t: float
    x: Singles
    """(n, 3) positions [m]."""
    v: Singles
    """(n, 3) velocities [m/s]."""
    energy: Singles
    """(n,) strain energy density [J/m^3]."""


@dataclass(frozen=True)
class Part:
    """What can be seen of one body. `faces` and `edges` count within `vertices`."""

    name: str
    vertices: Ints
    """(k,) vertices of the film that lie on the surface, ascending."""
    faces: Ints
    """(f, 3) triangles, counterclockwise seen from outside."""
    edges: Ints
    """(e, 2) lines that belong to no triangle and no tet: ropes and springs."""
    span: tuple[int, int]
    """First vertex of the whole body in the film, and the one after its last."""


class Film:
    """The recorded frames of a run, `times` [s]."""

    def __init__(self, animation: Animation, folder: Path | None = None) -> None:
        """`folder`: where fine surfaces of coarse bodies are looked for."""
        self._animation = animation
        self._dresses = dresses(animation, folder)
        self.fine = frozenset(dress.name for dress in self._dresses if dress.map is not None)
        """Names of the bodies that are shown by a fine surface, the closed one of a solid."""
        self.path = animation.path
        self.times: Array = animation.times
        self.metadata = animation.metadata
        self.vertices = sum(dress.vertices for dress in self._dresses)
        self.cells = shown_cells(animation.cells, self._dresses) if self.fine else animation.cells
        self.tets: Ints = self.cells.of_type(4).astype(np.int32)
        self.parts = tuple(_parts(self.cells, self.tets, self._dresses))
        if not len(self.times):
            raise RecordError(f"{animation.path}: there is no frame in it yet")

    @property
    def up(self) -> str:
        """Axis that points up."""
        return str(self.metadata.get("up", "y"))

    def __len__(self) -> int:
        return len(self.times)

    def frame(self, k: int) -> Moment:
        """The recorded frame k."""
        return self._shown(self._recorded_frame(k))

    def at(self, t: float) -> Moment:
        """Any time between the first and the last frame; recorded frames come as they were recorded.

        A time that rounding keeps from being a recorded one (k / fps against a sum of steps) counts as recorded.
        """
        t = self._recorded_time(t, 0)
        if not self.times[0] <= t <= self.times[-1]:
            raise RecordError(
                f"{self.path}: time {t:g} s was asked for, the run has {self.times[0]:g} to {self.times[-1]:g} s"
            )
        k = int(np.searchsorted(self.times, t))
        if self.times[k] == t:
            return self.frame(k)
        return self._shown(_between(self._recorded_frame(k - 1), self._recorded_frame(k), t))

    def sample(self, fps: float | None = None, start: float | None = None, stop: float | None = None) -> Array:
        """Times [s] of a sequence: `fps` frames for each second from `start` to `stop`, or the recorded ones between."""
        first, last = self._recorded_time(start, 0), self._recorded_time(stop, -1)
        if not self.times[0] <= first <= last <= self.times[-1]:
            raise RecordError(
                f"{self.path}: {first:g} to {last:g} s was asked for, the run has {self.times[0]:g} to {self.times[-1]:g} s"
            )
        if fps is None:
            return self.times[(self.times >= first) & (self.times <= last)]
        # a last frame that rounding puts a hair's breadth outside is still wanted
        count = int(np.floor((last - first) * fps * (1 + 1e-12) + 1e-9)) + 1
        return np.minimum(first + np.arange(count) / fps, last)

    def _slack(self, k: int) -> float:
        """How far [s] a time may be from that of frame k to be the same."""
        k = max(k, 1)
        return NEARLY * float(self.times[k] - self.times[k - 1]) if len(self.times) > 1 else 0.0

    def _recorded_frame(self, k: int) -> Moment:
        a = self._animation
        return Moment(float(self.times[k]), a.points(k), a.velocities(k), a.energies(k))

    def _shown(self, moment: Moment) -> Moment:
        """With fine surfaces in place of coarse bodies."""
        if not self.fine:
            return moment
        seen = [dress.seen(moment.x, moment.v, moment.energy) for dress in self._dresses]
        return Moment(moment.t, *(_single(np.concatenate(values)) for values in zip(*seen, strict=True)))

    def _recorded_time(self, t: float | None, otherwise: int) -> float:
        """The recorded time that t means, or t itself if it lies between two; None is that of frame `otherwise`."""
        if t is None:
            return float(self.times[otherwise])
        k = int(np.abs(self.times - t).argmin())
        return float(self.times[k]) if abs(self.times[k] - t) <= self._slack(k) else t

    def close(self) -> None:
        self._animation.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_film(folder: RunFolder, coarse: bool = False) -> Film:
    """The film of a run folder; `coarse`: coarse bodies as they were simulated, without their fine surfaces."""
    animation = open_animation(folder.animation)
    try:
        return Film(animation, None if coarse else folder.path)
    except SuppleError:
        animation.close()
        raise


def body_ranges(names_and_sizes: list[tuple[str, int]]) -> str:
    """How many vertices each body has, in order, as the text that an animation keeps."""
    return "\n".join(f"{size} {name}" for name, size in names_and_sizes)


def _parts(cells: Cells, tets: Ints, worn: list[Dress]) -> list[Part]:
    triangles, edges = (cells.of_type(corners).astype(np.int32) for corners in (3, 2))
    faces = np.concatenate([boundary_triangles(tets).astype(np.int32), triangles])
    parts, first = [], 0
    for dress in worn:
        end = first + dress.vertices
        mine = [cells[(cells[:, 0] >= first) & (cells[:, 0] < end)] for cells in (faces, edges)]
        seen = np.unique(np.concatenate([cells.ravel() for cells in mine])).astype(np.int32)
        local_faces, local_edges = (np.searchsorted(seen, cells).astype(np.int32) for cells in mine)
        parts.append(Part(dress.name, seen, local_faces, local_edges, (first, end)))
        first = end
    return parts


def _between(a: Moment, b: Moment, t: float) -> Moment:
    h = b.t - a.t
    s = (t - a.t) / h
    x0, x1, v0, v1 = (np.asarray(m, dtype=np.float64) for m in (a.x, b.x, a.v, b.v))
    # x = x0 + s h v0 + s^2 (3 d - 2 h v0 - h v1) + s^3 (h v0 + h v1 - 2 d),  d = x1 - x0
    d = x1 - x0
    square, cube = 3 * d - 2 * h * v0 - h * v1, h * v0 + h * v1 - 2 * d
    x = x0 + s * (h * v0 + s * (square + s * cube))
    v = v0 + (2 * s * square + 3 * s * s * cube) / h
    return Moment(t, _single(x), _single(v), _single((1 - s) * a.energy + s * b.energy))


def _single(values: npt.NDArray[np.floating]) -> Singles:
    return np.ascontiguousarray(values, dtype=np.float32)
