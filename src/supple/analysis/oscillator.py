"""One particle on a spring of rest length zero: the linear test problem of time integration, x'' = -omega^2 x.

The mass is 1 kg and the stiffness omega^2. The three coordinates are independent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.dynamics.system import System, build_system
from supple.energies.springs.anchor import Anchors
from supple.energies.term import EnergyTerm


def oscillator(omega: float, dissipation: Sequence[EnergyTerm] = ()) -> System:
    """A particle of 1 kg that oscillates with omega [rad/s]."""
    terms = [Anchors(np.zeros((1, 3)), omega * omega)]
    return build_system(np.zeros((1, 3)), np.ones(1), terms, dissipation=dissipation)
