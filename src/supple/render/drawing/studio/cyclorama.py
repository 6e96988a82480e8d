"""The backdrop of the studio: a floor that blends seamlessly into a wall, with soft shadows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import njit
from scipy.ndimage import gaussian_filter, map_coordinates

from supple.render.camera import View
from supple.render.drawing.backdrop import Pixels
from supple.render.drawing.ground import Ground
from supple.render.drawing.raster import Kept
from supple.render.drawing.shadow import LightPicture
from supple.render.drawing.studio.lamps import AMBIENT, KEY, linear, reached, spiral, tone
from supple.render.looks.look import Look
from supple.types import Array, Ints

TAPS = 40
_CREASES = 0.75  # fraction of ambient light blocked where a body stands
_POOL, _DIM = (
    1.5,
    0.34,
)  # radii of the ground around which the lamp's pool of light ends, and how much darker it is outside
_BENDS = (0.9, 4.0)  # radii of the ground behind the bodies between which the floor becomes the wall
_SMOOTH = 1.1  # pixels over which shadows are blurred: each pixel sees the lamp through a few taps only


class Cyclorama:
    """Behind the bodies of one run, seen by one view."""

    def __init__(self, ground: Ground, view: View, look: Look, key: Array) -> None:
        """`key`: (3,) towards the main lamp."""
        self._shape = view.height, view.width
        # bodies above a point block the light from above
        self._above = replace(ground, light=ground.axes[2])
        rays = view.rays().reshape(-1, 3)
        fall = rays @ ground.axes[2]
        height = float(ground.above(view.eye[None])[0])
        self._seen = np.flatnonzero(fall < -1e-6) if height > 0 else np.zeros(0, dtype=int)
        self._hits = view.eye - (height / fall[self._seen])[:, None] * rays[self._seen]
        self._cells = ground.cells(self._hits).T.astype(np.float32)
        front = view.axes[2] - (view.axes[2] @ ground.axes[2]) * ground.axes[2]
        front = front / max(float(np.linalg.norm(front)), 1e-9)
        offset = self._hits - ground.middle
        behind = -(offset @ front) / ground.radius
        self._wall = np.ones(len(rays), dtype=np.float32)
        self._wall[self._seen] = _step((behind - _BENDS[0]) / (_BENDS[1] - _BENDS[0]))
        pool = np.exp(-((np.linalg.norm(offset, axis=1) / (_POOL * ground.radius)) ** 2))
        self._pool = (1 - _DIM * (1 - pool)).astype(np.float32)
        self._floor = linear(look.floor if ground.colour is None else mixed(look.floor, ground.colour))
        self._back = self._gradient(look)
        facing = max(float(ground.axes[2] @ key), 0.2)
        self._share = KEY * facing / (AMBIENT + KEY * facing)
        self._taps = spiral(TAPS)
        self._normal = ground.axes[2]

    def draw(self, points: Array, light: LightPicture) -> Pixels:
        """(height, width, 3) pixels from 0 to 1; `points` stand above the floor."""
        dark = map_coordinates(self._above.shadow(points).astype(np.float32), self._cells, order=1)
        lamp = np.ones((*self._shape, 3), dtype=np.float32)
        place = light.places(self._hits)
        lit = np.ones((len(self._hits), 3), dtype=np.float32)
        buffer = light.buffer
        _lamp(buffer.near, buffer.face, light.passes, place, self._taps, lit)
        lamp.reshape(-1, 3)[self._seen] = lit
        lamp = gaussian_filter(lamp, (_SMOOTH, _SMOOTH, 0))
        lit = lamp.reshape(-1, 3)[self._seen]
        got = (1 - self._share) * (1 - _CREASES * dark[:, None] ** 1.5) + self._share * lit
        pixels = np.array(self._back)
        floor = self._floor * self._pool[:, None] * got
        wall = self._wall[self._seen][:, None]
        # a shadow that reaches the wall fades with the floor
        pixels[self._seen] = (1 - wall) * floor + wall * pixels[self._seen]
        return _toned(np.ascontiguousarray(pixels, dtype=np.float32)).reshape(*self._shape, 3)

    def _gradient(self, look: Look) -> Array:
        """(h w, 3) wall colour: lighter below, darker above and in the corners."""
        height, width = self._shape
        down = np.linspace(0, 1, height)[:, None]
        out = np.linspace(-1, 1, width)[None] ** 2
        share = np.clip(1.15 * down - 0.12 * out, 0, 1)[..., None]
        wall = linear(look.wall) * (1 - share) + linear(look.floor) * (1 - _DIM) * share
        return np.asarray(wall.reshape(-1, 3))


def mixed(a: str, b: str) -> str:
    """`#rrggbb` between two colours: the ground of the scene in the light of the look."""
    numbers = [(int(a[k : k + 2], 16) + 2 * int(b[k : k + 2], 16)) // 3 for k in (1, 3, 5)]
    return "#" + "".join(f"{n:02x}" for n in numbers)


def _step(x: Array) -> Array:
    x = np.clip(x, 0, 1)
    return np.asarray(x * x * (3 - 2 * x))


@njit(cache=True, nogil=True)
def _lamp(near: Kept, face: Ints, passes: Array, place: Array, taps: Array, out: Kept) -> None:  # pragma: no cover
    for k in range(len(place)):
        red, green, blue = reached(near, face, passes, place[k, 0], place[k, 1], place[k, 2], taps, 2.4 * (k % 3))
        out[k, 0], out[k, 1], out[k, 2] = red, green, blue


@njit(cache=True, nogil=True)
def _toned(light: Kept) -> Kept:  # pragma: no cover
    out = np.empty_like(light)
    for k in range(light.size):
        out.flat[k] = tone(light.flat[k])
    return out
