"""Observation times of a motion: recorded steps, and linear interpolation between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.types import Array

NEAR = 1e-6
"""Tolerance for matching a time to a step, as a fraction of the step."""


@dataclass(frozen=True)
class Instant:
    """A time as steps and their weights."""

    t: float
    parts: tuple[tuple[int, float], ...]


def instants(times: Sequence[float], asked: Array, h: float) -> list[Instant]:
    """Each requested time, from steps at `times` [s]; those after the last step are omitted."""
    known = np.asarray(times)
    found = []
    for t in asked.tolist():
        k = int(np.argmin(np.abs(known - t)))
        if abs(known[k] - t) <= NEAR * h:
            found.append(Instant(t, ((k, 1.0),)))
        elif known[0] < t < known[-1]:
            after = int(np.searchsorted(known, t))
            share = float((t - known[after - 1]) / (known[after] - known[after - 1]))
            found.append(Instant(t, ((after - 1, 1.0 - share), (after, share))))
    return found


def between(asked: Array, h: float) -> int:
    """Number of times that are not multiples of h."""
    return int((np.abs(asked / h - np.round(asked / h)) > NEAR).sum())
