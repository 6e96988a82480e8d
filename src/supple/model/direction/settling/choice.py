"""The damping with which the slowest motion of a body decays at a given rate.

Strain is damped in proportion to stiffness, which leaves flight and turning alone. Motion that weight or tension brings back,
such as the swing of a curtain, has hardly any strain: it is damped in proportion to mass, by drag.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.damping.damper import Damping
from supple.damping.drag import AirDrag
from supple.model.direction.direction import LEFT
from supple.types import Array

STRAIN = 0.5
"""Elastic share from which on a motion is one of strain."""
CRITICAL = 0.7
"""Largest damping ratio that is chosen: beyond it bodies creep back, and damping makes them no faster."""


@dataclass(frozen=True)
class Decays:
    """Motions of a body as the choice sees them; arrays (k,)."""

    omega: Array
    """Angular frequencies [rad/s]."""
    others: Array
    """Rates at which they decay without the body's own damping: by the method and by dampers of the scene [1/s]."""
    own: Array
    """Rates by the body's own damping, or by such damping of unit strength [1/s]."""
    elastic: Array
    """Part of their stiffness that is strain [-]."""


@dataclass(frozen=True)
class Chosen:
    """Damping of a body."""

    factor: float
    """On its own damping, or strength of such damping."""
    drag: float
    """Rate of drag beside it [1/s]."""
    decay: float
    """Rate at which the slowest motion decays [1/s]."""
    omega: float
    """Angular frequency of that motion [rad/s]."""

    @property
    def seconds(self) -> float:
        """Time after which it has settled [s]."""
        return -float(np.log(LEFT)) / self.decay

    def dampings(self, own: tuple[Damping, ...]) -> tuple[Damping, ...]:
        """The damping of the body, of which `own` is what it has, or what it could have."""
        scaled = tuple(damping.scaled(self.factor) for damping in own) if self.factor else ()
        return (*scaled, AirDrag(self.drag)) if self.drag else scaled


def choose(found: Decays, wanted: float, natural: float) -> Chosen:
    """The damping for motions to decay at the rate wanted [1/s]; `natural`: strength that the body's own damping has."""
    target = min(wanted, CRITICAL * float(found.omega.min()))
    strain = found.elastic >= STRAIN
    lacking = target - found.others - natural * found.own
    drag = 2.0 * float(np.max(lacking[~strain], initial=0.0))
    open_ = (target - found.others - 0.5 * drag)[strain]
    factor = float(np.max(open_ / found.own[strain], initial=0.0)) if (found.own[strain] > 0.0).all() else natural
    if drag > 0.0 or not strain.any():
        factor = max(factor, natural)
    decays = found.others + factor * found.own + 0.5 * drag
    slowest = int(np.argmin(decays))
    return Chosen(factor, drag, float(decays[slowest]), float(found.omega[slowest]))
