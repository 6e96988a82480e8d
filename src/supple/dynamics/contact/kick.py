"""A velocity correction (kick) for the energy error of a minimised step through contact.

The contact force f = w Q n1 of a minimised step does the work f . dx, not w (phi1 - phi0). The two agree for flat
faces, nearly agree for curved ones, and differ past an edge. The equation of the exact step (polish.py) has no such
gap, but in hard impacts and past edges it may have no solution near the minimum. The missing energy e of a group of
touching bodies is then supplied by the smallest change of their velocities that conserves their momentum:
    v -> u + (v - u) sqrt(1 - e/K),   K = 1/2 |v - u|_M^2,   u the velocity of their centre of mass
or u = 0 if they touch an obstacle that can absorb any momentum, such as a shape or prescribed vertices. For smooth
surfaces e is of third order in the step, so the method keeps its order.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.contact.connected import connected
from supple.dynamics.path import Path, discrete_gradient
from supple.dynamics.system import System
from supple.types import Array, Ints

LARGEST = 0.1
"""Fraction of the kinetic energy that a kick may supply or remove; a step with a larger error is rejected."""


def kicked(system: System, path: Path, x0: Array, x1: Array, v1: Array) -> Array | None:
    """(n, 3) velocities after the kick; None if it would be too large."""
    short = np.einsum("ni,ni->n", discrete_gradient(path.closed, x0, x1) - path.closed_part(x1), x1 - x0)
    group, held = _groups(system, path, x0, x1)
    m = np.zeros(system.n)
    m[system.free] = system.mass[system.free]
    momentum = np.stack([np.bincount(group, m * v) for v in v1.T], axis=1)
    u = momentum / np.maximum(np.bincount(group, m), 1e-300)[:, None]
    u[held] = 0.0
    v = system.on_free(v1 - u[group])
    e, K = np.bincount(group, short), np.bincount(group, 0.5 * m * np.einsum("ni,ni->n", v, v))
    if not (np.abs(e) <= LARGEST * K).all():
        return None
    factor = np.sqrt(1.0 - np.divide(e, K, out=np.zeros_like(e), where=K > 0.0))
    return v1 + (factor[group] - 1.0)[:, None] * v


def _groups(system: System, path: Path, x0: Array, x1: Array) -> tuple[Ints, Ints]:
    """(n,) group index of touching bodies, and the groups that touch an obstacle that can absorb any momentum."""
    corners = [
        touch.corners for term in path.closed.roles.contacts for touch in term.presses(x0, x1) if len(touch.corners)
    ]
    group = connected(system, [own for own in corners if own.shape[1] > 1])
    before_shapes = [own.ravel() for own in corners if own.shape[1] == 1]
    anchors = np.concatenate([*before_shapes, np.flatnonzero(system.motion.held(system.n))]).astype(np.int64)
    return group, np.unique(group[anchors])
