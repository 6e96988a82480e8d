"""Holes of a surface: the rims that its open edges form, and faces that close the small ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.mesh.mending.soup import Corner, Soup, runs


@dataclass(frozen=True)
class Hole:
    """The rim of a hole, in the direction of a face that would close it."""

    rim: tuple[int, ...]
    width: float
    """Diagonal of its bounding box [m]."""
    part: float
    """The same relative to the diagonal of its piece."""
    beside: int
    """A face at the rim."""


def find_holes(soup: Soup, piece: list[int]) -> list[Hole]:
    """All closed rims; open edges that form none are ignored."""
    ways: dict[int, list[tuple[int, int]]] = {}
    sides = soup.sides()
    for number, face in enumerate(soup.faces):
        for a, b in runs(face):
            if len(sides[min(a, b), max(a, b)]) == 1:
                ways.setdefault(b, []).append((a, number))  # a closing face runs in the opposite direction
    size = _sizes(soup, piece)
    found = []
    while ways:
        for rim, beside in _rims(ways):
            width = float(np.linalg.norm(np.ptp(soup.x[list(rim)], axis=0)))
            found.append(Hole(rim, width, width / (size[piece[beside]] or 1.0), beside))
    return found


def close_hole(soup: Soup, hole: Hole) -> None:
    """Add a face without texture coordinates, named like a neighbouring face."""
    soup.faces.append([Corner(vertex) for vertex in hole.rim])
    soup.source.append(soup.source[hole.beside])


def _rims(ways: dict[int, list[tuple[int, int]]]) -> list[tuple[tuple[int, ...], int]]:
    """Walk from some vertex along open edges, consuming them; each time the path meets itself a rim is split off."""
    at = next(iter(ways))
    way, found = [at], []
    while at in ways:
        at, face = ways[at].pop()
        if not ways[way[-1]]:
            del ways[way[-1]]
        if at in way:
            k = way.index(at)
            if len(way) - k > 2:
                found.append((tuple(way[k:]), face))
            way = way[: k + 1]
        else:
            way.append(at)
    return found


def _sizes(soup: Soup, piece: list[int]) -> list[float]:
    """Diagonal of the bounding box of each piece [m]."""
    corners: dict[int, set[int]] = {}
    for k, face in zip(piece, soup.faces, strict=True):
        corners.setdefault(k, set()).update(corner.vertex for corner in face)
    return [float(np.linalg.norm(np.ptp(soup.x[list(corners[k])], axis=0))) for k in range(len(corners))]
