"""Compiled rasterisation of triangles with a depth buffer, for the plain renderer and obstacle shadows.

A corner has a position in the picture and a nearness: 1/depth for an eye, a height for a distant light. Either
nearness changes linearly over a triangle in the picture, so hidden surfaces are exact, however bodies interlock.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from numba import njit

from supple.types import Array, Ints

Kept = npt.NDArray[np.float32]


@dataclass
class Buffer:
    """The nearest face at each sample of a picture."""

    height: int
    width: int
    near: Kept = field(init=False)
    """(height, width) nearness, 0 where empty."""
    face: Ints = field(init=False)
    """(height, width) the face, -1 where none."""
    weights: Kept = field(init=False)
    """(height, width, 2) weights of the face's first two corners, in space."""

    def __post_init__(self) -> None:
        self.near = np.zeros((self.height, self.width), dtype=np.float32)
        self.face = np.full((self.height, self.width), -1, dtype=np.int32)
        self.weights = np.zeros((self.height, self.width, 2), dtype=np.float32)

    def cover(self, pixels: Array, nearness: Array, faces: Ints, above: Array) -> None:
        """Start again with these faces. Corners (k,) with a nearness of 0 or less are behind the eye. Only the part of
        a face where the interpolated `above` (k,) is not negative counts."""
        self.near.fill(0.0)
        self.face.fill(-1)
        _cover(pixels, nearness, faces, above, self.near, self.face, self.weights)


@njit(cache=True, nogil=True)
def _cover(
    pixels: Array, nearness: Array, faces: Ints, above: Array, near: Kept, face: Ints, weights: Kept
) -> None:  # pragma: no cover
    rows, columns = near.shape
    for f in range(len(faces)):
        i, j, k = faces[f]
        if nearness[i] <= 0.0 or nearness[j] <= 0.0 or nearness[k] <= 0.0:
            continue
        ax, ay, bx, by, cx, cy = pixels[i, 0], pixels[i, 1], pixels[j, 0], pixels[j, 1], pixels[k, 0], pixels[k, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not abs(area) > 1e-9:
            continue
        left, right = max(0.0, min(ax, bx, cx) - 0.5), min(columns - 1.0, max(ax, bx, cx) + 0.5)
        top, bottom = max(0.0, min(ay, by, cy) - 0.5), min(rows - 1.0, max(ay, by, cy) + 0.5)
        if left > right or top > bottom:
            continue
        for row in range(int(top), int(bottom) + 1):
            y = row + 0.5
            for column in range(int(left), int(right) + 1):
                x = column + 0.5
                a = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                b = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                c = 1.0 - a - b
                if a < 0.0 or b < 0.0 or c < 0.0:
                    continue
                a, b, c = a * nearness[i], b * nearness[j], c * nearness[k]
                z = a + b + c
                if z > near[row, column] and a * above[i] + b * above[j] + c * above[k] >= 0.0:
                    near[row, column] = z
                    face[row, column] = f
                    weights[row, column, 0] = a / z
                    weights[row, column, 1] = b / z


@njit(cache=True, nogil=True)
def shade(
    face: Ints,
    weights: Kept,
    faces: Ints,
    turned: Array,
    normals: Array,
    colours: Array,
    values: Array,
    table: Array,
    lights: Array,
    ambient: float,
    samples: int,
    out: Kept,
) -> None:  # pragma: no cover
    """Fill `out` (height, width, 4), premultiplied colours and coverage, with the means of samples x samples.

    The normals of a face are multiplied by `turned` (f,), -1 where its back is visible. A corner has a normal (3,), a
    colour (3,) and a value: a value from 0 to 1 is looked up in `table` (256, 3) and multiplied by the colour; -1 keeps the
    colour unchanged. `lights` (l, 3): directions towards the lights, with their strengths as lengths.
    """
    share = 1.0 / (samples * samples)
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            red = green = blue = cover = 0.0
            for s in range(samples * samples):
                y, x = samples * row + s // samples, samples * column + s % samples
                f = face[y, x]
                if f < 0:
                    continue
                i, j, k = faces[f]
                a, b = weights[y, x, 0], weights[y, x, 1]
                c = 1.0 - a - b
                nx = a * normals[i, 0] + b * normals[j, 0] + c * normals[k, 0]
                ny = a * normals[i, 1] + b * normals[j, 1] + c * normals[k, 1]
                nz = a * normals[i, 2] + b * normals[j, 2] + c * normals[k, 2]
                length = turned[f] * max(np.sqrt(nx * nx + ny * ny + nz * nz), 1e-30)
                light = ambient
                for q in range(len(lights)):
                    light += max((nx * lights[q, 0] + ny * lights[q, 1] + nz * lights[q, 2]) / length, 0.0)
                r = a * colours[i, 0] + b * colours[j, 0] + c * colours[k, 0]
                g = a * colours[i, 1] + b * colours[j, 1] + c * colours[k, 1]
                w = a * colours[i, 2] + b * colours[j, 2] + c * colours[k, 2]
                value = a * values[i] + b * values[j] + c * values[k]
                if value >= 0.0:
                    place = min(int(255.0 * value + 0.5), 255)
                    r, g, w = r * table[place, 0], g * table[place, 1], w * table[place, 2]
                red += min(r * light, 1.0)
                green += min(g * light, 1.0)
                blue += min(w * light, 1.0)
                cover += 1.0
            out[row, column, 0] = red * share
            out[row, column, 1] = green * share
            out[row, column, 2] = blue * share
            out[row, column, 3] = cover * share
