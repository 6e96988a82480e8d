"""The lamps of the studio: strengths, directions, and visibility of the main lamp.

All studio colours are linear in light; `tone` maps them to pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.colours import rgb
from supple.render.drawing.raster import Kept
from supple.render.shot import Shot
from supple.types import Array, Ints

AMBIENT, KEY, FILL, RIM = 0.40, 0.86, 0.16, 0.55
"""Strengths of ambient light, main lamp, fill lamp beside the viewer, and rim lamp behind the bodies."""
SOFT = 0.17
"""Radius of the main lamp over its distance: how soft shadows are."""
_BIAS = 2.5e-3  # smallest distance of a blocker in front of a point, in sizes of the shadow map
_SEARCH = 0.3  # fraction of the largest blur within which blockers are searched
_SHOULDER = 0.72  # light above which the tone curve approaches white
_GAMMA = 2.2


@dataclass(frozen=True)
class Lamps:
    """Directions (3,) towards the lamps, of length 1."""

    key: Array
    fill: Array
    rim: Array
    up: Array

    @classmethod
    def of(cls, shot: Shot) -> Lamps:
        """Lamps around the viewer; the main lamp is that of the shot."""
        right, _, towards = shot.view.axes
        up = np.eye(3)["xyz".index(shot.up)]
        level = towards - (towards @ up) * up
        length = float(np.linalg.norm(level))
        front = level / length if length > 0.1 else np.cross(right, up)
        fill, rim = 0.8 * right + 0.7 * front + 0.25 * up, 0.75 * right - 0.9 * front + 0.75 * up
        return cls(*(v / np.linalg.norm(v) for v in (shot.light, fill, rim, up)))

    def rows(self, axes: Array) -> Array:
        """(4, 3) key, fill, rim and up along the axes of a view."""
        return np.stack([self.key, self.fill, self.rim, self.up]) @ axes.T


def linear(code: str) -> Array:
    """(3,) light of a colour `#rrggbb`."""
    return np.array(rgb(code)) ** _GAMMA


def spiral(count: int) -> Array:
    """(count, 2) points that cover the unit disc evenly, in a sunflower pattern."""
    k = np.arange(count)
    turn = k * np.pi * (3 - np.sqrt(5))
    return np.sqrt((k + 0.5) / count)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)


@njit(cache=True, nogil=True)
def tone(light: float) -> float:  # pragma: no cover
    """A pixel from 0 to 1; bright light approaches white instead of being clipped."""
    if light > _SHOULDER:
        light = _SHOULDER + (1 - _SHOULDER) * (1 - np.exp(-(light - _SHOULDER) / (1 - _SHOULDER)))
    return max(light, 0.0) ** (1 / _GAMMA)


@njit(cache=True, nogil=True)
def reached(
    near: Kept, face: Ints, passes: Array, u: float, v: float, z: float, taps: Array, turn: float
) -> tuple[float, float, float]:  # pragma: no cover
    """Visibility of the main lamp at a point, per colour: shadows are sharp near their casters and soft far away.

    `near`, `face`: the shadow map; u, v, z: column, row and nearness of the point there; `passes` (f, 3): light that
    each face transmits; `taps` (q, 2), rotated by an angle.
    """
    cells = near.shape[0]
    widest = SOFT * cells / 2
    cosine, sine = np.cos(turn), np.sin(turn)
    between, found = 0.0, 0
    for q in range(len(taps)):
        column = int(u + _SEARCH * widest * (cosine * taps[q, 0] - sine * taps[q, 1]))
        row = int(v + _SEARCH * widest * (sine * taps[q, 0] + cosine * taps[q, 1]))
        if 0 <= column < cells and 0 <= row < cells and near[row, column] > z + _BIAS:
            between += near[row, column] - z
            found += 1
    if found == 0:
        return 1.0, 1.0, 1.0
    reach = min(max(widest * between / found, 1.2), _SEARCH * widest)
    red = green = blue = 0.0
    for q in range(len(taps)):
        column = int(u + reach * (cosine * taps[q, 0] - sine * taps[q, 1]))
        row = int(v + reach * (sine * taps[q, 0] + cosine * taps[q, 1]))
        if 0 <= column < cells and 0 <= row < cells and near[row, column] > z + _BIAS:
            f = face[row, column]
            red += passes[f, 0]
            green += passes[f, 1]
            blue += passes[f, 2]
        else:
            red += 1.0
            green += 1.0
            blue += 1.0
    return red / len(taps), green / len(taps), blue / len(taps)
