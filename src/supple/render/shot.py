"""What stays fixed over a film: runs, sizes, camera, ground and colour scale; small enough to hand to other processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.recording.film import Film, Moment
from supple.render.camera import Camera, View, fit_view
from supple.render.colouring import Colouring, choose_colouring
from supple.render.drawing.ground import Ground
from supple.render.framing import bodies_at, ground_of, main_light, obstacles_near, worth_seeing
from supple.render.style import integrator_stroke
from supple.types import Array

SURVEYED = 60
"""Moments of each film that decide about view and colour scale, at most."""
SMALLEST, LARGEST = 64, 8192
"""Pixels along a side."""
KEY, FILL, BOUNCE, AMBIENT = 0.5, 0.34, 0.14, 0.36
"""Strengths of the lights; a face that looks at the viewer from below the light is as bright as its colour."""


@dataclass(frozen=True)
class Shot:
    """A film to be: `runs` side by side in `columns`, seen by the same camera."""

    runs: tuple[Path, ...]
    labels: tuple[str, ...]
    """A line or two for each run."""
    tones: tuple[str, ...]
    """The colour of each run's integrator."""
    width: int
    height: int
    font: float
    """Height of the writing [pixels]."""
    columns: int
    view: View
    """Of one panel."""
    up: str
    """Axis that points up."""
    light: Array
    """(3,) towards the light that throws shadows."""
    grounds: tuple[Ground, ...]
    """Of each run."""
    colouring: Colouring
    box: tuple[Array, Array]
    """Lowest and highest coordinates of what is seen [m]."""
    size: float
    """Of what is seen [m]."""
    coarse: bool = False
    """Whether coarse bodies are shown as they were simulated."""
    slow: float = 1.0
    """Seconds of the film for each second of motion."""
    wrapped: bool = False
    """Whether clouds of points are shown by the surface around them."""

    @property
    def lights(self) -> tuple[tuple[Array, float], ...]:
        """Directions towards the lights and their strengths: the one that throws shadows, the viewer's, the ground's."""
        right, _, towards = self.view.axes
        below = -np.eye(3)["xyz".index(self.up)]
        return (self.light, KEY), (towards + 0.25 * right, FILL), (below, BOUNCE)

    def brightness(self, normal: Array) -> float:
        """How much light falls on a face with this normal."""
        found = [k * max(float(normal @ light / np.linalg.norm(light)), 0.0) for light, k in self.lights]
        return AMBIENT + sum(found)

    def panel(self, k: int) -> tuple[slice, slice]:
        """Rows and columns of pixels of run k; a last row that is not full stands in the middle."""
        row, column = divmod(k, self.columns)
        in_row = min(self.columns, len(self.runs) - row * self.columns)
        left = (self.width - in_row * self.view.width) // 2 + column * self.view.width
        top = row * self.view.height
        return slice(top, top + self.view.height), slice(left, left + self.view.width)


def read_size(text: str) -> tuple[int, int]:
    """`960x540` as pixels."""
    width, cross, height = text.lower().partition("x")
    if cross and width.isdecimal() and height.isdecimal():
        found = int(width), int(height)
        if min(found) >= SMALLEST and max(found) <= LARGEST:
            return found
    raise SuppleError(
        f"--size: found '{text}'; give width and height in pixels, from {SMALLEST} to {LARGEST}, such as 960x540"
    )


def film_times(films: Sequence[Film], fps: float, start: float | None = None, stop: float | None = None) -> Array:
    """`fps` times for each second of motion, from the earliest start to the last end of the films unless told otherwise."""
    begin, end = span(films)
    first = begin if start is None else start
    last = end if stop is None else stop
    if not begin <= first <= last <= end:
        raise SuppleError(
            f"--start, --stop: {first:g} to {last:g} s was asked for, the runs have {begin:g} to {end:g} s"
        )
    # a last frame that rounding puts a hair's breadth outside is still wanted
    count = int(np.floor((last - first) * fps + 1e-6)) + 1
    return np.minimum(first + np.arange(count) / fps, last)


def span(films: Sequence[Film]) -> tuple[float, float]:
    """The first and the last recorded time of all films [s]."""
    return min(float(f.times[0]) for f in films), max(float(f.times[-1]) for f in films)


def moment_at(film: Film, t: float) -> Moment:
    """The film at t; a run that ended earlier stands still."""
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
    camera: Camera,
    quantity: str,
    labels: Sequence[str] | None = None,
    coarse: bool = False,
    slow: float = 1.0,
    top: float | None = None,
    wrapped: bool = False,
) -> Shot:
    """Survey the films at `times`, and settle all that must not change from picture to picture. `top`: of the colour scale,
    instead of what the films have."""
    picked = times[np.unique(np.linspace(0, len(times) - 1, min(len(times), SURVEYED)).astype(int))]
    moments = [[moment_at(film, float(t)) for t in picked] for film in films]
    colouring = choose_colouring(quantity, films, moments, top)
    bodies = bodies_at(films, moments)
    points = np.concatenate([bodies, obstacles_near(films, moments, bodies)])
    width, height = size
    font = min(max(0.034 * height, 11.0), 0.034 * width + 4.0)
    room = height - (round(4.3 * font) if colouring.shown else 0)
    extent = float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0
    light = main_light(camera, films[0].up)
    grounds = tuple(ground_of(film, points, light, extent) for film in films)
    seen = np.concatenate([points, *(worth_seeing(ground, bodies) for ground in grounds)])
    columns, view = _arrange(len(runs), camera, films[0].up, seen, width, room)
    return Shot(
        runs=tuple(runs),
        labels=tuple(labels) if labels is not None else tuple(default_label(film) for film in films),
        tones=tuple(integrator_stroke(str(film.metadata.get("integrator", ""))).colour for film in films),
        width=width,
        height=height,
        font=font,
        columns=columns,
        view=view,
        up=films[0].up,
        light=light,
        grounds=grounds,
        colouring=colouring,
        box=(points.min(axis=0), points.max(axis=0)),
        size=extent,
        coarse=coarse,
        slow=slow,
        wrapped=wrapped,
    )


def _arrange(count: int, camera: Camera, up: str, points: Array, width: int, height: int) -> tuple[int, View]:
    """Beside or below each other: whichever shows the bodies larger; beside each other if there is little in it."""
    best: tuple[float, int, View] | None = None
    for columns in range(count, 0, -1):
        rows = -(-count // columns)
        view = fit_view(camera, up, points, width // columns, height // rows)
        magnified = view.focal / view.distance
        if best is None or magnified > 1.15 * best[0]:
            best = magnified, columns, view
    assert best is not None
    return best[1], best[2]
