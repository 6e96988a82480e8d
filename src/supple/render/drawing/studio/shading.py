"""Shading of surfaces in the studio, per sample, compiled.

Everything is along the axes of the view: rightwards, upwards, towards the viewer. A feel is a row of parameters (see
`row_of`), a lamp a unit vector towards it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.render.drawing.raster import Kept
from supple.render.drawing.studio.lamps import AMBIENT, FILL, KEY, RIM
from supple.render.looks.feel import Feel
from supple.types import Array

BOX = 0.34
"""Tangent of the half-angle of the main lamp in a reflection."""
BRIGHT, STRIP = 3.2, 1.6
"""Brightness of the reflections of the main lamp and of the rim lamp."""
ROOM, STRAIGHT = 0.3, 0.05
"""Light of the rest of the room, and the largest share reflected by a glossy surface at normal incidence."""
_REACH = 0.075  # range of mutual occlusion, over the size of the film


def row_of(feel: Feel, pushed: float = 1.0) -> list[float]:
    """Surface parameters for the kernels. `pushed`: depth offset away from the viewer."""
    return [feel.wrap, feel.gloss, feel.edge, feel.blur, feel.sheen, feel.clear, feel.depth, pushed]


@njit(cache=True, nogil=True)
def _edge(away: float, half: float, blur: float) -> float:  # pragma: no cover
    s = min(max((half + 0.7 * blur - abs(away)) / (1.4 * blur + 0.02), 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@njit(cache=True, nogil=True)
def _mirrored(
    rx: float, ry: float, rz: float, lamps: Array, blur: float, floor: float
) -> tuple[float, float]:  # pragma: no cover
    """Light from a direction: a square lamp, a strip behind the bodies, and a bright floor below a dim room."""
    found = 0.0
    for q in range(2):
        k = 0 if q == 0 else 2
        c = rx * lamps[k, 0] + ry * lamps[k, 1] + rz * lamps[k, 2]
        if c <= 0.05:
            continue
        # axes across the lamp: level, and the other one
        ax, ay, az = (
            lamps[3, 1] * lamps[k, 2] - lamps[3, 2] * lamps[k, 1],
            lamps[3, 2] * lamps[k, 0] - lamps[3, 0] * lamps[k, 2],
            lamps[3, 0] * lamps[k, 1] - lamps[3, 1] * lamps[k, 0],
        )
        n = max(np.sqrt(ax * ax + ay * ay + az * az), 1e-6)
        across = (rx * ax + ry * ay + rz * az) / (n * c)
        along = np.sqrt(max(1.0 / (c * c) - 1.0 - across * across, 0.0))
        wide, high = (BOX, BOX) if q == 0 else (0.12, 0.8)
        strength = BRIGHT if q == 0 else STRIP
        found += strength / (1.0 + 2.5 * blur) * _edge(across, wide, blur) * _edge(along, high, blur)
    height = rx * lamps[3, 0] + ry * lamps[3, 1] + rz * lamps[3, 2]
    s = min(max(0.5 - 1.6 * height, 0.0), 1.0)
    return found, ROOM * (0.35 + (floor - 0.35) * s * s * (3.0 - 2.0 * s))


@njit(cache=True, nogil=True)
def _left(
    own: float, floor: float, lamp: float, key: float, side: float, sky: float, open_: float, fibres: float
) -> float:  # pragma: no cover
    """Scattered light of one colour."""
    room = AMBIENT * open_ * (sky + (1.0 - sky) * 0.55 * floor)
    return own * (room + key * lamp + side) + fibres * (0.45 + 0.55 * own) * (room + 0.7 * key * lamp + side)


@njit(cache=True, nogil=True)
def lit(
    n: Array,
    eye: Array,
    lamps: Array,
    lamp: tuple[float, float, float],
    open_: float,
    feel: Array,
    own: Array,
    floor: Array,
) -> tuple[float, float, float, float]:  # pragma: no cover
    """Light leaving an opaque surface, per colour, and its specular part.

    n: unit normal; eye: unit vector to the viewer; lamp: share of the main lamp; open_: share of the room that is not hidden;
    own: (3,) colour; floor: (3,) light of the floor.
    """
    wrap, gloss, grazing, blur, sheen = feel[0], feel[1], feel[2], feel[3], feel[4]
    key = n[0] * lamps[0, 0] + n[1] * lamps[0, 1] + n[2] * lamps[0, 2]
    fill = n[0] * lamps[1, 0] + n[1] * lamps[1, 1] + n[2] * lamps[1, 2]
    rim = n[0] * lamps[2, 0] + n[1] * lamps[2, 1] + n[2] * lamps[2, 2]
    height = n[0] * lamps[3, 0] + n[1] * lamps[3, 1] + n[2] * lamps[3, 2]
    facing = min(max(n[0] * eye[0] + n[1] * eye[1] + n[2] * eye[2], 0.0), 1.0)
    away = (1.0 - facing) ** 3
    key = KEY * max((key + wrap) / (1.0 + wrap), 0.0)
    side = FILL * max((fill + 0.3) / 1.3, 0.0) + RIM * max(rim, 0.0) * (0.25 + 0.75 * away) * open_
    sky = 0.5 + 0.5 * height
    bright, room = _mirrored(
        2 * facing * n[0] - eye[0], 2 * facing * n[1] - eye[1], 2 * facing * n[2] - eye[2], lamps, blur, floor[1]
    )
    graze = (1.0 - facing) ** 5
    # at normal incidence a surface reflects little of a dim room
    room *= min(gloss, STRAIGHT) + grazing * graze
    mirror = (room + (gloss + max(grazing - gloss, 0.0) * graze) * bright * (0.4 + 0.6 * lamp[1])) * (
        0.35 + 0.65 * open_
    )
    red = _left(own[0], floor[0], lamp[0], key, side, sky, open_, sheen * away)
    green = _left(own[1], floor[1], lamp[1], key, side, sky, open_, sheen * away)
    blue = _left(own[2], floor[2], lamp[2], key, side, sky, open_, sheen * away)
    return red, green, blue, mirror


@njit(cache=True, nogil=True)
def openness(
    near: Kept,
    row: int,
    column: int,
    at: Array,
    n: Array,
    middle: Array,
    focal: float,
    distance: float,
    size: float,
    taps: Array,
    turn: float,
) -> float:  # pragma: no cover
    """Ambient visibility left by nearby surfaces, from the depths of the surrounding samples."""
    reach = _REACH * size
    radius = min(reach * focal / max(-at[2], 1e-9), 120.0)
    cosine, sine = np.cos(turn), np.sin(turn)
    taken = 0.0
    for q in range(len(taps)):
        x = int(column + radius * (cosine * taps[q, 0] - sine * taps[q, 1]))
        y = int(row + radius * (sine * taps[q, 0] + cosine * taps[q, 1]))
        if not (0 <= y < near.shape[0] and 0 <= x < near.shape[1]) or near[y, x] <= 0.0:
            continue
        depth = distance / near[y, x]
        dx = (x + 0.5 - middle[0]) / focal * depth - at[0]
        dy = (middle[1] - y - 0.5) / focal * depth - at[1]
        dz = -depth - at[2]
        length = np.sqrt(dx * dx + dy * dy + dz * dz) + 1e-12
        rise = (n[0] * dx + n[1] * dy + n[2] * dz) / length
        if rise > 0.12 and length < 2.5 * reach:
            taken += (rise - 0.12) / (1.0 + (length / reach) ** 2)
    return max(1.0 - 1.9 * taken / len(taps), 0.12)
