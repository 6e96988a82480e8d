"""Sample times of a file, and affine transforms of row vectors: x becomes x A with a one appended to x."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from supple.clips.room import MOST_FRAMES
from supple.errors import SuppleError
from supple.types import Array

SPARSE = 2.0
"""Frames: a longer pause between two keys is filled, since rotating objects do not move on straight lines between them."""
SAME = 1e-6
"""Fraction of a frame by which the times of two keys of one frame may differ."""

AT_ONCE = 1 << 17
"""Weights of joints applied together: each takes a copy of its transform."""


def filled(keys: Array, spacing: float, file: str, always: bool = False) -> Array:
    """Keys, and evenly spaced times between keys that are more than a frame apart.

    `always`: also between neighbours, for nonlinear interpolation.
    """
    keys = merged(keys, spacing)
    if not np.isfinite(keys).all() or (len(keys) and not keys[-1] - keys[0] <= MOST_FRAMES * spacing):
        raise SuppleError(
            f"{file}: its keys span more than {MOST_FRAMES:,} frames, or no finite time; export a shorter range"
        )
    limit = (1.0 if always else SPARSE) * spacing * (1.0 + SAME)
    pieces = [keys[:1]]
    for a, b in pairwise(keys.tolist()):
        count = int(np.ceil((b - a) / spacing * (1.0 - SAME))) if b - a > limit else 1
        pieces.append(np.append(a + (b - a) * np.arange(1, count) / count, b))
    return np.concatenate(pieces)


def merged(keys: Array, spacing: float) -> Array:
    """Sorted times, with duplicates of one frame merged."""
    keys = np.unique(keys)
    return keys[np.append(True, np.diff(keys) > SAME * spacing)] if len(keys) else keys


def linear(times: Array, values: Sequence[Array], t: float) -> Array:
    """Linear between samples, constant outside."""
    k = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 1))
    if k == len(times) - 1 or t <= times[k]:
        return values[k]
    s = (t - times[k]) / (times[k + 1] - times[k])
    if s * (times[k + 1] - times[k]) < 1e-9:  # clocks in single precision
        return values[k]
    return (1.0 - s) * values[k] + s * values[k + 1]


def applied(points: Array, transform: Array) -> Array:
    """Points (n, 3) mapped by a transform (4, 4)."""
    with np.errstate(all="ignore"):  # values that are not finite are rejected where the clip is used
        made: Array = points @ transform[:3, :3] + transform[3, :3]
    return made


def blended(points: Array, transforms: Array, joints: np.ndarray, weights: Array) -> Array:
    """Linear blend skinning: points (n, 3), transforms (J, 4, 4), joints and weights (n, k)."""
    made = np.empty((len(points), 3))
    rows = max(1, AT_ONCE // max(1, joints.shape[1]))
    with np.errstate(all="ignore"):
        for first in range(0, len(points), rows):
            some = slice(first, first + rows)
            forms = transforms[joints[some]]
            moved = np.einsum("ni,nkij->nkj", points[some], forms[:, :, :3, :3]) + forms[:, :, 3, :3]
            made[some] = np.einsum("nkj,nk->nj", moved, weights[some])
    return made


def one_count(file: str, name: str, frames: Sequence[Array]) -> Array:
    """Frames as one array; another count of vertices is an error."""
    for k, frame in enumerate(frames):
        if len(frame) != len(frames[0]):
            raise SuppleError(
                f"{file}: frame {k} of '{name}' has {len(frame)} vertices, the first has {len(frames[0])}; a clip keeps its "
                "vertices: export it without modifiers that change them"
            )
    return np.array(frames)
