"""Pairs of triangles across an edge, as used by bending: edge x0 x1, opposite corners x2 and x3.

In each triangle the opposite corner stands at the height h over the point (1 - t) x0 + t x1 of the edge's line. The
weight of a hinge is |e|/h_e with h_e = (hA + hB)/6, a third of the mean height (Grinspun et al. 2003). A hinge carries
the area A_e = (A_A + A_B)/3, a third of each triangle, so |e|/h_e = 3 |e|^2/(A_A + A_B).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.energies.springs.kinds import across_edges
from supple.errors import MeshError
from supple.mesh.measure import triangle_areas
from supple.types import Array, Ints

FLAT = 1e-9
"""Twice the area of a triangle over the square of its longest edge below which it is rejected."""


@dataclass(frozen=True)
class Hinges:
    """All edges between exactly two triangles, at rest. Edges of one triangle, or of three or more, do not bend."""

    elements: Ints
    """(m, 4) ends of the edge, opposite corners."""
    length: Array
    """(m,) |e| [m]."""
    height: Array
    """(m, 2) hA, hB [m]."""
    foot: Array
    """(m, 2) tA, tB [-]."""

    @property
    def weight(self) -> Array:
        """(m,) |e|/h_e [-]."""
        return 6.0 * self.length / self.height.sum(axis=1)

    @property
    def area(self) -> Array:
        """(m,) area that each hinge carries [m^2]."""
        return self.length * self.height.sum(axis=1) / 6.0


def hinges(rest: Array, triangles: Ints) -> Hinges:
    """Hinges of a mesh at rest, rest (n, 3) [m], triangles (f, 3) in any orientation."""
    _check(rest, triangles)
    elements = across_edges(triangles)
    return measured_hinges(elements, rest[elements])


def measured_hinges(elements: Ints, corners: Array) -> Hinges:
    """Hinges (m, 4) whose corners at rest are (m, 4, 3) [m]."""
    e = corners[:, 1] - corners[:, 0]
    square = np.einsum("mi,mi->m", e, e)
    d = corners[:, 2:] - corners[:, :1]
    foot = np.einsum("mai,mi->ma", d, e) / square[:, None]
    height = np.linalg.norm(np.cross(d, e[:, None]), axis=2) / np.sqrt(square)[:, None]
    return Hinges(elements, np.sqrt(square), height, foot)


def _check(rest: Array, triangles: Ints) -> None:
    corners = rest[triangles]
    longest = np.square(corners - np.roll(corners, 1, axis=1)).sum(axis=2).max(axis=1, initial=0.0)
    flat = ~(2.0 * triangle_areas(rest, triangles) > FLAT * longest)
    if flat.any():
        raise MeshError(
            f"bending: {flat.sum()} triangles have no area, the first is triangle {np.flatnonzero(flat)[0]}; "
            "remove or remesh them"
        )
