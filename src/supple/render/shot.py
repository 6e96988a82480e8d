"""The fixed settings of a film: runs, sizes, camera, ground and colour scale; small enough for other processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.recording.film import Film, Moment, demand_frames, turn
from supple.render.camera import Aims, Camera, View
from supple.render.cameras.file_camera import FileCamera
from supple.render.cameras.track import Track
from supple.render.cameras.turntable import Turntable, fit_all_around
from supple.render.colouring import Colouring, choose_colouring
from supple.render.drawing.ground import CELLS, Ground
from supple.render.framing import bodies_at, ground_of, main_light, obstacles_near, worth_seeing
from supple.render.layout import Layout, side_by_side
from supple.render.looks.coats import Coat, coats_of
from supple.render.looks.direction import PLAIN, Direction
from supple.render.looks.look import SCIENTIFIC, Look
from supple.render.sheet import Sheet, sheet_layout
from supple.render.style import integrator_stroke
from supple.types import Array
from supple.wording import in_digits

SURVEYED = 60
"""Largest number of sampled times per film for view and colour scale."""
FEWEST, ALL_SURVEYED = 12, 480
"""Sampled times per film of many, and of all films together."""
ROUNDING = 1e-9
"""Tolerance for times beyond the end, as a fraction of the run: times are sums of steps."""
SMALLEST, LARGEST = 64, 8192
"""Smallest and largest number of pixels along a side."""
FULL, COARSEST = 360, 0.5
"""Pixels along the longer side of a sheet cell above which its shadow is as fine as that of a picture, and the largest
coarsening factor. Shadows grow by half of their own cells."""
KEY, FILL, BOUNCE, AMBIENT = 0.5, 0.34, 0.14, 0.36
"""Strengths of the lights; a face towards the viewer, below the light, is as bright as its colour."""


@dataclass(frozen=True)
class Shot:
    """Settings of a film: `runs` in the panels of a layout, with one camera."""

    runs: tuple[Path, ...]
    layout: Layout
    view: View
    """View of one panel."""
    up: str
    """Axis that points up."""
    light: Array
    """(3,) towards the shadow-casting light."""
    grounds: tuple[Ground, ...]
    """Ground of each run."""
    colouring: Colouring
    box: tuple[Array, Array]
    """Lowest and highest coordinates of the visible geometry [m]."""
    size: float
    """Size of the visible geometry [m]."""
    coarse: bool = False
    """Whether coarse bodies show their simulated mesh."""
    slow: float = 1.0
    """Seconds of film per second of motion."""
    wrapped: bool = False
    """Whether point clouds are shown as surfaces."""
    motion: Turntable | Track | None = None
    """Motion of the camera; None: static."""
    frozen: float | None = None
    """Time shown by a film of a single moment [s]; its times move only the camera."""
    look: Look = SCIENTIFIC
    coats: tuple[Mapping[str, Coat], ...] = ()
    """Coats of each run in a shaded look, by part name."""
    captions: bool = True
    """Whether the pictures show a clock."""

    def shown(self, t: float) -> float:
        """Time of motion shown by the picture at time t [s]."""
        return t if self.frozen is None else self.frozen

    def at(self, t: float) -> Shot:
        """The same shot with the camera at time t. On a turntable the light moves with it."""
        if self.motion is None:
            return self
        view = self.motion.view(self.view, t)
        if isinstance(self.motion, Track):
            return replace(self, view=view)
        turn = self.motion.rotation(t)
        grounds = tuple(ground.lit_from(turn @ self.light) for ground in self.grounds)
        return replace(self, view=view, light=turn @ self.light, grounds=grounds)

    @property
    def lights(self) -> tuple[tuple[Array, float], ...]:
        """Directions and strengths of the lights: shadow-casting, from the viewer, from the ground."""
        right, _, towards = self.view.axes
        below = -np.eye(3)["xyz".index(self.up)]
        return (self.light, KEY), (towards + 0.25 * right, FILL), (below, BOUNCE)

    def brightness(self, normal: Array) -> float:
        """Light received by a face with this normal."""
        found = [k * max(float(normal @ light / np.linalg.norm(light)), 0.0) for light, k in self.lights]
        return AMBIENT + sum(found)


def read_size(text: str) -> tuple[int, int]:
    """`960x540` as pixels."""
    width, cross, height = text.lower().partition("x")
    found = in_digits(width), in_digits(height)
    if cross and min(found) >= SMALLEST and max(found) <= LARGEST:
        return found
    raise SuppleError(
        f"--size: found '{text}'; give width and height in pixels, from {SMALLEST} to {LARGEST}, such as 960x540"
    )


def film_times(films: Sequence[Film], fps: float, start: float | None = None, stop: float | None = None) -> Array:
    """`fps` times per second of motion, by default from the earliest start to the last end of the films."""
    begin, end = span(films)
    first = begin if start is None else start
    last = end if stop is None else stop
    if not begin <= first <= last <= end:
        raise SuppleError(f"--start, --stop: found {first:g} to {last:g} s, but the runs cover {begin:g} to {end:g} s")
    if stop is None and all(film.loops for film in films):
        return turn(first, last, fps)
    demand_frames((last - first) * fps)
    # a last frame that lies outside only by round-off is still included
    count = int(np.floor((last - first) * fps + 1e-6)) + 1
    return np.minimum(first + np.arange(count) / fps, last)


def still_times(films: Sequence[Film], moments: Sequence[float] | None) -> Array:
    """Times of a picture; default: the end."""
    begin, end = span(films)
    if moments is None:
        return np.array([end])
    slack = ROUNDING * (end - begin)
    for moment in moments:
        if not begin - slack <= moment <= end + slack:
            raise SuppleError(f"--time: found {moment:g} s, but the runs cover {begin:g} to {end:g} s")
    return np.clip(np.array(moments, dtype=float), begin, end)


def span(films: Sequence[Film]) -> tuple[float, float]:
    """The first and the last recorded time of all films [s]."""
    return min(float(f.times[0]) for f in films), max(float(f.times[-1]) for f in films)


def moment_at(film: Film, t: float) -> Moment:
    """The film at t; a run that ended earlier shows its last frame."""
    return film.at(float(np.clip(t, film.times[0], film.times[-1])))


def default_label(film: Film) -> str:
    """Title and integrator."""
    words = [str(film.metadata.get(key, "")) for key in ("scene", "integrator")]
    return "\n".join(word for word in words if word)


def make_shot(
    runs: Sequence[Path],
    films: Sequence[Film],
    times: Array,
    size: tuple[int, int],
    camera: Aims,
    quantity: str,
    labels: Sequence[str] | None = None,
    coarse: bool = False,
    slow: float = 1.0,
    top: float | None = None,
    wrapped: bool = False,
    sheet: Sheet | None = None,
    direction: Direction = PLAIN,
) -> Shot:
    """Survey the films at `times`, and fix everything that is constant over the film. `top`: of the colour scale,
    instead of that of the films. With a `sheet` of these runs, `size` is that of a cell."""
    moments = _survey(films, times)
    colouring = choose_colouring(quantity, films, moments, top)
    bodies = bodies_at(films, moments)
    points = np.concatenate([bodies, obstacles_near(films, moments, bodies)])
    up, extent = films[0].up, float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0
    fit, motion = _aimed(camera, up, points, direction, times)
    light = main_light(fit(points, *size).axes[0], up, direction.look)
    grounds = tuple(ground_of(film, points, light, extent) for film in films)
    # usually all runs have the same ground
    different = {(ground.middle.tobytes(), ground.axes.tobytes()): ground for ground in grounds}
    seen = np.concatenate([points, *(worth_seeing(ground, bodies) for ground in different.values())])
    barred = colouring.shown and direction.captioned
    if sheet is not None:
        layout = sheet_layout(sheet, size, colouring.shown)
        grid = int(CELLS * min(1.0, max(COARSEST, max(size) / FULL)))
        grounds = tuple(replace(ground, grid=grid) for ground in grounds)
    else:
        texts = labels if labels is not None else [default_label(film) for film in films]
        texts = texts if direction.captioned else [""] * len(films)
        tones = [integrator_stroke(str(film.metadata.get("integrator", ""))).colour for film in films]
        layout = side_by_side(texts, tones, size, barred, partial(fit, seen))
    return Shot(
        runs=tuple(runs),
        layout=layout,
        view=fit(seen, layout.panels[0].width, layout.panels[0].height),
        up=up,
        light=light,
        grounds=grounds,
        colouring=replace(colouring, barred=barred or sheet is not None),
        box=(points.min(axis=0), points.max(axis=0)),
        size=extent,
        coarse=coarse,
        slow=slow,
        wrapped=wrapped,
        motion=motion,
        frozen=direction.frozen,
        look=direction.look,
        coats=tuple(coats_of(film, direction.look) for film in films) if direction.look.shaded else (),
        captions=direction.captioned or sheet is not None,
    )


def _aimed(
    camera: Aims, up: str, points: Array, direction: Direction, times: Array
) -> tuple[Callable[[Array, int, int], View], Turntable | Track | None]:
    """The view of points in a picture of a size, and the camera motion."""
    if direction.period is not None:
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        pivot = camera.aim(up, points, 1, 1).centre if not isinstance(camera, Camera) else middle
        turntable = Turntable(direction.period, float(times[0]), up, pivot)
        return lambda p, width, height: fit_all_around(camera, up, p, pivot, width, height), turntable
    if isinstance(camera, FileCamera):
        track = camera.track(up, times if direction.drawn is None else direction.drawn, points)
        first = track.pose(float(track.times[0]))
        return lambda p, width, height: first.view(track.focus, track.size, width, height), track
    return lambda p, width, height: camera.aim(up, p, width, height), None


def _survey(films: Sequence[Film], times: Array) -> list[list[Moment]]:
    """Some moments of each film; fewer per film if there are many, since all are in memory at once."""
    few = max(FEWEST, min(SURVEYED, ALL_SURVEYED // len(films)))
    picked = times[np.unique(np.linspace(0, len(times) - 1, min(len(times), few)).astype(int))]
    return [[moment_at(film, float(t)) for t in picked] for film in films]
