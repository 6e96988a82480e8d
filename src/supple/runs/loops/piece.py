"""The repeated section of a run: its time range, and the cross-fade that closes its seam.

A section of length T begins at t0. In its last W seconds it blends into the motion before t0,

    y(s) = (1 - w) x(t0 + s) + w x(t0 + s - T),    w from 0 to 1 with w' = 0 at both ends,

so y(T) = x(t0), and velocities are continuous. Where the run has no motion before t0, the first W seconds blend out of
the motion after the end instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.recording.film import Moment, between
from supple.recording.playback import Animation
from supple.types import Array


@dataclass(frozen=True)
class Piece:
    """From `begin` to `end`, closed over a window [s]."""

    begin: float
    end: float
    window: float
    early: bool
    """Whether the cross-fade is at the beginning, with the motion after the end."""

    @property
    def period(self) -> float:
        """[s]"""
        return self.end - self.begin


def make_piece(begin: float, end: float, window: float, times: Array) -> Piece:
    """The cross-fade is at the end if the run has enough motion before the beginning."""
    before, behind = begin - float(times[0]), float(times[-1]) - end
    early = before < window - 1e-9 * (times[-1] - times[0]) and behind > before
    return Piece(begin, end, min(window, behind if early else before, end - begin), early)


def moment_at(animation: Animation, t: float) -> Moment:
    """The recorded motion at any time."""
    times = animation.times
    k = int(np.clip(np.searchsorted(times, t), 1, len(times) - 1))
    a, b = (Moment(float(times[j]), *_fields(animation, j)) for j in (k - 1, k))
    return between(a, b, float(np.clip(t, times[0], times[-1])))


def blended(animation: Animation, piece: Piece, s: float) -> Moment:
    """The section at s seconds from its beginning, up to its length."""
    here = moment_at(animation, piece.begin + s)
    # weight of the other motion, and its rate
    along = 1 - s / piece.window if piece.early else 1 - (piece.period - s) / piece.window
    if along <= 0 or piece.window <= 0:
        return here
    other = moment_at(animation, piece.begin + s + (piece.period if piece.early else -piece.period))
    share, rate = _fade(along)
    rate = -rate / piece.window if piece.early else rate / piece.window
    x, y = here.x.astype(float), other.x.astype(float)
    v = (1 - share) * here.v + share * other.v + rate * (y - x)
    energy = (1 - share) * here.energy + share * other.energy
    return Moment(here.t, _single((1 - share) * x + share * y), _single(v), _single(energy))


def _fade(s: float) -> tuple[float, float]:
    """w = 3 s^2 - 2 s^3 and its derivative, for s up to 1."""
    s = min(s, 1.0)
    return s * s * (3 - 2 * s), 6 * s * (1 - s)


def _fields(animation: Animation, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return animation.points(k), animation.velocities(k), animation.energies(k)


def _single(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.float32)
