"""Pairs of a surface that are near each other, found once for a neighbourhood of a configuration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.contact.distances import squared_distances
from supple.contact.mollifier import PARALLEL
from supple.contact.pairs import EDGE_EDGE, POINT_TRIANGLE
from supple.contact.surface import Surface
from supple.types import Array, Ints

KEPT = 8
"""Neighbourhoods that are remembered: those of the nodes of a quadrature rule along a step."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of one kind: corners in the system, and what their energies are multiplied by."""

    kind: int
    corners: Ints
    """(m, 4) vertices of the system."""
    weight: Array
    """(m,) area that the pair stands for [m^2]."""
    threshold: Array
    """(m,) squared cross product below which edges are nearly parallel [m^4]; zero for points and triangles."""
    offset: Array
    """(m,) distance at which its gap is zero: half of both thicknesses [m]."""

    def nearer(self, x: Array, reach: float) -> Pairs:
        """Those whose gap is smaller than `reach` [m] at x."""
        mask = squared_distances(self.kind, x, self.corners) < (reach + self.offset) ** 2
        return self._chosen(mask)

    def pressed(self, x: Array) -> Pairs:
        """Those without a gap at x."""
        return self._chosen(squared_distances(self.kind, x, self.corners) <= self.offset**2)

    def joined(self, other: Pairs) -> Pairs:
        """All pairs of both, each once."""
        corners, first = np.unique(np.concatenate([self.corners, other.corners]), axis=0, return_index=True)
        columns = ((self.weight, other.weight), (self.threshold, other.threshold), (self.offset, other.offset))
        return Pairs(self.kind, corners, *(np.concatenate(both)[first] for both in columns))

    def _chosen(self, mask: npt.NDArray[np.bool_]) -> Pairs:
        return Pairs(self.kind, self.corners[mask], self.weight[mask], self.threshold[mask], self.offset[mask])


class Touching:
    """Finds all pairs whose gap is smaller than `reach`."""

    def __init__(self, surface: Surface, reach: float) -> None:
        self.surface = surface
        self._reach = reach
        self._thickest = float(surface.thickness.max())
        self._margin = 0.5 * (reach + self._thickest)
        self._known: list[tuple[Array, tuple[Pairs, Pairs]]] = []

    def at(self, x: Array) -> tuple[Pairs, Pairs]:
        """Point-triangle and edge-edge pairs with a gap below the reach, in an order that depends on nothing else."""
        points, edges = self._near(x)
        return points.nearer(x, self._reach), edges.nearer(x, self._reach)

    def _near(self, x: Array) -> tuple[Pairs, Pairs]:
        """All pairs whose gap can be below the reach while no vertex moves by more than the margin."""
        y = self.surface.positions(x)
        for k, (centre, pairs) in enumerate(self._known):
            if np.abs(y - centre).max(initial=0.0) * np.sqrt(3.0) <= self._margin:
                self._known.append(self._known.pop(k))
                return pairs
        wide = self._reach + 2.0 * self._margin
        points, edges = self.surface.candidates(y, wide + self._thickest)
        near = self._points(points).nearer(x, wide), self._edges(edges).nearer(x, wide)
        self._known = [*self._known[1 - KEPT :], (y, near)]
        return near

    def _points(self, pairs: Ints) -> Pairs:
        s = self.surface
        corners = np.column_stack([pairs[:, 0], s.triangles[pairs[:, 1]]]).astype(np.int64)
        return Pairs(
            POINT_TRIANGLE,
            s.vertices[corners].astype(np.int32),
            s.vertex_areas[pairs[:, 0]] / 4.0,
            np.zeros(len(pairs)),
            (s.thickness[corners[:, 0]] + s.thickness[corners[:, 1]]) / 2.0,
        )

    def _edges(self, pairs: Ints) -> Pairs:
        s = self.surface
        lengths = np.sum((s.rest[s.edges[:, 1]] - s.rest[s.edges[:, 0]]) ** 2, axis=1)
        corners = np.column_stack([s.edges[pairs[:, 0]], s.edges[pairs[:, 1]]]).astype(np.int64)
        return Pairs(
            EDGE_EDGE,
            s.vertices[corners].astype(np.int32),
            s.edge_areas[pairs].sum(axis=1) / 4.0,
            PARALLEL * lengths[pairs].prod(axis=1),
            (s.thickness[corners[:, 0]] + s.thickness[corners[:, 2]]) / 2.0,
        )
