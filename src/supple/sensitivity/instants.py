"""Configuration at which dissipation was frozen: for the whole step, at the midpoint found, or at a requested state."""

from __future__ import annotations

from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.sensitivity.rehearsal.program import Force, Row
from supple.sensitivity.replay import Played


def frozen_in_step(played: Played) -> bool:
    """Whether any dissipation is evaluated at one configuration for the whole step."""
    return played.system.dissipation.changes and played.system.dissipation.instant is not None


def instant_of(played: Played, middle: Row | None, force: Force | None = None) -> Instant:
    """The instant at which dissipation is evaluated."""
    if force is not None and force.place is not None and not force.middle:
        before = played.step.before
        return Instant(before.x, played.of(force.place), played.t + force.time, played.h, played.of(force.point))
    return instant_in(played, played.system if middle is None else played.system.moved(played.of(middle)))


def instant_in(played: Played, system: System) -> Instant:
    """Instant of a system during the step; the start of the step if nothing is frozen."""
    found, before = system.dissipation.instant, played.step.before
    return Instant(before.x, before.x, played.t, played.h, before.v) if found is None else found
