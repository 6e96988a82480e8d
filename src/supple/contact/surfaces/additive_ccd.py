"""Free displacement of pairs before they touch: additive continuous collision detection (Li, Kaufman and Jiang 2021).

A pair whose corners move by p_a, less their mean, approaches by no more than l per unit of t, l the largest |p_a| of
one side plus that of the other side. So from a gap g it can advance by g/l; this is repeated until a tenth of the
initial gap is left. A pair that is out of reach stops at half the reach: the next iteration includes its force, but not
an excessive one.

The advance of a pair depends on that pair alone: neither the other pairs of a list nor the smallest t so far affect it.
The smallest t of a list therefore does not depend on its order, nor on pairs in it that are never hit.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.distances import squared_distance
from supple.contact.surfaces.pair_energy import take
from supple.contact.surfaces.pairs import EDGE_EDGE

ROUNDS = 100_000
"""Largest number of advances of one pair, after which the current t is accepted."""
NEXT = 0.9
"""Fraction of the guaranteed free distance used in each advance."""
FELT = 0.5
"""Fraction of the reach at which a pair stops that was out of reach."""
ALL = np.arange(4)
"""Corners of a single pair."""


@njit(cache=True, nogil=True)
def _approach(kind, p):
    """l of the displacements p (4, 3), from which their mean is subtracted."""
    for i in range(3):
        mean = 0.25 * (p[0, i] + p[1, i] + p[2, i] + p[3, i])
        for a in range(4):
            p[a, i] -= mean
    first = second = 0.0
    for a in range(4):
        square = p[a, 0] * p[a, 0] + p[a, 1] * p[a, 1] + p[a, 2] * p[a, 2]
        if a == 0 or (kind == EDGE_EDGE and a == 1):
            first = max(first, square)
        else:
            second = max(second, square)
    return np.sqrt(first) + np.sqrt(second)


@njit(cache=True, nogil=True)
def pair_touch(kind, x, p, corners, xi, left, reach, felt, whole, t, y0, y, q, rounds):
    """The smaller of t and the time up to `whole` at which the gap of one pair has shrunk to a limit.

    In this time x (n, 3) moves along p (n, 3). The limit is the part `left` of the gap at x, or the reach if that is
    less. For a pair out of reach it is the gap `felt`, unless that is zero. y0, y and q (4, 3) are scratch; rounds
    (1,) is the number of advances left for all pairs.
    """
    take(p, corners, q)
    speed = _approach(kind, q)
    if speed == 0.0:
        return t
    gap = np.sqrt(squared_distance(kind, x, corners)) - xi
    if gap <= 0.0:
        return 0.0
    stop = felt if gap > reach and felt > 0.0 else min(left * gap, reach)
    moved = (1.0 - left) * gap / speed
    if moved >= t or gap - speed * whole > stop:
        return t
    take(x, corners, y0)
    gap *= left
    for _ in range(ROUNDS):
        further = min(moved + NEXT * gap / speed, whole)
        if moved >= t or further == moved or rounds[0] <= 0:
            break
        rounds[0] -= 1
        for a in range(4):
            for i in range(3):
                y[a, i] = y0[a, i] + further * q[a, i]
        gap = np.sqrt(squared_distance(kind, y, ALL)) - xi
        if gap <= stop:
            break
        moved = further
    return min(t, moved)


@njit(cache=True, nogil=True)
def first_touch(kind, x, p, corners, offset, gaps, certain, left, reach, felt, whole, t, rounds):
    """The smallest of t and the times up to `whole` at which a pair of the list is left with too small a gap, see `pair_touch`.
    Pairs with `gaps` above `certain` are sure not to be hit. rounds (1,): how many moves are left."""
    y0, y, q = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    for e in range(len(corners)):
        if gaps[e] <= certain:
            t = pair_touch(kind, x, p, corners[e], offset[e], left, reach, felt, whole, t, y0, y, q, rounds)
    return t
