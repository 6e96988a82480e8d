"""Where dissipation was frozen: for the whole step, at the middle that the step found, or at a state that was asked about."""

from __future__ import annotations

from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.sensitivity.rehearsal.program import Force, Row
from supple.sensitivity.replay import Played


def frozen_in_step(played: Played) -> bool:
    """Whether any dissipation is taken at one place of the whole step."""
    return played.system.dissipation.changes and played.system.dissipation.instant is not None


def instant_of(played: Played, middle: Row | None, force: Force | None = None) -> Instant:
    """The instant at which dissipation is taken."""
    if force is not None and force.place is not None and not force.middle:
        before = played.step.before
        return Instant(before.x, played.of(force.place), played.t + force.time, played.h, played.of(force.point))
    return instant_in(played, played.system if middle is None else played.system.moved(played.of(middle)))


def instant_in(played: Played, system: System) -> Instant:
    """That of a system as it is in the step; the start of the step if nothing is frozen in it."""
    found, before = system.dissipation.instant, played.step.before
    return Instant(before.x, before.x, played.t, played.h, before.v) if found is None else found
