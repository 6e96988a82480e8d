"""The energy ledger: energy of the system, requested dissipation, external work, and the energy residual of the numerics.

total + dissipated + rescued + held - external work - hardening - total at the start = residual

External work is done by scripts, by moving air, and by time-dependent parameters (energies/drive.py). With the force
f = -D'(v) of air that moves at the velocity w, the heat (v - w) . D'(v) is dissipated, and w . f on free vertices is
external work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace

import numpy as np

from supple.dynamics.invariants import Energies
from supple.dynamics.path import Path
from supple.dynamics.state import State
from supple.dynamics.step import GridParts, StepReport
from supple.dynamics.system import System
from supple.energies import drive
from supple.energies.instant import Instant
from supple.energies.roles.driven import HeatsAir
from supple.linalg.quadrature import lobatto
from supple.linalg.reduce import dot
from supple.types import Array

UNRESOLVED = 2.0
"""Work of dampers at the velocities of both ends of a step, over that at its mean velocity, from which on the latter counts."""


@dataclass(frozen=True)
class Ledger:
    """Energies now [J], and the running sums since the start."""

    energies: Energies
    initial: float
    dissipated: float = 0.0
    external_work: float = 0.0
    rescued: float = 0.0
    """Energy lost in steps on which the method failed and a fallback method was used."""
    springs: float = 0.0
    """Part of the residual: energy added by activated temporary springs of obstacles minus energy of removed ones."""
    grid: GridParts = field(default_factory=GridParts)
    """Energy changes of steps on a grid of material points: transfer + force + collided + restored = residual."""
    held: float = 0.0
    """Energy stored by a budget for a later rebound; a current value, not a running sum."""
    timed: Mapping[str, float] = field(default_factory=dict)
    """Part of `external_work` done by time-dependent parameters, by column."""

    @property
    def residual(self) -> float:
        """Energy gained (positive) or lost by the numerics."""
        return (
            self.energies.total
            + self.dissipated
            + self.rescued
            + self.held
            - self.external_work
            - self.grid.hardening
            - self.initial
        )

    @property
    def is_finite(self) -> bool:
        """Whether all sums are finite."""
        sums = self.residual, self.springs, *astuple(self.grid), *self.timed.values()
        return all(map(math.isfinite, sums))

    def after(self, system: System, old: State, new: State, report: StepReport, energies: Energies) -> Ledger:
        """The ledger one step later."""
        report = measured(system, old, new, report)
        return Ledger(
            energies,
            self.initial,
            self.dissipated + (report.dissipated or 0.0),
            self.external_work + (report.external_work or 0.0),
            self.rescued,
            self.springs + report.springs,
            self.grid if report.grid is None else self.grid + report.grid,
            self.held if report.held is None else report.held,
            added(self.timed, report.timed or {}),
        )


def added(sums: Mapping[str, float], more: Mapping[str, float]) -> dict[str, float]:
    """The sum of two sets of sums by name."""
    return {name: sums.get(name, 0.0) + more.get(name, 0.0) for name in (*sums, *(n for n in more if n not in sums))}


def measured(system: System, old: State, new: State, report: StepReport) -> StepReport:
    """The report with the dissipated energy and the external work of the step."""
    timed = _timed_work(system, old, new, report)
    if report.arrival is not None:
        system, new = report.arrival.system, report.arrival.state
    work, taken = _scripted_work(system, old, new, report), report.dissipated
    if report.timed is None:
        work += sum(timed.values())
    if taken is None:
        air = _work_of_air(system, old, new, report.h)
        work, taken = work + air, _taken(system, old, new, report) + air
    for more in report.taken_after:
        taken += more
    work += report.worked_after
    return replace(report, external_work=work, dissipated=taken, taken_after=(), worked_after=0.0, timed=timed or None)


def _timed_work(system: System, old: State, new: State, report: StepReport) -> Mapping[str, float]:
    """Work of time-dependent parameters, by column; none if the system is already fixed for a step [J]."""
    if report.timed is not None:
        return report.timed
    sums: dict[str, float] = {}
    if not system.potential.roles.timed or report.arrival is None:
        return sums
    there = report.arrival.state
    middle = _middle(old, there)  # for terms not frozen in the step
    for live, acting in zip(system.potential.terms, report.arrival.system.potential.terms, strict=True):
        if live.drive is not None:
            done = drive.work(live, drive.in_step(acting, middle), (old.t, old.x), (there.t, there.x))
            sums[live.drive.column] = sums.get(live.drive.column, 0.0) + done
    return sums


def _middle(old: State, new: State) -> Instant:
    """The middle of a step."""
    place, h = 0.5 * (old.x + new.x), new.t - old.t
    return Instant(old.x, place, 0.5 * (old.t + new.t), h, (new.x - old.x) / h if h else old.v)


def by_vertex(system: System, old: State, new: State, report: StepReport) -> tuple[Array, Array]:
    """(n,) dissipated energy and work of scripts at each vertex, as far as the step resolves them [J]. Energies
    summed by the step itself, and those of impulses and wind, are known only as totals."""
    if report.arrival is not None:
        system, new = report.arrival.system, report.arrival.state
    taken, work = np.zeros(system.n), np.zeros(system.n)
    d, held = new.x - old.x, system.motion.held(system.n)
    if report.dissipated is None and system.dissipation.terms:
        mean = _mean_dissipation(system, old, new, report)
        taken = np.where(held, 0.0, np.einsum("ni,ni->n", d, mean))
    if report.external_work is None and system.motion.moves:
        work = np.where(held, np.einsum("ni,ni->n", d, _mean_gradient(system, old, new, report)), 0.0)
    return taken, work


def _taken(system: System, old: State, new: State, report: StepReport) -> float:
    """Energy removed by dissipative forces from the free vertices in one step [J]."""
    if not system.dissipation.terms:
        return 0.0
    mean = _mean_dissipation(system, old, new, report)
    return dot(new.x[system.free] - old.x[system.free], mean[system.free])


def _mean_dissipation(system: System, old: State, new: State, report: StepReport) -> Array:
    """(n, 3) mean of grad D over a step [N]."""
    if report.mean_dissipation is not None:
        return report.mean_dissipation
    both = (system.dissipation.at(state.x, state.t, state.v).gradient(state.v) for state in (old, new))
    mean: Array = 0.5 * sum(both, np.zeros_like(old.v))
    if system.dissipation.meets_air:
        return mean
    middle, d = _middle(old, new), new.x - old.x
    assert middle.v is not None
    other = system.dissipation.at(middle.place, middle.t, middle.v).gradient(middle.v)
    # work at end velocities that alternate may be negative and hide created energy; at the mean it is not: D is convex
    return mean if 0.0 <= dot(d, mean) <= UNRESOLVED * dot(d, other) else other


def _work_of_air(system: System, old: State, new: State, h: float) -> float:
    """Heat generated by air beyond the energy it removed from the free vertices: the work of the wind, and of the
    actuators that move scripted vertices through the air [J]."""
    if not system.dissipation.meets_air:
        return 0.0
    d = new.x - old.x
    v = d / h
    D = system.dissipation.driven(0.5 * (old.x + new.x), 0.5 * (old.t + new.t), v)
    heat = sum(term.heat(v) for term in D.terms if isinstance(term, HeatsAir))
    return h * heat - dot(d[system.free], D.gradient(v)[system.free])


def _scripted_work(system: System, old: State, new: State, report: StepReport) -> float:
    """Work of the actuators that move the scripted vertices, against the body's force there [J]."""
    if report.external_work is not None:
        return report.external_work
    if not system.motion.moves:
        return 0.0
    mean, held = _mean_gradient(system, old, new, report), system.motion.held(system.n)
    return dot(new.x[held] - old.x[held], mean[held])


def _mean_gradient(system: System, old: State, new: State, report: StepReport) -> Array:
    """(n, 3) mean of grad V over a step, including constraint forces [N]."""
    # if the method reports no mean: Simpson's rule, exact for quartic energies
    mean = (
        report.mean_gradient
        if report.mean_gradient is not None
        else Path(system.potential, old.x, lobatto(3)).mean_gradient(new.x)
    )
    return mean if report.reaction is None else mean + report.reaction
