"""Terms whose parameters change with time, and how the work of the change is booked.

Within a step such a term is a plain term V_s(x), with its parameters at one time of the step. A method that conserves
energy conserves the energy of V_s, so the change of the true energy V(x, t) over the step from (x0, t0) to (x1, t1) is
exactly

    W = [V(x1, t1) - V_s(x1)] + [V_s(x0) - V(x0, t0)]

which is external work, booked in a separate column. A force that is not a gradient is such a term too: its energy V is
zero, and V_s = -f . x with the force f frozen in the step, so W = f . (x1 - x0).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.energies.instant import Instant
from supple.types import Array

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class Drive:
    """How a term changes with time; one object may drive several terms."""

    column: str
    """Name of its work in the ledger and, after `work.`, in the history."""

    def at(self, term: EnergyTerm, t: float) -> EnergyTerm:
        """The term at a given time [s], over the same elements; its energy counts in the total."""
        raise TypeError(f"{type(self).__name__} does not define the term at a time")

    def during(self, term: EnergyTerm, instant: Instant) -> EnergyTerm:
        """The plain term of one step; by default the term at the time of the instant."""
        return self.at(term, instant.t)


@dataclass(frozen=True)
class DrivenConstants(Drive):
    """Constants of a term that are functions of time."""

    column: str
    values: Callable[[float], Mapping[str, Array]]
    """Constants by the names of the term's `with_constant`, at a time [s]."""

    def at(self, term: EnergyTerm, t: float) -> EnergyTerm:
        now = undriven(term)
        for name, value in self.values(t).items():
            now = now.with_constant(name, value)
        return now


@dataclass(frozen=True)
class DrivenAs(Drive):
    """A term that is rebuilt for every time."""

    column: str
    made: Callable[[Any, float], EnergyTerm]
    """From a copy of the term without a drive, and a time [s]."""

    def at(self, term: EnergyTerm, t: float) -> EnergyTerm:
        return self.made(undriven(term), t)


def undriven(term: EnergyTerm) -> EnergyTerm:
    """A copy that no longer changes."""
    now = copy.copy(term)
    now.drive = None
    return now


def at_time(term: EnergyTerm, t: float) -> EnergyTerm:
    """The term at a given time: the term itself, unless its parameters change."""
    return term if term.drive is None else term.drive.at(term, t)


def in_step(term: EnergyTerm, instant: Instant) -> EnergyTerm:
    """The term during one step: the term itself, unless its parameters change."""
    return term if term.drive is None else term.drive.during(term, instant)


def work(live: EnergyTerm, acting: EnergyTerm, start: tuple[float, Array], end: tuple[float, Array]) -> float:
    """W of one step by the formula above, for times and positions at its start and its end [J]."""
    (t0, x0), (t1, x1) = start, end
    return (_energy(at_time(live, t1), x1) - _energy(acting, x1)) + (
        _energy(acting, x0) - _energy(at_time(live, t0), x0)
    )


def _energy(term: EnergyTerm, x: Array) -> float:
    return float(np.sum(term.element_values(x)))
