"""Make tets more regular by moving their vertices; vertices on the surface slide along it.

The objective is the sum of powers of the inverse mean ratio, sum l^2 / (12 (3 V)^(2/3)). The ratio is 1 for a regular tet
and infinite for a flat one, so no tet can invert. High powers emphasise the worst tets.
"""

from __future__ import annotations

import numpy as np

from supple.mesh.measure import quality, tet_volumes
from supple.mesh.shapes.grid import oriented
from supple.mesh.stuffing.blend import Form
from supple.mesh.stuffing.lattice import Flags
from supple.types import Array, Ints

POWER = 6.0
LONGEST = 0.15
"""Displacement of a vertex per round, as a fraction of a cube."""
ENOUGH = 2e-3
"""Relative gain of a round below which no further round is worthwhile."""
REGULAR = 0.5
"""Mean ratio of the worst tet below which rounds continue regardless."""
FLATTEST = 0.1
"""Squared component of the normal along a side of the box up to which a vertex follows it there."""


def onto(form: Form, x: Array, held: Flags) -> tuple[Array, Array]:
    """Points moved onto the surface along its normal, as far as the fixed coordinates allow; and that normal."""
    d, normal = form.slope(x)
    normal = np.where(held, 0.0, normal)
    square = np.maximum(np.einsum("ij,ij->i", normal, normal), FLATTEST)[:, None]
    return x - d[:, None] / square * normal, normal / np.sqrt(square)


def improved(x: Array, tets: Ints, held: Flags, on: Flags, form: Form, width: float, rounds: int) -> Array:
    """Improved positions (n, 3); `on` marks vertices that stay on the surface, `held` fixed coordinates."""
    tets = oriented(x, tets)
    skin, stays = np.flatnonzero(on), held[on]
    worth, step = _badness(x, tets), 0.5
    normal = onto(form, x[skin], stays)[1]
    for _ in range(rounds):
        move = np.where(held, 0.0, _descent(x, tets))
        move[skin] -= np.einsum("ij,ij->i", move[skin], normal)[:, None] * normal
        length, longest = np.linalg.norm(move, axis=1, keepdims=True), LONGEST * width
        move *= longest / np.maximum(length, longest)
        trial = x + step * move
        trial[skin], turned = onto(form, trial[skin], stays)
        found = _badness(trial, tets)
        if found < worth:
            done = worth - found < ENOUGH * worth and quality(trial, tets).min() > REGULAR
            x, worth, step, normal = trial, found, min(1.25 * step, 2.0), turned
            if done:
                break
        else:
            step *= 0.5
    return x


def _badness(x: Array, tets: Ints) -> float:
    volume = tet_volumes(x, tets)
    if volume.min() <= 0.0:
        return float("inf")
    return float((_squares(x, tets)[1] / (12.0 * np.cbrt(3.0 * volume) ** 2)) ** POWER @ np.ones(len(tets)))


def _squares(x: Array, tets: Ints) -> tuple[Array, Array]:
    """Corners relative to their mean (m, 4, 3), and the sum of the squared edges (m,), four times the sum of their squares."""
    corners = x[tets]
    corners = corners - corners.mean(axis=1, keepdims=True)
    return corners, 4.0 * np.einsum("tij,tij->t", corners, corners)


def _descent(x: Array, tets: Ints) -> Array:
    """(n, 3) a step against the gradient, scaled by an estimate of the curvature."""
    corners, squares = _squares(x, tets)
    volume = tet_volumes(x, tets)
    bad = (squares / (12.0 * np.cbrt(3.0 * volume) ** 2)) ** POWER
    a, b, c = (corners[:, j] - corners[:, 0] for j in (1, 2, 3))
    faces = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1) / 6.0
    by_volume = np.concatenate([-faces.sum(axis=1, keepdims=True), faces], axis=1)
    scaled = 8.0 * corners / squares[:, None, None] - (2.0 / 3.0) * by_volume / volume[:, None, None]
    g = POWER * bad[:, None, None] * scaled
    h = POWER**2 * bad * np.einsum("tij,tij->t", scaled, scaled) / 4.0 + POWER * bad * 8.0 / squares
    gradients = np.stack([np.bincount(tets.ravel(), g[:, :, k].ravel(), len(x)) for k in range(3)], axis=1)
    curvature = np.bincount(tets.ravel(), np.repeat(h, 4), len(x))
    return -gradients / np.maximum(curvature, 1e-300)[:, None]
