"""What a minimised step past the edges of shapes lacks, made good by a kick.

The force f = w Q n1 of a minimised step (obstacle.py) does the work f . dy, not w (phi1 - phi0): before flat faces that is the
same, before round ones nearly, and past an edge it is not. The equation of the exact step has no such gap, but past edges it
may have no solution near the minimum. Then a body that lacks the energy e gets it by the smallest change of its velocities:
    v -> v sqrt(1 - e/K),   K = 1/2 |v|_M^2
A shape stands still, so that it may take any momentum. Before round shapes e is of third order in the step, and so the order of
the method stays.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.connected import connected
from supple.dynamics.path import Path, discrete_gradient
from supple.dynamics.system import System
from supple.types import Array

LARGEST = 0.1
"""Part of the kinetic energy that a kick may give or take; a step that lacks more is not good enough to be taken."""


def kicked(system: System, path: Path, x0: Array, x1: Array, v1: Array) -> Array | None:
    """(n, 3) velocities after the kick; None if it would be too large."""
    short = np.einsum("ni,ni->n", discrete_gradient(path.shapes, x0, x1) - path.shapes_part(x1), x1 - x0)
    body, v = connected(system), system.on_free(v1)
    e = np.bincount(body, short)
    K = np.bincount(body, 0.5 * system.mass * np.einsum("ni,ni->n", v, v))
    if not (np.abs(e) <= LARGEST * K).all():
        return None
    factor = np.sqrt(1.0 - np.divide(e, K, out=np.zeros_like(e), where=K > 0.0))
    return v1 + (factor[body] - 1.0)[:, None] * v
