"""Initial guess of a solve after an obstacle has moved into a body: the body is moved along.

A stage has prescribed vertices at their positions at the end of the step. A body at its old position may then be
inside an obstacle or behind it, and a minimum found from there is on the wrong side. Free bodies in the path of a
moving obstacle are therefore moved with it rigidly; of bodies constrained elsewhere, such as a pinned cloth, only the
nearby part. This affects only the initial guess, which determines the side of the obstacle on which the solution
lies.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.contact.connected import connected
from supple.dynamics.system import System
from supple.types import Array, Ints

NOTHING = 1e-12
"""Displacement of prescribed vertices, relative to their extent, above which bodies are moved along."""
NEIGHBOURS = 4
"""Number of vertices sampled for the vertex spacing of an obstacle."""


def carried(system: System, x: Array, placed: Array) -> Array:
    """`placed`, which is x with prescribed vertices at their new positions, with endangered bodies moved along;
    `placed` itself if there are none, or if moving them does not help."""
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
    if system.potential.max_step(x, moved - x) >= 1.0:
        return moved
    moved = _nearby(system, x, placed)
    return moved if system.potential.max_step(x, moved - x) >= 1.0 else placed


def _nearby(system: System, x: Array, placed: Array) -> Array:
    """`placed` with each free vertex moved along with nearby prescribed vertices, less with distance: for bodies that
    are constrained elsewhere, and for obstacles that change their size."""
    moved, free = placed.copy(), np.flatnonzero(~system.motion.held(system.n))
    most = np.zeros(system.n)
    for prescribed in system.motion.prescribed:
        before, after = x[prescribed.vertices], placed[prescribed.vertices]
        if prescribed.moves:
            own, part, along = _drawn(before, after, x[free])
            more = part > most[free[own]]
            drawn, part = free[own[more]], part[more]
            most[drawn], moved[drawn] = part, x[drawn] + part[:, None] * along[more]
    return moved


def _drawn(before: Array, after: Array, y: Array) -> tuple[Ints, Array, Array]:
    """Points y near a moving obstacle, the fraction of its displacement that they follow, and the displacement there."""
    from scipy.spatial import cKDTree

    tree = cKDTree(before)
    spacing = float(tree.query(before, k=min(len(before), NEIGHBOURS))[0].max())
    reach = 2.0 * (float(np.linalg.norm(after - before, axis=1).max()) + spacing)
    away, nearest = tree.query(y, distance_upper_bound=2.0 * reach)
    own = np.flatnonzero(away < 2.0 * reach)
    stretched = (after - _along(before, after, before))[nearest[own]]
    return (
        own.astype(np.int32),
        np.clip(2.0 - away[own] / reach, 0.0, 1.0),
        _along(before, after, y[own]) + stretched - y[own],
    )


def _in_the_way(y: Array, before: Array, after: Array) -> bool:
    """Whether the bounding box of points y overlaps the box of a displacement, widened by its length."""
    room = np.linalg.norm(after - before, axis=1).max()
    low, high = np.minimum(before, after).min(axis=0) - room, np.maximum(before, after).max(axis=0) + room
    return bool((y.min(axis=0) <= high).all() and (y.max(axis=0) >= low).all())


def _along(before: Array, after: Array, y: Array) -> Array:
    """Points y after the rigid motion that best fits `before` to `after`."""
    a, b = before.mean(axis=0), after.mean(axis=0)
    U, _, Vt = np.linalg.svd((before - a).T @ (after - b))
    U[:, 2] *= np.sign(np.linalg.det(U @ Vt))
    return (y - a) @ (U @ Vt) + b
