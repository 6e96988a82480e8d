"""Orientation of faces: consistent between neighbours, outwards on closed pieces."""

from __future__ import annotations

import numpy as np

from supple.mesh.faces.triangulate import face_normals, triangulated
from supple.mesh.mending.soup import Soup
from supple.types import Array, Ints


def turned_alike(soup: Soup) -> tuple[int, list[int]]:
    """Flip faces to the majority orientation of their piece. Returns the number flipped, and the piece of each face.

    Only edges between two faces decide; a face that cannot agree with all its neighbours (a Moebius band) stays as it
    is found.
    """
    beside: list[list[tuple[int, bool]]] = [[] for _ in soup.faces]
    for faces in soup.sides().values():
        if len(faces) == 2:
            (a, way_a), (b, way_b) = faces
            beside[a].append((b, way_a == way_b))
            beside[b].append((a, way_a == way_b))
    piece, turn = [-1] * len(soup.faces), [False] * len(soup.faces)
    count = 0
    for start in range(len(soup.faces)):
        if piece[start] >= 0:
            continue
        piece[start], waiting = count, [start]
        while waiting:
            face = waiting.pop()
            for other, opposed in beside[face]:
                if piece[other] < 0:
                    piece[other], turn[other] = count, turn[face] != opposed
                    waiting.append(other)
        count += 1
    area = np.linalg.norm(_normals(soup), axis=1)
    weight = np.where(turn, area, -area)
    balance = np.bincount(piece, weights=weight, minlength=count)
    final = [t != bool(balance[p] > 0) for t, p in zip(turn, piece, strict=True)]
    for face in np.flatnonzero(final).tolist():
        soup.turn(face)
    return int(sum(final)), piece


def turned_outwards(soup: Soup, piece: list[int]) -> int:
    """Flip closed pieces with negative volume that lie in no other piece. Returns the number of faces flipped.

    A closed piece inside another may be the wall of a cavity, which is correctly oriented the other way.
    """
    label = np.array(piece, dtype=np.int64)
    closed = np.ones(label.max(initial=-1) + 1, dtype=bool)
    for faces in soup.sides().values():
        if len(faces) != 2:
            closed[label[[k for k, _ in faces]]] = False
    starts = soup.x[[face[0].vertex for face in soup.faces]]
    volume = np.bincount(label, weights=np.einsum("ij,ij->i", starts, _normals(soup)) / 3.0, minlength=len(closed))
    turned = 0
    for k in np.flatnonzero(closed & (volume < 0)):
        if any(_holds(soup, label == other, label == k) for other in np.flatnonzero(closed) if other != k):
            continue
        for face in np.flatnonzero(label == k).tolist():
            soup.turn(face)
            turned += 1
    return turned


def _holds(soup: Soup, outer: np.ndarray, inner: np.ndarray) -> bool:
    """Whether a closed piece contains another: the solid angle of its faces, seen from there, is not zero."""
    point = soup.x[soup.faces[int(np.flatnonzero(inner)[0])][0].vertex]
    counts, corners = _arrays([face for face, mine in zip(soup.faces, outer, strict=True) if mine])
    wall = soup.x[corners]
    if (point < wall.min(axis=0)).any() or (point > wall.max(axis=0)).any():
        return False
    places, _ = triangulated(soup.x, counts, corners)
    return abs(_solid_angle(point, wall[places])) > 2 * np.pi


def _solid_angle(point: Array, triangles: Array) -> float:
    """Of triangles (t, 3, 3) seen from a point: 4 pi inside a closed surface, 0 outside (Van Oosterom and Strackee, 1983)."""
    a, b, c = (triangles[:, k] - point for k in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    dots = [np.einsum("ij,ij->i", p, q) for p, q in ((a, b), (b, c), (c, a))]
    below = la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb
    return float(2.0 * np.arctan2(np.einsum("ij,ij->i", a, np.cross(b, c)), below).sum())


def _normals(soup: Soup) -> Array:
    return face_normals(soup.x, *_arrays(soup.faces))


def _arrays(faces: list) -> tuple[Ints, Ints]:
    counts = np.array([len(face) for face in faces], dtype=np.int32)
    return counts, np.array([corner.vertex for face in faces for corner in face], dtype=np.int32)
