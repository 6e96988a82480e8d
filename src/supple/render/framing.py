"""Extent of a film for the camera: all positions of the bodies, nearby obstacles, and the ground below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.contact.obstacles.half_space import HalfSpace
from supple.errors import SuppleError
from supple.recording.film import FAR, Film, Moment
from supple.recording.parts import Part
from supple.recording.scenery import STEEP
from supple.render.drawing.ground import Ground, make_ground
from supple.render.drawing.scatter import scatter
from supple.render.looks.look import SCIENTIFIC, Look
from supple.types import Array

NEARBY = 0.3
"""Distance from the bodies up to which an obstacle is shown, over the size of their motion."""
LARGE = 1.5
"""Size of an obstacle, over that of the bodies' motion, above which only the nearby part is framed."""
_SPRINKLED = 1500  # sample points of an obstacle
_MOVING = 8  # times at which moving obstacles are sampled


def bodies_at(films: Sequence[Film], moments: Sequence[Sequence[Moment]]) -> Array:
    """Positions of all vertices on surfaces of bodies at all moments, without non-finite ones."""
    found = [
        np.asarray(moment.x, dtype=float)[part.vertices]
        for film, some in zip(films, moments, strict=True)
        for moment in some
        for part in film.parts
        if not part.obstacle
    ]
    points = np.concatenate(found)
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        raise SuppleError(f"{films[0].path}: contains no finite position, so there is nothing to show")
    first = found[0][np.isfinite(found[0]).all(axis=1)]
    middle, size = (first.mean(axis=0), float(np.ptp(first, axis=0).max())) if len(first) else (points[0], 0.0)
    near = np.abs(points - middle).max(axis=1) <= FAR * size
    return points[near] if near.any() else points


def obstacles_near(films: Sequence[Film], moments: Sequence[Sequence[Moment]], bodies: Array) -> Array:
    """(k, 3) points of obstacles near the bodies' path: of a large obstacle only the nearby part."""
    low, high = bodies.min(axis=0), bodies.max(axis=0)
    size = float(np.linalg.norm(high - low))
    low, high = low - NEARBY * size, high + NEARBY * size
    found = [np.empty((0, 3))]
    for film, some in zip(films, moments, strict=True):
        few = [some[k] for k in np.unique(np.linspace(0, len(some) - 1, _MOVING).astype(int))]
        for part in film.parts:
            if not part.obstacle or isinstance(part.shape, HalfSpace):
                continue
            x = [np.asarray(moment.x, dtype=float)[part.vertices] for moment in (few[:1] if part.still else few)]
            places = scatter(part.faces, x[0], _SPRINKLED)
            for points in (np.concatenate([now, places.place(now)]) for now in x):
                near = ((points >= low) & (points <= high)).all(axis=1)
                small = float(np.linalg.norm(np.ptp(points, axis=0))) <= LARGE * size
                found.append(points if small and near.any() else points[near])
    return np.concatenate(found)


def main_light(right: Array, up: str, look: Look = SCIENTIFIC) -> Array:
    """(3,) towards the shadow-casting light: above, to the left of and behind the viewer with this right axis."""
    vertical = np.eye(3)["xyz".index(up)]
    level = right - (right @ vertical) * vertical
    length = float(np.linalg.norm(level))
    level = level / length if length > 1e-6 else np.eye(3)[1 if up == "x" else 0]  # a camera that lies on its side
    aside, behind = look.light
    light: Array = vertical - aside * level + behind * np.cross(level, vertical)
    return light


def ground_of(film: Film, points: Array, light: Array, size: float) -> Ground:
    """The half-space that bodies stand on, or a purely visual plane just below `points`."""
    up = np.eye(3)["xyz".index(film.up)]
    found = ground_part(film)
    if found is not None and isinstance(found.shape, HalfSpace):
        plane = found.shape
        return make_ground(
            np.array(plane.point, dtype=float), plane.unit, points, light, size, found.colour, found.name
        )
    foot = up * (float((points @ up).min()) - 0.002 * size)
    return make_ground(foot, up, points, light, size, None, None)


def ground_part(film: Film) -> Part | None:
    """The static half-space of a film with the most upward normal."""
    up = np.eye(3)["xyz".index(film.up)]
    standing = [part for part in film.parts if part.still]
    slopes = [(float(part.shape.unit @ up), part) for part in standing if isinstance(part.shape, HalfSpace)]
    best = max(slopes, key=lambda entry: entry[0], default=None)
    return best[1] if best is not None and best[0] > STEEP else None


def worth_seeing(ground: Ground, points: Array) -> Array:
    """(k, 3) positions of the shadows of points, unless the ground is so far below that it would dominate the picture."""
    if float(ground.above(points).min()) > 0.5 * ground.size:
        return np.empty((0, 3))
    return ground.fallen(points)
