"""Overlapping boxes: sorted into strips along one axis, and swept along another within each strip.

    vertex i, triangle T:  box(i) and box(T) overlap on all axes        edges E, F:  boxes overlap on all axes
Boxes enclose configurations (a vertex is a point), or motions between two of them; the caller adds the reach. Excluded
are pairs that share a vertex, pairs whose corners all have the same patch, and pairs of two parts that ignore each
other. A box is listed in every strip that it overlaps, and a pair counts in the first strip that lists both. So large
boxes among small ones cost no more than their overlaps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.contact.surfaces.effort import PAIRS, looks_left, require_complete
from supple.contact.surfaces.meeting import Meeting
from supple.types import Array, Ints

MOST = 1024
"""Largest number of strips."""


@dataclass(frozen=True)
class Boxes:
    """(m, 3) lowest and highest corners."""

    low: Array
    high: Array


@dataclass(frozen=True)
class Strips:
    """The boxes in each of `count` strips of equal width."""

    first: Ints
    """(m,) first strip of each box."""
    start: Ints
    """(count + 1,) start of each strip's list in `items`."""
    items: Ints
    """Box indices, in each strip in the order of their lower ends on the axis of the sweep."""


def boxes(places: tuple[Array, ...], elements: Ints, reach: float) -> Boxes:
    """Boxes around elements (m, k) at all of these positions (n, 3), enlarged by the reach on every side."""
    low, high = np.full((len(elements), 3), np.inf), np.full((len(elements), 3), -np.inf)
    for y in places:
        _widen(y, elements, low, high)
    return Boxes(low - reach, high + reach)


@njit(cache=True, nogil=True)
def _widen(y, elements, low, high):
    """Boxes (m, 3) enlarged to contain elements (m, k) at y (n, 3); a NaN stays."""
    for e in range(len(elements)):
        for a in range(elements.shape[1]):
            for i in range(3):
                value = y[elements[e, a], i]
                if not value >= low[e, i]:
                    low[e, i] = value
                if not value <= high[e, i]:
                    high[e, i] = value


def near_triangles(places: tuple[Array, ...], triangles: Ints, meeting: Meeting, reach: float) -> Ints:
    """(p, 2) vertices and triangles that come within reach of each other at a configuration, or between two, unordered."""
    points = boxes(places, np.arange(len(places[0]), dtype=np.int32)[:, None], 0.0)
    faces = boxes(places, triangles, reach)
    across, along = _axes(places[0])
    a, b = _strips(points, faces, across, along), _strips(faces, faces, across, along)
    size = len(points.low) + len(triangles)
    pairs, looks = _vertices_near_triangles(
        a.first, a.start, a.items, points.low, points.high, b.first, b.start, b.items, faces.low, faces.high, along,
        triangles, meeting.patches, meeting.parts, meeting.blind, PAIRS, looks_left(size),
    )  # fmt: skip
    return require_complete(pairs, looks, size)


def near_edges(places: tuple[Array, ...], edges: Ints, meeting: Meeting, reach: float) -> Ints:
    """(p, 2) pairs of such edges, the smaller index first."""
    own = boxes(places, edges, 0.5 * reach)
    across, along = _axes(places[0])
    strips = _strips(own, own, across, along)
    pairs, looks = _edges_near_edges(
        strips.first, strips.start, strips.items, own.low, own.high, along, edges,
        meeting.patches, meeting.parts, meeting.blind, PAIRS, looks_left(len(edges)),
    )  # fmt: skip
    return require_complete(pairs, looks, len(edges))


def _axes(y: Array) -> tuple[int, int]:
    """The two axes on which the surface spreads most."""
    spread = np.argsort(-np.ptp(y, axis=0), kind="stable")
    return int(spread[0]), int(spread[1])


def _strips(these: Boxes, others: Boxes, across: int, along: int) -> Strips:
    """Strips with the width of typical boxes, covering all of them."""
    low, high = float(np.min(others.low[:, across])), float(np.max(others.high[:, across]))
    width = float(np.median(others.high[:, across] - others.low[:, across]))
    count = int(min((high - low) / width, MOST)) if width > 0.0 and np.isfinite(high - low) else 1
    count = max(count, 1)
    scale = count / (high - low) if count > 1 else 0.0
    first, last = (
        np.clip((end[:, across] - low) * scale, 0, count - 1).astype(np.int32)
        if count > 1
        else np.zeros(len(end), np.int32)
        for end in (these.low, these.high)
    )
    order = np.argsort(these.low[:, along], kind="stable")
    start, items = _stood(order, first, last, count)
    return Strips(first, start, items)


