"""Where dissipation was frozen: for the whole step, at the middle that the step found, or at a state that was asked about."""

from __future__ import annotations

from supple.energies.instant import Instant
from supple.sensitivity.program import Force, Row
from supple.sensitivity.replay import Played


def frozen_in_step(played: Played) -> bool:
    """Whether any dissipation is taken at one place of the whole step."""
    return played.system.dissipation.changes and played.system.dissipation.instant is not None


def instant_of(played: Played, middle: Row | None, force: Force | None = None) -> Instant:
    """The instant at which dissipation is taken."""
    before = played.step.before
    if force is not None and force.place is not None and not force.middle:
        return Instant(before.x, played.of(force.place), played.t + force.time, played.h, played.of(force.point))
    system = played.system if middle is None else played.system.moved(played.of(middle))
    found = system.dissipation.instant
    return Instant(before.x, before.x, played.t, played.h, before.v) if found is None else found
