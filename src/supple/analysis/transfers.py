"""Losses of each material-point transfer, measured on a free bar that vibrates along its axis, spins and flies.

The bar is St. Venant-Kirchhoff in 3D. Nothing acts on it, so its energy and momenta should be conserved. With energy-exact
steps on the nodes all losses are due to transfers. Losses are relative to the initial energy of the vibration. Rigid motion
is not a suitable measure: a transfer that is exact on it (apic) loses nothing of it at any speed.

    amplitude   standard deviation of the bar's length over whole periods of a fifth of the run, the last over the first
    frequency   from upward crossings of the mean length; a tet mesh of the same cells gives the reference
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from supple.analysis.free_bar import FreeBar
from supple.budget.points import PointBudget
from supple.errors import StepFailed
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.types import Array

STEP = 0.0043
"""Half the sound transit time of a cell of the default bar [s]."""
STEPS, QUICK = 1000, 250
"""22 periods of the default bar, and 5 of them."""
STILL = 0.05
"""Fraction of the amplitude below which a bar has no frequency."""


@dataclass(frozen=True)
class TransferCourse:
    """A run over time."""

    time: Array
    """(k,) [s]"""
    energy: Array
    """(k,) change of the energy, over that of the vibration at the start [-]."""
    length: Array
    """(k,) length of the bar [m]."""
    momentum: Array
    """(k,) change of momentum over its initial value [-]."""
    angular_momentum: Array
    """(k,) change of angular momentum over its initial value [-]."""

    opening: float
    """Initial rate of change of the length in the vibration [m/s]."""

    def amplitude(self, frequency: float) -> Array:
        """(k,) amplitude over the initial one, from the spread of the length over a period around each time [-]."""
        width = self._period(frequency)
        found = np.full_like(self.time, np.nan)
        if len(self.length) > width:
            spread = np.lib.stride_tricks.sliding_window_view(self.length, width).std(axis=1)
            at_first = self.opening / (2.0 * math.pi * frequency) / math.sqrt(2.0)
            found[width // 2 : width // 2 + len(spread)] = spread / at_first
        return found

    def fading(self, frequency: float) -> float:
        """Amplitude over the last fifth of the run, over that of the first, in whole periods and at least one [-]."""
        period = self._period(frequency)
        width = max(1, len(self.length) // (5 * period)) * period
        if 2 * width > len(self.length):
            return math.nan
        return float(self.length[-width:].std() / self.length[:width].std())

    def _period(self, frequency: float) -> int:
        return max(3, round(1.0 / (frequency * (self.time[1] - self.time[0]))))


@dataclass(frozen=True)
class TransferLoss:
    """One transfer, or one in a budget, over a run."""

    transfer: str
    steps: int
    h: float
    """[s]"""
    energy_lost: float = math.nan
    """Energy loss over the initial energy of the vibration."""
    amplitude: float = math.nan
    """Last fifth over first; NaN for a run of less than two periods."""
    momentum_lost: float = math.nan
    """Largest change, over the initial value."""
    angular_momentum_lost: float = math.nan
    frequency: float = math.nan
    """[Hz]; NaN where the vibration has decayed."""
    cpu_seconds: float = math.nan
    failure: str = ""


def transfer_losses(
    methods: Mapping[str, Mpm | PointBudget],
    bar: FreeBar | None = None,
    h: float = STEP,
    steps: int = STEPS,
    tell: Callable[[], None] = lambda: None,
) -> Iterator[tuple[TransferLoss, TransferCourse | None]]:
    """The same bar with each method, label -> method; `tell` is called after each step."""
    body = bar or FreeBar()
    frequency = body.frequency()
    for label, method in methods.items():
        yield _measured(label, method, body, frequency, h, steps, tell)


def _measured(
    label: str, method: Mpm | PointBudget, bar: FreeBar, tets: float, h: float, steps: int, tell: Callable[[], None]
) -> tuple[TransferLoss, TransferCourse | None]:
    begin = time.process_time()
    try:
        course = _course(method, bar, h, steps, tell)
    except StepFailed as trouble:
        return TransferLoss(label, steps, h, failure=str(trouble)), None
    amplitude = course.fading(tets)
    loss = TransferLoss(
        label, steps, h, -float(course.energy[-1]), amplitude, float(course.momentum.max()),
        float(course.angular_momentum.max()), math.nan if amplitude < STILL else frequency_of(course.time, course.length),
        time.process_time() - begin,
    )  # fmt: skip
    return loss, course


def _course(method: Mpm | PointBudget, bar: FreeBar, h: float, steps: int, tell: Callable[[], None]) -> TransferCourse:
    system, state = bar.placed()
    mpm = method.mpm if isinstance(method, PointBudget) else method
    v, C = bar.vibration(state.x)
    swing = mpm.transfer.kinetic(system.mass, v, C, mpm.spline(system).D)
    left = state.x[:, 0] < state.x[:, 0].min() + 0.51 * bar.cell
    right = state.x[:, 0] > state.x[:, 0].max() - 0.51 * bar.cell
    rows: list[tuple[float, float, float]] = []
    momenta: list[tuple[Array, Array]] = []
    for frame in simulate(system, method, state, h, steps):
        apart = frame.state.x[right].mean(axis=0) - frame.state.x[left].mean(axis=0)
        rows.append((frame.state.t, frame.ledger.energies.total / swing, float(np.linalg.norm(apart))))
        momenta.append(frame.momenta())
        if frame.h:
            tell()
    times, energy, length = np.array(rows).T
    linear, angular = (_change(np.array(values)) for values in zip(*momenta, strict=True))
    opening = float(v[right, 0].mean() - v[left, 0].mean())
    return TransferCourse(times, energy - energy[0], length, linear, angular, opening)


def _change(values: Array) -> Array:
    """(k,) norms of vectors (k, 3)."""
    return np.asarray(np.linalg.norm(values - values[0], axis=1) / np.linalg.norm(values[0]))


def frequency_of(times: Array, values: Array) -> float:
    """Frequency from the first to the last upward crossing of the mean [Hz]; NaN for less than one period."""
    around = values - values.mean()
    up = np.flatnonzero((around[:-1] < 0.0) & (around[1:] >= 0.0))
    if len(up) < 2:
        return math.nan
    zeros = times[up] - around[up] * (times[up + 1] - times[up]) / (around[up + 1] - around[up])
    return float((len(up) - 1) / (zeros[-1] - zeros[0]))
