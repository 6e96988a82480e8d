"""Recurrences of a run: two frames with nearly the same positions and velocities.

With z the positions and velocities of all vertices, each divided by its spread over the run, the gap of frames i < j is

    e(i, j) = |z_i - z_j| / sqrt(2 var_ij),    var_ij = mean_k |z_k|^2 - |mean_k z_k|^2  over the frames i .. j - 1

which is relative to the motion of the section: frames at rest are not a recurrence. Unrelated frames have a gap of 1.
The gaps of all pairs are computed from two Gram matrices, of z and of its running sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.types import Array

NEAR = 0.3
"""Gap up to which two frames are a near-recurrence."""
LIVELY = 1e-3
"""Smallest squared motion of a section, as a fraction of that of the run: a body at rest is nothing to repeat."""
_SLACK = 0.15  # excess over the smallest gap accepted for a shorter section
_LEAST = 0.02  # gaps below it are visually equal
_FRAME = 0.6  # of the gap between a frame and the next: periods are not multiples of frames, and sub-frame refinement follows


@dataclass(frozen=True)
class Recurrence:
    """Frames i < j, and the gap between them."""

    i: int
    j: int
    gap: float


def features(x: Array, v: Array) -> Array:
    """(f, q) positions and velocities (f, n, 3), normalised by their spread over the run."""
    place = (x - x.mean(axis=0)).reshape(len(x), -1)
    speed = v.reshape(len(v), -1)
    return np.concatenate([_scaled(place), _scaled(speed)], axis=1)


def gaps(z: Array) -> tuple[Array, Array]:
    """(f, f) for all pairs: the gap, and the squared motion of the section; the latter is 1 for the whole run."""
    z = z - z.mean(axis=0)
    apart = _squares(z)
    sums = np.concatenate([np.zeros((1, z.shape[1])), np.cumsum(z, axis=0)])
    squares = np.concatenate([[0.0], np.cumsum(np.einsum("ij,ij->i", z, z))])
    count = np.maximum(np.arange(len(z))[None, :] - np.arange(len(z))[:, None], 1)
    inner = (squares[None, :-1] - squares[:-1, None]) / count - _squares(sums)[:-1, :-1] / count**2
    motion = np.maximum(inner, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.sqrt(apart / (2 * motion))
    return np.where(motion > 0, gap, np.inf), motion


def find_recurrence(z: Array, times: Array, shortest: float, longest: float, window: float) -> Recurrence | None:
    """The pair with the smallest gap, or one nearly as good and shorter; None if no section of that length moves.

    Sections last from `shortest` to `longest`, and the run continues for a `window` before or after them [s].
    """
    gap, motion = gaps(z)
    lasts = times[None, :] - times[:, None]
    slack = 1e-9 * float(times[-1] - times[0])
    before, behind = times[:, None] - times[0] >= window - slack, times[-1] - times[None, :] >= window - slack
    allowed = (lasts >= shortest - slack) & (lasts <= longest + slack) & (before | behind)
    allowed &= motion > LIVELY * float(motion[0, -1])
    if not allowed.any():
        return None
    gap = np.where(allowed, gap, np.inf)
    good = gap <= max((1 + _SLACK) * float(gap.min()), _LEAST, _within(z, motion))
    short = float(lasts[good].min())
    step = float(np.median(np.diff(times)))
    good &= lasts <= short + 2.5 * step  # the best of the neighbours of the shortest
    i, j = np.unravel_index(int(np.where(good, gap, np.inf).argmin()), gap.shape)
    return Recurrence(int(i), int(j), float(gap[i, j]))


def _within(z: Array, motion: Array) -> float:
    """A gap that a recurrence between two frames may have, over the motion of the run."""
    steps = np.linalg.norm(np.diff(z, axis=0), axis=1)
    return float(min(_FRAME * np.median(steps) / np.sqrt(2 * motion[0, -1]), 0.5 * NEAR)) if motion[0, -1] > 0 else 0.0


def _squares(z: Array) -> Array:
    """(f, f) squared distances."""
    product = z @ z.T
    own = np.diagonal(product)
    return np.maximum(own[:, None] + own[None, :] - 2 * product, 0.0)


def _scaled(values: Array) -> Array:
    size = float(np.sqrt(np.mean(np.sum(values * values, axis=1))))
    return values / size if size > 0 else values
