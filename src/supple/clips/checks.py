"""Faults of a clip: no frames, times that do not increase, values that are not finite, vertices that jump."""

from __future__ import annotations

import numpy as np

from supple.clips.clip import Clip
from supple.errors import SuppleError
from supple.mesh.doctor import FARTHEST
from supple.types import Array

FAR = 0.2
"""Fraction of the object's size that a vertex may move in one frame."""
ALONE = 50.0
"""A vertex jumps if it moves this many times the median of its frame, and"""
SUDDEN = 10.0
"""this many times its motion in the adjacent frames."""


def check_clip(clip: Clip) -> str:
    """Reject a clip that cannot be followed; returns a warning about the first jump, or an empty text."""
    check_times(clip.file, clip.name, clip.times)
    if not clip.n:
        raise SuppleError(f"{clip.file}: '{clip.name}' has no vertices; choose another object")
    size, jump = 0.0, ""
    before: Array | None = None
    moves: list[Array] = []
    for k in range(len(clip)):
        x = clip.frame(k)
        bad = np.flatnonzero(~(np.abs(x) <= FARTHEST).all(axis=1))
        if len(bad):
            what = f"beyond {FARTHEST:g}" if np.isfinite(x[bad]).all() else "not finite"
            raise SuppleError(
                f"{clip.file}: frame {k} of '{clip.name}': {len(bad)} of {clip.n} positions are {what}, the first is "
                f"vertex {bad[0]} at {x[bad[0]].tolist()}; export it again"
            )
        if before is None:
            size = float(np.ptp(x, axis=0).max())
        else:
            moves = [*moves[-2:], np.linalg.norm(x - before, axis=1)]
            jump = jump or _jump(clip, moves, k, size)
        before = x
    return jump


def check_times(file: str, name: str, times: Array) -> None:
    """Reject missing frames, or times that do not increase."""
    if not len(times):
        raise SuppleError(f"{file}: '{name}' has no frames; export at least one")
    if not np.isfinite(times).all():
        raise SuppleError(
            f"{file}: the time of frame {int(np.argmin(np.isfinite(times)))} is not finite; export it again"
        )
    wrong = np.flatnonzero(np.diff(times) <= 0)
    if len(wrong):
        k = int(wrong[0])
        raise SuppleError(
            f"{file}: times must increase, found {times[k + 1]:g} s for frame {k + 1} after {times[k]:g} s; export it again"
        )


def _jump(clip: Clip, moves: list[Array], k: int, size: float) -> str:
    """Check the frame before the last available one, whose neighbours on both sides are known."""
    middle = len(moves) - 2 if len(moves) == 3 else len(moves) - 1
    at = k - (len(moves) - 1 - middle)
    if len(moves) == 3 and k == len(clip) - 1:
        found = _alone(moves, 2, size)
        if found is not None:
            return _sentence(clip, k, found, moves[2], size)
    found = _alone(moves, middle, size)
    return "" if found is None else _sentence(clip, at, found, moves[middle], size)


def _alone(moves: list[Array], middle: int, size: float) -> int | None:
    """The vertex that moves furthest, if no other vertex moves similarly."""
    own = moves[middle]
    worst = int(own.argmax())
    move = float(own[worst])
    if not size or move <= FAR * size or move <= ALONE * float(np.median(own)):
        return None
    others = [float(m[worst]) for i, m in enumerate(moves) if i != middle]
    # a vertex that goes away and comes back has two long moves
    return worst if not others or move > SUDDEN * min(others) else None


def _sentence(clip: Clip, k: int, vertex: int, moves: Array, size: float) -> str:
    return (
        f"{clip.file}: vertex {vertex} of '{clip.name}' jumps by {moves[vertex]:.3g} units between frames {k - 1} and {k}, "
        f"{moves[vertex] / size:.0%} of the object's size, while half of all vertices move less than "
        f"{float(np.median(moves)):.3g}"
    )