@njit(cache=True, nogil=True)
def _stood(order, first, last, count):
    """Start of each strip's list, and the lists."""
    start = np.zeros(count + 1, dtype=np.int64)
    for i in range(len(order)):
        for k in range(first[i], last[i] + 1):
            start[k + 1] += 1
    for k in range(count):
        start[k + 1] += start[k]
    items, free = np.empty(start[count], dtype=np.int32), start[:count].copy()
    for s in range(len(order)):
        i = order[s]
        for k in range(first[i], last[i] + 1):
            items[free[k]] = i
            free[k] += 1
    return start, items


@njit(cache=True, nogil=True)
def _grown(pairs):
    more = np.empty((2 * len(pairs), 2), dtype=np.int32)
    more[: len(pairs)] = pairs
    return more


@njit(cache=True, nogil=True, inline="always")
def _apart(low, high, s, other_low, other_high, r):
    if low[s, 0] > other_high[r, 0] or other_low[r, 0] > high[s, 0]:
        return True
    if low[s, 1] > other_high[r, 1] or other_low[r, 1] > high[s, 1]:
        return True
    return low[s, 2] > other_high[r, 2] or other_low[r, 2] > high[s, 2]


@njit(cache=True, nogil=True, inline="always")
def _meet(i, corners, patches, parts, blind):
    """Whether vertex i and a triangle may touch at all."""
    a, b, c = corners[0], corners[1], corners[2]
    own = patches[i]
    if i in (a, b, c) or (patches[a] == own and patches[b] == own and patches[c] == own):
        return False
    return not blind[parts[i], parts[a]]


@njit(cache=True, nogil=True)
def _vertices_near_triangles(
    first, start, items, low, high, face_first, face_start, face_items, face_low, face_high, along, triangles, patches,
    parts, blind, most, looks,
):  # fmt: skip
    """Two boxes meet where the lower end of one is in the span of the other; the first list takes precedence where both
    are equal. Also returns the remaining comparisons. The list is incomplete beyond `most` pairs, or with no comparison left."""
    pairs, count = np.empty((1024, 2), dtype=np.int32), 0
    for k in range(len(start) - 1):
        a, b = start[k], face_start[k]
        while a < start[k + 1] and b < face_start[k + 1]:
            leads = low[items[a], along] <= face_low[face_items[b], along]
            # the box that begins first, and boxes of the other list that begin before it ends
            end = high[items[a], along] if leads else face_high[face_items[b], along]
            c = b if leads else a
            while c < (face_start[k + 1] if leads else start[k + 1]):
                i, t = (items[a], face_items[c]) if leads else (items[c], face_items[b])
                if (face_low[t, along] if leads else low[i, along]) > end:
                    break
                c += 1
                if max(first[i], face_first[t]) != k or _apart(low, high, i, face_low, face_high, t):
                    continue
                if _meet(i, triangles[t], patches, parts, blind):
                    if count == len(pairs):
                        pairs = _grown(pairs)
                    pairs[count, 0], pairs[count, 1] = i, t
                    count += 1
            looks -= c - (b if leads else a)
            if count > most or looks < 0:
                return pairs[:count], looks
            if leads:
                a += 1
            else:
                b += 1
    return pairs[:count], looks


@njit(cache=True, nogil=True)
def _edges_near_edges(first, start, items, low, high, along, edges, patches, parts, blind, most, looks):
    """Each edge of a strip and those that begin after it, before it ends; also returns the remaining comparisons."""
    pairs, count = np.empty((1024, 2), dtype=np.int32), 0
    for k in range(len(start) - 1):
        for s in range(start[k], start[k + 1]):
            i = items[s]
            a, b, end = edges[i, 0], edges[i, 1], high[i, along]
            own = patches[a]
            alike = patches[b] == own
            r = s
            for r in range(s + 1, start[k + 1]):
                j = items[r]
                if low[j, along] > end:
                    break
                if max(first[i], first[j]) != k or _apart(low, high, i, low, high, j):
                    continue
                c, d = edges[j, 0], edges[j, 1]
                if a in (c, d) or b in (c, d) or (alike and patches[c] == own and patches[d] == own):
                    continue
                if blind[parts[a], parts[c]]:
                    continue
                if count == len(pairs):
                    pairs = _grown(pairs)
                pairs[count, 0], pairs[count, 1] = min(i, j), max(i, j)
                count += 1
            looks -= r - s
            if count > most or looks < 0:
                return pairs[:count], looks
    return pairs[:count], looks
