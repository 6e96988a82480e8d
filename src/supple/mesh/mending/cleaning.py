"""Degenerate faces: repeated corners, no area, duplicates."""

from __future__ import annotations

import numpy as np

from supple.mesh.doctor import FLAT
from supple.mesh.faces.triangulate import face_normals
from supple.mesh.mending.soup import Corner, Face, Soup

PASSES = 20
"""Passes of the search for faces without area: removing one may create another."""


def without_repeated_corners(soup: Soup) -> int:
    """Merge repeated consecutive corners and remove faces with fewer than three. Returns the number removed."""
    soup.faces = [
        [c for c, last in zip(f, [f[-1], *f[:-1]], strict=True) if c.vertex != last.vertex] for f in soup.faces
    ]
    return soup.keep([len({corner.vertex for corner in face}) > 2 for face in soup.faces])


def without_copies(soup: Soup) -> int:
    """Keep the first of faces with the same vertices. Returns the number removed."""
    seen: set[frozenset[int]] = set()
    which = []
    for face in soup.faces:
        key = frozenset(corner.vertex for corner in face)
        which.append(key not in seen)
        seen.add(key)
    return soup.keep(which)


def without_flat_faces(soup: Soup) -> int:
    """Remove faces without area; their neighbours close the gap. Returns the number removed.

    A face with collinear corners runs along its longest side a-b and back through the others. The neighbour at a-b
    takes over the others as corners, so the surface stays closed.
    """
    gone = 0
    for _ in range(PASSES):
        flat = _flat(soup)
        if not flat.any():
            break
        sides = soup.sides()
        touched: set[int] = set()
        which = [True] * len(soup.faces)
        for number in np.flatnonzero(flat).tolist():
            face = _from_longest_side(soup, number)
            a, b = face[0].vertex, face[1].vertex
            others = [k for k, _ in sides[min(a, b), max(a, b)] if k != number]
            if number in touched or any(k in touched for k in others):
                continue  # in the next pass, when the sides are known again
            if len(others) == 1:
                soup.faces[others[0]] = _widened(soup, soup.faces[others[0]], face)
            touched |= {number, *others}
            which[number] = False
        gone += soup.keep(which)
        gone += without_repeated_corners(soup)
    return gone


def _flat(soup: Soup) -> np.ndarray:
    counts = np.array([len(face) for face in soup.faces], dtype=np.int32)
    corners = np.array([corner.vertex for face in soup.faces for corner in face], dtype=np.int32)
    area = np.linalg.norm(face_normals(soup.x, counts, corners), axis=1)
    starts = np.cumsum(counts) - counts
    following = np.arange(1, len(corners) + 1)
    following[starts + counts - 1] = starts
    length = np.linalg.norm(soup.x[corners[following]] - soup.x[corners], axis=1)
    longest = np.maximum.reduceat(length, starts) if len(starts) else np.empty(0)
    return np.asarray(area <= FLAT * longest**2)


def _from_longest_side(soup: Soup, number: int) -> Face:
    """The corners of a face, the two ends of its longest side first."""
    face = soup.faces[number]
    x = soup.x[[corner.vertex for corner in face]]
    k = int(np.linalg.norm(np.roll(x, -1, axis=0) - x, axis=1).argmax())
    return face[k:] + face[:k]


def _widened(soup: Soup, neighbour: Face, flat: Face) -> Face:
    """The neighbour with the inner corners of a flat face between the ends of the side that they share."""
    a, b = flat[0].vertex, flat[1].vertex
    inner = [corner.vertex for corner in flat[2:]]  # on the way from b to a
    vertices = [corner.vertex for corner in neighbour]
    for k, vertex in enumerate(vertices):
        following = (k + 1) % len(vertices)
        if {vertex, vertices[following]} == {a, b}:
            way = inner if vertex == b else inner[::-1]
            new = [_between(soup, neighbour[k], neighbour[following], v) for v in way]
            return neighbour[: k + 1] + new + neighbour[k + 1 :]
    return neighbour


def _between(soup: Soup, start: Corner, end: Corner, vertex: int) -> Corner:
    """A corner on the side from `start` to `end`, with texture coordinates between theirs."""
    if start.uv < 0 or end.uv < 0:
        return Corner(vertex, -1, start.smooth)
    side = soup.x[end.vertex] - soup.x[start.vertex]
    s = float(np.clip(side @ (soup.x[vertex] - soup.x[start.vertex]) / (side @ side), 0.0, 1.0))
    (u0, v0), (u1, v1) = soup.uv[start.uv], soup.uv[end.uv]
    soup.uv.append((u0 + s * (u1 - u0), v0 + s * (v1 - v0)))
    return Corner(vertex, len(soup.uv) - 1, start.smooth)
