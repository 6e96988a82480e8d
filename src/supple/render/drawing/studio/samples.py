"""The samples of a studio picture: position, incident light and transmission."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.render.drawing.raster import Kept
from supple.render.drawing.studio.lamps import AMBIENT, KEY, reached, tone
from supple.render.drawing.studio.shading import lit, openness
from supple.types import Array, Ints

_GOLDEN = 2.399963  # rotation of the taps from sample to sample
_LIFT = 3.0e-3  # offset from the surface for lamp visibility, over the size of the film
_BEND = 0.16  # lateral offset of light transmitted by a body, over its path in the body
_SEEN, _DIM, _GLOW = (
    0.8,
    0.5,
    0.55,
)  # weights of the background, ambient light and lamp in a clear body


@njit(cache=True, nogil=True)
def studio_shade(
    face: Ints,
    weights: Kept,
    near: Kept,
    far: Kept,
    faces: Ints,
    turned: Array,
    normals: Array,
    colours: Array,
    kinds: Ints,
    feels: Array,
    lamps: Array,
    floor: Array,
    lens: Array,
    to_light: Array,
    light: Kept,
    light_face: Ints,
    passes: Array,
    taps: Array,
    behind: Kept,
    samples: int,
    out: Kept,
) -> None:  # pragma: no cover
    """Fill `out` (height, width, 4) as `raster.shade` does.

    Normals (k, 3) along the axes of the view, colours (k, 3) in light, `kinds` (f,) the row of `feels` of each face. `far`:
    as `near`, but of the last surface along each ray, where there are clear bodies. `lens`: column and row of the middle,
    pixels per slope (all of samples), distance and size. `to_light` (4, 4): from the view to columns, rows
    and nearness of the shadow map, and in its last row to heights over the floor.
    """
    share = 1.0 / (samples * samples)
    n, eye, at, own = np.empty((4, 3))
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            red = green = blue = cover = 0.0
            for s in range(samples * samples):
                y, x, turn = samples * row + s // samples, samples * column + s % samples, _GOLDEN * s
                f = face[y, x]
                if f < 0:
                    continue
                _place(x, y, near[y, x], lens, at, eye)
                _blend(faces[f], weights[y, x], turned[f], normals, colours, n, own)
                feel = feels[kinds[f]]
                hidden = openness(near, y, x, at, n, lens[:2], lens[2], lens[3], lens[4], taps, turn)
                at[0], at[1], at[2] = at[0] / feel[7], at[1] / feel[7], at[2] / feel[7]
                lamp, low, inside = _lamp(at, n, to_light, light, light_face, passes, taps, turn, lens[4], feel[5])
                down = 0.5 - 0.5 * (n[0] * lamps[3, 0] + n[1] * lamps[3, 1] + n[2] * lamps[3, 2])
                hidden *= 1.0 - 0.75 * down * np.exp(-max(low, 0.0) / (0.09 * lens[4]))
                r, g, b, mirror = lit(n, eye, lamps, lamp, hidden, feel, own, floor)
                if feel[5] > 0.0:
                    way = max(lens[3] / max(far[y, x], 1e-9) + at[2], 0.0) if far[y, x] > 0.0 else 0.0
                    r, g, b = _through(r, g, b, n, own, feel, way, inside, row, column, behind, lens, samples, at)
                red += tone(r + mirror)
                green += tone(g + mirror)
                blue += tone(b + mirror)
                cover += 1.0
            put = out[row, column]
            put[0], put[1], put[2], put[3] = red * share, green * share, blue * share, cover * share


@njit(cache=True, nogil=True)
def _place(x: int, y: int, nearness: float, lens: Array, at: Array, eye: Array) -> None:  # pragma: no cover
    """Position of a sample, and its direction to the viewer."""
    depth = lens[3] / nearness
    at[0], at[1], at[2] = (x + 0.5 - lens[0]) / lens[2] * depth, (lens[1] - y - 0.5) / lens[2] * depth, -depth
    length = np.sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2])
    eye[0], eye[1], eye[2] = -at[0] / length, -at[1] / length, -at[2] / length


@njit(cache=True, nogil=True)
def _blend(
    corners: Ints, weight: Kept, turned: float, normals: Array, colours: Array, n: Array, own: Array
) -> None:  # pragma: no cover
    """Interpolated normal and colour on a face."""
    i, j, k = corners
    a, b = weight[0], weight[1]
    c = 1.0 - a - b
    for q in range(3):
        n[q] = a * normals[i, q] + b * normals[j, q] + c * normals[k, q]
        own[q] = a * colours[i, q] + b * colours[j, q] + c * colours[k, q]
    length = turned * max(np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1e-30)
    n[0], n[1], n[2] = n[0] / length, n[1] / length, n[2] / length


@njit(cache=True, nogil=True)
def _lamp(
    at: Array,
    n: Array,
    to_light: Array,
    light: Kept,
    light_face: Ints,
    passes: Array,
    taps: Array,
    turn: float,
    size: float,
    clear: float,
) -> tuple[tuple[float, float, float], float, float]:  # pragma: no cover
    """Visibility of the main lamp at a point, height over the floor, and path of the light in the body before it."""
    lift = _LIFT * size
    x, y, z = at[0] + lift * n[0], at[1] + lift * n[1], at[2] + lift * n[2]
    u = to_light[0, 0] * x + to_light[0, 1] * y + to_light[0, 2] * z + to_light[0, 3]
    v = to_light[1, 0] * x + to_light[1, 1] * y + to_light[1, 2] * z + to_light[1, 3]
    w = to_light[2, 0] * x + to_light[2, 1] * y + to_light[2, 2] * z + to_light[2, 3]
    low = to_light[3, 0] * x + to_light[3, 1] * y + to_light[3, 2] * z + to_light[3, 3]
    inside = 0.0
    cells = light.shape[0]
    if clear > 0.0 and 0 <= u < cells and 0 <= v < cells:
        inside = max(light[int(v), int(u)] - w, 0.0) * 0.75  # the shadow map extends 0.75 sizes from its centre
    return reached(light, light_face, passes, u, v, w, taps, turn), low, inside


@njit(cache=True, nogil=True)
def _through(
    r: float,
    g: float,
    b: float,
    n: Array,
    own: Array,
    feel: Array,
    way: float,
    inside: float,
    row: int,
    column: int,
    behind: Kept,
    lens: Array,
    samples: int,
    at: Array,
) -> tuple[float, float, float]:  # pragma: no cover
    """A clear body: its own light, transmitted lamp light, and the refracted background."""
    clear, depth = feel[5], feel[6] * lens[4]
    bend = _BEND * way * lens[2] / (samples * max(-at[2], 1e-9))
    y = min(max(int(row + bend * n[1]), 0), behind.shape[0] - 1)
    x = min(max(int(column - bend * n[0]), 0), behind.shape[1] - 1)
    found = (r, g, b)
    rest = (1.0 - clear) * 1.0
    left = np.exp(-0.9 * inside * lens[4] / depth)
    out0 = _coloured(found[0], own[0], behind[y, x, 0], way / depth, left, clear, rest)
    out1 = _coloured(found[1], own[1], behind[y, x, 1], way / depth, left, clear, rest)
    out2 = _coloured(found[2], own[2], behind[y, x, 2], way / depth, left, clear, rest)
    return out0, out1, out2


@njit(cache=True, nogil=True)
def _coloured(
    scattered: float, own: float, back: float, thick: float, left: float, clear: float, rest: float
) -> float:  # pragma: no cover
    passed = np.exp(np.log(max(own, 0.004)) * min(thick, 3.0))
    glow = own * (_DIM * AMBIENT + _GLOW * KEY * left)
    return rest * scattered + clear * (_SEEN * passed * back**2.2 + glow)
