"""The damping with which the slowest motion of a body decays at a given rate.

Strain is damped in proportion to stiffness, which does not affect flight and rotation. Motion with a restoring force
by weight or tension, such as the swing of a curtain, has hardly any strain: it is damped in proportion to mass, by
drag.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.damping.damper import Damping
from supple.damping.drag import AirDrag
from supple.model.direction.direction import LEFT
from supple.types import Array

STRAIN = 0.5
"""Elastic fraction above which a motion counts as strain."""
CRITICAL = 0.7
"""Largest chosen damping ratio: beyond it bodies creep back, and more damping does not settle them faster."""


@dataclass(frozen=True)
class Decays:
    """Motions of a body as input for the choice; arrays (k,)."""

    omega: Array
    """Angular frequencies [rad/s]."""
    others: Array
    """Decay rates without the body's own damping: by the method and by dampers of the scene [1/s]."""
    own: Array
    """Decay rates by the body's own damping, or by such damping of unit strength [1/s]."""
    elastic: Array
    """Fraction of their stiffness due to strain [-]."""


@dataclass(frozen=True)
class Chosen:
    """Damping of a body."""

    factor: float
    """Factor on its own damping, or strength of such damping."""
    drag: float
    """Additional drag rate [1/s]."""
    decay: float
    """Decay rate of the slowest motion [1/s]."""
    omega: float
    """Angular frequency of that motion [rad/s]."""

    @property
    def seconds(self) -> float:
        """Settling time [s]."""
        return -float(np.log(LEFT)) / self.decay

    def dampings(self, own: tuple[Damping, ...]) -> tuple[Damping, ...]:
        """The damping of the body; `own`: its existing or possible damping."""
        scaled = tuple(damping.scaled(self.factor) for damping in own) if self.factor else ()
        return (*scaled, AirDrag(self.drag)) if self.drag else scaled


def choose(found: Decays, wanted: float, natural: float) -> Chosen:
    """The damping for a target decay rate of motions [1/s]; `natural`: strength of the body's own damping."""
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
