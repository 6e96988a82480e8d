"""One camera, one ground and one colour scale for all runs of a sweep, so their pictures are comparable.

Films are scanned in sequence, and a few points of each are kept: a sweep may exceed the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.recording.film import Film, Moment, open_film
from supple.recording.folder import RunFolder
from supple.render.camera import Camera, fit_view
from supple.render.colouring import PERCENTILE, Colouring, choose_colouring, quantity_of
from supple.render.framing import bodies_at, ground_of, main_light, obstacles_near, worth_seeing
from supple.render.layout import Area, Layout
from supple.render.shot import Shot
from supple.types import Array

MOMENTS = 8
"""Frames scanned per film."""
DIRECTIONS = 96
"""Directions along which the outermost points of a film are kept."""
VALUES = 2000
"""Values of the coloured quantity kept per film."""
LARGE = 4.0
"""A film this many times larger than most others has diverged, and does not affect the view."""
QUANTITY = "energy"


@dataclass(frozen=True)
class Sight:
    """Summary of a film."""

    path: Path
    span: tuple[float, float]
    """First and last recorded time [s]."""
    bodies: Array
    points: Array
    """(k, 3) outermost points of bodies, and of bodies and obstacles."""
    values: Array
    unit: str

    @property
    def size(self) -> float:
        return float(np.linalg.norm(np.ptp(self.bodies, axis=0)))


@dataclass(frozen=True)
class Framing:
    """Common settings of all pictures of a sweep."""

    camera: Camera
    bodies: Array
    points: Array
    colouring: Colouring
    span: tuple[float, float]
    """From the first to the last recorded time of all runs [s]."""

    def shot(self, path: Path, size: tuple[int, int]) -> Shot:
        """A run in a picture of this size, without captions."""
        with open_film(RunFolder.open(path)) as film:
            up = film.up
            light = main_light(self.camera.axes(up)[0], up)
            extent = float(np.linalg.norm(np.ptp(self.points, axis=0))) or 1.0
            ground = ground_of(film, self.points, light, extent)
        ground = replace(ground, grid=min(ground.grid, size[1]))
        seen = np.concatenate([self.points, worth_seeing(ground, self.bodies)])
        return Shot(
            runs=(path,), layout=Layout(*size, font=11.0, columns=1, panels=(Area(0, 0, *size),)),
            view=fit_view(self.camera, up, seen, *size), up=up, light=light, grounds=(ground,), colouring=self.colouring,
            box=(self.points.min(axis=0), self.points.max(axis=0)), size=extent,
        )  # fmt: skip


def look(path: Path) -> Sight | None:
    """Summary of a film for the camera; None if it has no pictures."""
    try:
        with open_film(RunFolder.open(path)) as film:
            some = [film.frame(int(k)) for k in np.unique(np.linspace(0, len(film) - 1, MOMENTS).round())]
            bodies = bodies_at([film], [some])
            points = np.concatenate([bodies, obstacles_near([film], [some], bodies)])
            unit = choose_colouring(QUANTITY, [film], [some], 1.0).unit
            span = float(film.times[0]), float(film.times[-1])
            return Sight(path, span, _outermost(bodies), _outermost(points), _values(film, some), unit)
    except SuppleError:
        return None


def frame(sights: Sequence[Sight], leading: Iterable[Path], camera: Camera) -> Framing:
    """The view that shows the `leading` runs, or all if none of them is visible; diverged ones may leave it."""
    first = set(leading)
    chosen = [sight for sight in sights if sight.path in first] or list(sights)
    usual = float(np.median([sight.size for sight in chosen]))
    chosen = [sight for sight in chosen if sight.size <= LARGE * usual] or chosen
    values = np.concatenate([sight.values for sight in chosen])
    top = float(np.percentile(values, PERCENTILE)) if len(values) else 0.0
    units = dict.fromkeys(sight.unit for sight in chosen)
    return Framing(
        camera,
        np.concatenate([sight.bodies for sight in chosen]),
        np.concatenate([sight.points for sight in chosen]),
        Colouring(QUANTITY, top or float(values.max(initial=0.0)) or 1.0, " or ".join(units)),
        (min(sight.span[0] for sight in sights), max(sight.span[1] for sight in sights)),
    )


def _outermost(points: Array) -> Array:
    """(k, 3) outermost points in DIRECTIONS directions, spread evenly over a sphere."""
    k = np.arange(DIRECTIONS) + 0.5
    height, turn = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    flat = np.sqrt(1 - height**2)
    out = np.stack([flat * np.cos(turn), height, flat * np.sin(turn)])
    return points[np.unique(np.argmax(points @ np.concatenate([out, np.eye(3), -np.eye(3)], axis=1), axis=0))]


def _values(film: Film, some: Sequence[Moment]) -> Array:
    found = np.concatenate([
        quantity_of(moment, QUANTITY)[slice(*part.span)]
        for moment in some for part in film.parts if not part.obstacle
    ])  # fmt: skip
    found = found[np.isfinite(found)]
    return found[:: max(1, -(-len(found) // VALUES))]
