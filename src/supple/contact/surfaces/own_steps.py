"""Separate step lengths for groups of bodies: one corner approaching another body must not hold back a whole pile.

Groups are bodies that currently interact: they share one factor, since their displacements were solved together.
Wherever a pair would be left with too small a gap, both of its groups stop there. That changes the motion of others
relative to them, so the check is repeated until nothing is hit.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.additive_ccd import pair_touch
from supple.types import Ints


def joined_groups(bodies: Ints, corners: tuple[Ints, ...]) -> Ints:
    """Groups (n,) of vertices, given the bodies (n,) that they belong to: all corners (m, 4) of a pair have the same index."""
    root = np.arange(int(bodies.max(initial=-1)) + 1)
    for own in corners:
        _join(root, bodies, own)
    group = np.unique(_roots(root), return_inverse=True)[1]
    return np.asarray(group[bodies], dtype=np.int32)


@njit(cache=True, nogil=True, inline="always")
def _root(root, k):
    while root[k] != k:
        root[k] = root[root[k]]
        k = root[k]
    return k


@njit(cache=True, nogil=True)
def _join(root, group, corners):
    for e in range(len(corners)):
        for a in range(1, 4):
            i, j = _root(root, group[corners[e, 0]]), _root(root, group[corners[e, a]])
            root[max(i, j)] = min(i, j)


@njit(cache=True, nogil=True)
def _roots(root):
    for k in range(len(root)):
        root[k] = _root(root, k)
    return root


@njit(cache=True, nogil=True)
def stop_groups(kind, x, p, corners, offset, gaps, certain, left, reach, felt, group, factor, rounds):
    """factor (g,) = the smallest of itself and the times at which a pair of a group is left with too small a gap, see
    `first_touch`."""
    y0, y, q = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    for e in range(len(corners)):
        if gaps[e] > certain:
            continue
        first, last = group[corners[e, 0]], group[corners[e, 3]]
        t = max(factor[first], factor[last])
        hit = pair_touch(kind, x, p, corners[e], offset[e], left, reach, felt, 1.0, t, y0, y, q, rounds)
        if hit < t:
            factor[first], factor[last] = min(factor[first], hit), min(factor[last], hit)


@njit(cache=True, nogil=True)
def is_within(move, p):
    """Whether every coordinate of a displacement (n, 3) lies between zero and that of p (n, 3)."""
    for i in range(len(p)):
        for k in range(3):
            if move[i, k] * p[i, k] < 0.0 or abs(move[i, k]) > abs(p[i, k]):
                return False
    return True
