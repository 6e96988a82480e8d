"""A recorded run for display: the visible surfaces of bodies and obstacles, and the positions of all vertices at
any time.

A body with an embedded fine surface is shown by that surface: see fine_skins.py. Obstacles that are shapes are
not in the animation: the vertices of their surfaces follow the recorded ones, and move by scripts (see scenery.py).

Between two recorded frames, positions follow the cubic with the recorded positions and velocities at both ends
(Hermite), velocities its derivative; strain energies are interpolated linearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError, SuppleError
from supple.escaping import one_line
from supple.recording.clock import SPEED, FilmClock
from supple.recording.clouds import estimate_spacing, read_spacings
from supple.recording.fine_skins import dresses, shown_cells
from supple.recording.folder import RunFolder
from supple.recording.parts import Part, cut_parts
from supple.recording.playback import Animation, Singles, open_animation
from supple.recording.prop_tables import moved
from supple.recording.scenery import Scenery, read_scenery, with_triangles
from supple.types import Array, Ints

NEARLY = 1e-6
"""Tolerance for matching a time to a frame, as a fraction of the frame interval: sums of steps are not exact."""
LOOP = "loop"
"""Key of the metadata of an animation that can be repeated: its period [s]. Its last frame is the first one again."""
FAR = 1e3
"""Distance in sizes of the first frame beyond which a vertex has diverged; the others should stay visible."""
MOST_FRAMES = 100_000
"""Frames of a film or an export at another rate than that of the run: more than an hour."""
SURVEYED = 24
"""Largest number of frames used for the size of the ground."""


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


class Film:
    """The recorded frames of a run, `times` [s]."""

    def __init__(self, animation: Animation, folder: Path | None = None, coarse: bool = False) -> None:
        """`folder`: location of the scene and the fine surfaces of bodies; `coarse`: without the latter."""
        self._animation = animation
        self._dresses = dresses(animation, None if coarse else folder)
        self.fine = frozenset(dress.name for dress in self._dresses if dress.cover is not None)
        """Names of the bodies shown by an embedded surface."""
        self.closed = frozenset(dress.name for dress in self._dresses if dress.cover is not None and dress.cover.closed)
        """Bodies whose surface is known to be closed."""
        self.path = animation.path
        self.times: Array = animation.times
        self.metadata = animation.metadata
        self.clock = FilmClock.read(animation.metadata.get(SPEED))
        """Simulated time as a function of the playback times of this film."""
        if not len(self.times):
            raise RecordError(f"{animation.path}: contains no frame yet")
        self.recorded = sum(dress.vertices for dress in self._dresses)
        """Vertices of bodies and mesh obstacles; those of shapes come after them."""
        self.scenery = Scenery() if folder is None else read_scenery(folder)
        drawn = self.scenery.surfaces(*self._reach()) if self.scenery.props else []
        self._props = [(prop.script, x) for prop, (x, _) in drawn]
        self.vertices = self.recorded + sum(len(x) for _, x in self._props)
        cells = shown_cells(animation.cells, self._dresses) if self.fine else animation.cells
        self.cells = with_triangles(cells, self.recorded, [outline for _, outline in drawn]) if drawn else cells
        self.tets: Ints = self.cells.of_type(4).astype(np.int32)
        props = [(prop, len(x)) for prop, (x, _) in drawn]
        self.parts = tuple(cut_parts(self.cells, self._dresses, props, self.scenery))
        """Bodies, mesh obstacles, then obstacles that are shapes."""

    @property
    def up(self) -> str:
        """Axis that points up."""
        return str(self.metadata.get("up", "y"))

    @property
    def loops(self) -> bool:
        """Whether it can be repeated: its last frame equals the first one and must not be shown twice."""
        return LOOP in self.metadata and len(self.times) > 1

    def __len__(self) -> int:
        return len(self.times)

    def spacing(self, part: Part) -> float:
        """Point spacing of a cloud [m]: the cube root of the volume per point, as recorded or from distances."""
        known = read_spacings(self.metadata).get(part.name)
        return known or estimate_spacing(self.frame(0).x[part.vertices])

    def frame(self, k: int) -> Moment:
        """The recorded frame k."""
        return self._shown(self._recorded_frame(k))

    def at(self, t: float) -> Moment:
        """Any time between the first and the last frame; recorded frames are returned unchanged.

        A time that differs from a recorded one only by round-off (k / fps against a sum of steps) counts as recorded.
        """
        t = self._recorded_time(t, 0)
        if not self.times[0] <= t <= self.times[-1]:
            raise RecordError(
                f"{self.path}: found time {t:g} s, but the run covers {self.times[0]:g} to {self.times[-1]:g} s"
            )
        k = int(np.searchsorted(self.times, t))
        if self.times[k] == t:
            return self.frame(k)
        return self._shown(between(self._recorded_frame(k - 1), self._recorded_frame(k), t))

    def sample(self, fps: float | None = None, start: float | None = None, stop: float | None = None) -> Array:
        """Times [s] of a sequence: `fps` frames per second from `start` to `stop`, or the recorded ones between."""
        first, last = self._recorded_time(start, 0), self._recorded_time(stop, -1)
        if not self.times[0] <= first <= last <= self.times[-1]:
            raise RecordError(
                f"{self.path}: found {first:g} to {last:g} s, but the run covers {self.times[0]:g} to {self.times[-1]:g} s"
            )
        ends = self.loops and stop is None
        if fps is None:
            return self.times[(self.times >= first) & ((self.times < last) if ends else (self.times <= last))]
        if ends:
            return turn(first, last, fps)
        demand_frames((last - first) * fps)
        # a last frame that lies outside only by round-off is still included
        count = int(np.floor((last - first) * fps * (1 + 1e-12) + 1e-9)) + 1
        return np.minimum(first + np.arange(count) / fps, last)

    def _slack(self, k: int) -> float:
        """Tolerance [s] for matching a time to frame k."""
        k = max(k, 1)
        return NEARLY * float(self.times[k] - self.times[k - 1]) if len(self.times) > 1 else 0.0

    def _recorded_frame(self, k: int) -> Moment:
        a = self._animation
        return Moment(float(self.times[k]), a.points(k), a.velocities(k), a.energies(k))

    def _shown(self, moment: Moment) -> Moment:
        """Positions with embedded fine surfaces instead of their bodies, and with the shapes."""
        if not self.fine and not self._props:
            return moment
        seen = [dress.seen(moment.x, moment.v, moment.energy) for dress in self._dresses]
        for script, points in self._props:
            x, v = moved(points, script, self.clock.simulated(moment.t))
            v = self.clock.speed_at(moment.t) * v
            seen.append((_single(x), _single(v), np.zeros(len(x), dtype=np.float32)))
        return Moment(moment.t, *(_single(np.concatenate(values)) for values in zip(*seen, strict=True)))

    def _reach(self) -> tuple[Array, Array]:
        """The bounding box of recorded vertices, except diverged ones; from some of the frames."""
        first = self._animation.points(0)
        middle, size = first.mean(axis=0), float(np.ptp(first, axis=0).max())
        some = np.unique(np.linspace(0, len(self.times) - 1, SURVEYED).round().astype(int))
        points = np.concatenate([self._animation.points(int(k)) for k in some]).astype(np.float64)
        with np.errstate(invalid="ignore"):
            points = points[np.abs(points - middle).max(axis=1) <= FAR * size]
        return (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))

    def _recorded_time(self, t: float | None, otherwise: int) -> float:
        """The recorded time matching t, or t itself between two frames; None means frame `otherwise`."""
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
    """The film of a run folder; `coarse`: simulated bodies without embedded fine surfaces."""
    animation = open_animation(folder.animation)
    try:
        return Film(animation, folder.path, coarse)
    except SuppleError:
        animation.close()
        raise


def demand_frames(count: float) -> None:
    """Refuse more frames than anybody watches, which are a mistake in the frame rate or the pace."""
    if count > MOST_FRAMES:
        raise RecordError(
            f"--fps: about {count:.3g} frames would be written, at most {MOST_FRAMES:,} are allowed; give a lower rate"
        )


def turn(first: float, last: float, fps: float) -> Array:
    """Times [s] of a repeated film: a whole number of frames, the next of which would be the first."""
    demand_frames((last - first) * fps)
    count = max(1, round((last - first) * fps))
    return np.asarray(first + np.arange(count) * ((last - first) / count), dtype=float)


def body_ranges(names_and_sizes: list[tuple[str, int]]) -> str:
    """Vertex counts of the bodies, in order, as text for an animation."""
    return "\n".join(f"{size} {one_line(name)}" for name, size in names_and_sizes)


def between(a: Moment, b: Moment, t: float) -> Moment:
    """Cubic interpolation between two recorded moments."""
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
