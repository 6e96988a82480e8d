"""One particle on a spring of rest length zero: the linear test problem of time integration, x'' = -omega^2 x.

The mass is 1 kg and the stiffness omega^2. The three coordinates do not know of each other.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.system import System, build_system
from supple.energies.anchor import Anchors


def oscillator(omega: float) -> System:
    """A particle of 1 kg that swings with omega [rad/s]."""
    return build_system(np.zeros((1, 3)), np.ones(1), [Anchors(np.zeros((1, 3)), omega * omega)])
