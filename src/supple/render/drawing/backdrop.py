"""The ground in one view: a floor with faint lines where the scene has one, otherwise only a shadow on white."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.ndimage import map_coordinates

from supple.colours import rgb
from supple.render.camera import View
from supple.render.drawing.ground import Ground
from supple.render.drawing.shadow import LightPicture
from supple.types import Array

Pixels = npt.NDArray[np.float32]

DARK = 0.42
"""Fraction of light blocked by the deepest shadow."""
_TINT = 0.055  # the same at the centre of a purely visual ground
_FADES = (0.9, 2.6)  # radii of the ground between which a floor fades into white
_LINE, _FAINT = 0.006, 0.10  # width of a line over the distance between two, and the fraction of light it blocks
_LINES = 7  # approximate number of lines over the size of the film


class Backdrop:
    """Behind all bodies; white where no ground is visible."""

    def __init__(self, ground: Ground, view: View, light: float) -> None:
        """`light`: brightness of the ground relative to a face that faces the light."""
        self._ground = ground
        rays = view.rays().reshape(-1, 3)
        fall = rays @ ground.axes[2]
        above = float(ground.above(view.eye[None])[0])
        self._seen = np.flatnonzero(fall < -1e-6) if above > 0 else np.zeros(0, dtype=int)
        hits = view.eye - (above / fall[self._seen])[:, None] * rays[self._seen]
        self._cells = ground.cells(hits).T.astype(np.float32)
        self._shape = view.height, view.width
        away = np.linalg.norm(ground.along(hits), axis=1) / ground.radius
        # the ground fades out at the lower edge of a panel, next to other content
        row = self._seen // view.width
        self._fade = np.clip((view.height - row) / (0.08 * view.height), 0, 1).astype(np.float32)
        if ground.colour is None:
            self._base = (1 - _TINT * np.exp(-((1.3 * away) ** 2)))[:, None] * np.ones(3)
        else:
            left = self._lines(ground, hits) * np.clip(light, 0, 1)
            floor = left[:, None] * np.array(rgb(ground.colour))
            far = np.clip((away - _FADES[0]) / (_FADES[1] - _FADES[0]), 0, 1)[:, None]
            white = far * far * (3 - 2 * far)
            self._base = (1 - white) * floor + white
        self._base = self._base.astype(np.float32)

    def draw(self, points: Array, light: LightPicture | None = None) -> Pixels:
        """(height, width, 3) colours from 0 to 1, with the shadow of `points`; the shadow map is not needed for it."""
        dark = map_coordinates(self._ground.shadow(points).astype(np.float32), self._cells, order=1)
        pixels = np.ones((self._shape[0] * self._shape[1], 3), dtype=np.float32)
        # shadows are a little blue, as under the sky
        lit = self._base * (1 - DARK * dark[:, None] * np.array([1.04, 1.0, 0.94], dtype=np.float32))
        pixels[self._seen] = 1 - self._fade[:, None] * (1 - lit)
        return pixels.reshape(*self._shape, 3)

    def _lines(self, ground: Ground, hits: Array) -> Array:
        """(k,) light transmitted by the lines, which show orientation and scale of the floor."""
        spacing = _round(ground.size / _LINES)
        place = np.full((self._shape[0] * self._shape[1], 2), np.nan)
        place[self._seen] = ground.along(hits) / spacing
        grid = place.reshape(*self._shape, 2)
        with np.errstate(invalid="ignore"):
            pixel = np.hypot(*(np.gradient(grid, axis=axis) for axis in (0, 1))) + 1e-9
            off = np.abs((grid + 0.5) % 1.0 - 0.5)
            # a line thinner than a pixel is fainter, and distant lines would be too many
            thin = np.clip(4 * _LINE / pixel, 0.35, 1.0) * np.clip(1.2 - 2.5 * pixel, 0, 1)
            seen = np.clip(0.5 + (_LINE - off) / pixel, 0, 1) * thin
        taken = np.nan_to_num(seen).max(axis=2).reshape(-1)[self._seen]
        return 1 - _FAINT * taken


def _round(length: float) -> float:
    """1, 2 or 5 times a power of ten, near to a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(power * min((1.0, 2.0, 5.0, 10.0), key=lambda k: abs(np.log(k * power / length))))
