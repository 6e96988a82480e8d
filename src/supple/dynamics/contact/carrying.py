"""Where a search begins when an obstacle has moved into a body: the body has been moved along.

A stage has prescribed vertices where they are at the end of the step. A body that did not move meanwhile may then be inside of
an obstacle, or behind it, and a minimum found from there is on the wrong side. So free bodies in the way of something that
moves are moved with it, rigidly. That is only where the search begins; it decides on which side of the obstacle it ends.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.contact.connected import connected
from supple.dynamics.system import System
from supple.types import Array

NOTHING = 1e-12
"""Part of the size of what is prescribed by which it must move to move anything along."""


def carried(system: System, x: Array, placed: Array) -> Array:
    """`placed`, which is x with what is prescribed in its new place, with bodies moved along that would be run into; `placed`
    itself if there are none, or if moving them along does not help."""
    if not system.motion.moves or system.potential.max_step(x, placed - x) >= 1.0:
        return placed
    label = connected(system)
    held = np.isin(label, label[system.motion.held(system.n)])
    moved = placed.copy()
    for prescribed in system.motion.prescribed:
        if not prescribed.moves:
            continue
        before, after = x[prescribed.vertices], placed[prescribed.vertices]
        if np.abs(after - before).max() <= NOTHING * np.ptp(before, axis=0).max():
            continue
        for body in np.unique(label[~held]):
            own = np.flatnonzero(label == body)
            if _in_the_way(x[own], before, after):
                moved[own] = _along(before, after, x[own])
    return moved if system.potential.max_step(x, moved - x) >= 1.0 else placed


def _in_the_way(y: Array, before: Array, after: Array) -> bool:
    """Whether the box around points y overlaps that around a move, widened by its length."""
    room = np.linalg.norm(after - before, axis=1).max()
    low, high = np.minimum(before, after).min(axis=0) - room, np.maximum(before, after).max(axis=0) + room
    return bool((y.min(axis=0) <= high).all() and (y.max(axis=0) >= low).all())


def _along(before: Array, after: Array, y: Array) -> Array:
    """Points y after the rigid motion nearest to that from `before` to `after`."""
    a, b = before.mean(axis=0), after.mean(axis=0)
    U, _, Vt = np.linalg.svd((before - a).T @ (after - b))
    U[:, 2] *= np.sign(np.linalg.det(U @ Vt))
    return (y - a) @ (U @ Vt) + b
