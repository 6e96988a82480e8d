"""Pairs of triangles and vertices, or of edges, that are near each other: found once, kept while nothing moves far.

A list holds all pairs whose gap at its centre is below reach + 2 margin. As long as no vertex is further than the margin from
the centre, all pairs within reach are in it; and a pair that was g apart there is at least g - 2 d apart where no vertex is
further away than d, which passes over most of them at the cost of one comparison. Answers depend on the place alone, not on
the lists that happen to be there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.contact.surfaces.additive_ccd import FELT, first_touch
from supple.contact.surfaces.distances import farthest, near_pairs, nearer, squared_distances
from supple.contact.surfaces.joining import missing
from supple.contact.surfaces.mollifier import PARALLEL
from supple.contact.surfaces.own_steps import is_within, joined_groups, stop_groups
from supple.contact.surfaces.pairs import EDGE_EDGE, POINT_TRIANGLE
from supple.contact.surfaces.surface import ContactSurface
from supple.errors import StepRejected
from supple.linalg.reduce import same
from supple.types import Array, Ints

KEPT = 8
"""Lists that are remembered: those of the nodes of a quadrature rule along a step."""
FEW, MANY = 1, 4
"""Pairs of a list, over the vertices and edges of the surface, below and above which the next margin is twice or half as large:
more pairs are passed over for longer."""
LONGEST = 0.25
"""Part of the surface's diagonal by which a step is followed at most: boxes around longer ones would overlap everywhere."""
MOST_PIECES = 1024
"""Pieces of that length in which a way is looked at; longer ones are refused."""
OWN = 8
"""Rounds in which groups of bodies are stopped one by one."""
LEFT = 0.1
"""Part of a gap that a step leaves."""
NEARLY_NONE = 1e-3
"""Part of a gap that has to be left for a contact not to count."""
ROUNDED = 1.0 + 1e-12
"""Lists reach further than they would have to by this factor: rounding must not decide what is in them."""


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

    def pressed(self, x: Array) -> Pairs:
        """Those without a gap at x."""
        return self.chosen(np.flatnonzero(squared_distances(self.kind, x, self.corners) <= self.offset**2))

    def joined(self, other: Pairs) -> Pairs:
        """All pairs of both, each once: these, and then those of the other that are not among them."""
        rows = missing(self.corners, other.corners)
        if not len(rows):
            return self
        more = other.chosen(rows)
        columns = ((self.weight, more.weight), (self.threshold, more.threshold), (self.offset, more.offset))
        return Pairs(self.kind, np.concatenate([self.corners, more.corners]), *map(np.concatenate, columns))

    def chosen(self, rows: np.ndarray) -> Pairs:
        """Those with these numbers."""
        return Pairs(self.kind, self.corners[rows], self.weight[rows], self.threshold[rows], self.offset[rows])


@dataclass(frozen=True)
class Neighbours:
    """Pairs that are near each other while no vertex of the surface is further than `margin` [m] from `centre` (s, 3)."""

    centre: Array
    margin: float
    pairs: tuple[Pairs, Pairs]
    gaps: tuple[Array, Array]
    """(m,) of the pairs at the centre [m]."""

    def nearer(self, x: Array, d: float, reach: float) -> tuple[Pairs, Pairs]:
        """Those whose gap is below `reach` at x, which is no further than d from the centre."""
        points, edges = (
            own.chosen(nearer(own.kind, x, own.corners, own.offset, gaps, ROUNDED * (reach + 2.0 * d), reach))
            for own, gaps in zip(self.pairs, self.gaps, strict=True)
        )
        return points, edges


class Touching:
    """Finds all pairs whose gap is smaller than `reach`, and how far they can move."""

    def __init__(self, surface: ContactSurface, reach: float) -> None:
        self.surface = surface
        self._reach = reach
        self._least = self._margin = 0.5 * (reach + surface.thickest)
        self._known: list[Neighbours] = []
        self._nothing = np.zeros((len(surface.vertices), 3))
        self._ways: tuple[Array, Array, tuple[Pairs, Pairs]] | None = None
        self._answers: list[tuple[Array, tuple[Pairs, Pairs]]] = []

    def at(self, x: Array) -> tuple[Pairs, Pairs]:
        """Point-triangle and edge-edge pairs with a gap below the reach, in an order that depends on nothing else."""
        for place, pairs in reversed(self._answers):
            if same(place, x):
                return pairs
        near, d = self._near(x)
        pairs = near.nearer(x, d, self._reach)
        self._answers = [*self._answers[1 - KEPT :], (x.copy(), pairs)]
        return pairs

    def free_step(self, x: Array, p: Array) -> float:
        """Largest multiple, at most 1, of p that x can move with a tenth of every gap left, or the reach."""
        longest, allowed = self._length(p), LONGEST * self._span(x)
        return self._free(x, p, LEFT, min(1.0, allowed / longest) if longest > 0.0 else 1.0, True)

    def groups(self, x: Array) -> Ints | None:
        """(n,) numbers of groups of bodies that are not within reach of each other at x; None if there is one only."""
        group = joined_groups(self.surface.bodies, tuple(pairs.corners for pairs in self.at(x)))
        return group if group.any() else None

    def own_steps(self, x: Array, p: Array) -> Array:
        """The move p (n, 3) with groups of bodies stopped one by one before what they would hit; p itself where none would, where
        there is one group only, and where moves are too long to be followed."""
        longest, group = self._length(p), self.groups(x)
        if group is None or not 0.0 < longest <= LONGEST * self._span(x):
            return p
        near, d = self._near(x)
        if longest <= near.margin - d:
            lists, certain = list(zip(near.pairs, near.gaps, strict=True)), self._reach + 2.0 * (d + longest)
        else:
            lists, certain = [(own, own.offset) for own in self._swept(x, p)], np.inf
        move, law = p, (LEFT, self._reach, FELT * self._reach)
        for _ in range(OWN):
            factor = np.ones(int(group.max()) + 1)
            for own, gaps in lists:
                stop_groups(own.kind, x, move, own.corners, own.offset, gaps, certain, *law, group, factor)
            if (factor == 1.0).all():
                break
            move = factor[group][:, None] * move
        return move

    def passes(self, x0: Array, x1: Array) -> bool:
        """Whether the surfaces themselves, without their thickness, would touch on the straight way from x0 to x1."""
        longest, allowed = self._length(x1 - x0), LONGEST * self._span(x0)
        if not longest <= MOST_PIECES * allowed:
            raise StepRejected(f"bodies would move by {longest:g} m, which is too far to look for contact on the way")
        pieces = int(np.ceil(longest / allowed)) if longest > allowed else 1
        step = (x1 - x0) / pieces
        return any(self._free(x0 + k * step, step, NEARLY_NONE, 1.0, False) < 1.0 for k in range(pieces))

    def _free(self, x: Array, p: Array, left: float, t: float, thick: bool) -> float:
        """The smallest of t and the times at which a pair that moves along p has no more than a part of its gap left. A pair that
        is not in the list is sure to be free for all but that part of the time for which the list is known to hold."""
        longest = self._length(p)
        if not np.isfinite(longest):
            return 0.0
        near, d = self._near(x)
        known = min(t, (near.margin - d) / longest) if longest > 0.0 else t
        certain = self._reach + 2.0 * (d + known * longest)
        hit, law = known, (left, self._reach, FELT * self._reach if thick else 0.0, t)
        for own, gaps in zip(near.pairs, near.gaps, strict=True):
            offset = own.offset if thick else np.zeros_like(gaps)
            hit = first_touch(own.kind, x, p, own.corners, offset, gaps, certain, *law, hit)
        if hit < (1.0 - left) * known or known == t:
            return hit
        for own in self._swept(x, t * p):
            offset = own.offset if thick else np.zeros_like(own.offset)
            t = first_touch(own.kind, x, p, own.corners, offset, offset, np.inf, *law, t)
        return t

    def _swept(self, x: Array, p: Array) -> tuple[Pairs, Pairs]:
        """Pairs that may come within reach while x moves along p. Those of a longer move from the same place hold for parts of
        it, which a line search asks for."""
        if self._ways is None or not same(self._ways[0], x) or not is_within(p, self._ways[1]):
            places = self.surface.positions(x), self.surface.positions(x + p)
            points, edges = self.surface.candidates(places, self._reach + self.surface.thickest)
            self._ways = x.copy(), p.copy(), (self._points(points), self._edges(edges))
        return self._ways[2]

    def _near(self, x: Array) -> tuple[Neighbours, float]:
        """A list that holds at x, and how far x is from its centre."""
        for k in reversed(range(len(self._known))):
            d = farthest(x, self.surface.vertices, self._known[k].centre)
            if d <= self._known[k].margin:
                self._known.append(self._known.pop(k))
                return self._known[-1], d
        found = self._found(x, self._margin)
        if not np.isfinite(found.centre).all():
            return found, 0.0
        size, room = sum(map(len, found.gaps)), len(found.centre) + len(self.surface.edges)
        if size < FEW * room:
            self._margin = min(2.0 * self._margin, self._span(x))
        elif size > MANY * room:
            self._margin = max(self._least, 0.5 * self._margin)
        self._known = [*self._known[1 - KEPT :], found]
        return found, 0.0

    def _found(self, x: Array, margin: float) -> Neighbours:
        wide, y = ROUNDED * (self._reach + 2.0 * margin), self.surface.positions(x)
        s = self.surface
        points, edges = s.candidates((y,), wide + s.thickest)
        alone = np.arange(len(y), dtype=np.int32)[:, None]
        points, gaps = _listed(POINT_TRIANGLE, y, alone, s.triangles, points, s.thickness, wide)
        edges, more = _listed(EDGE_EDGE, y, s.edges, s.edges, edges, s.thickness, wide)
        return Neighbours(y, margin, (self._points(points), self._edges(edges)), (gaps, more))

    def _length(self, p: Array) -> float:
        """Of the longest move of a vertex of the surface."""
        return float(farthest(p, self.surface.vertices, self._nothing))

    def _span(self, x: Array) -> float:
        """Diagonal of the box around the surface."""
        return float(np.linalg.norm(np.ptp(self.surface.positions(x), axis=0)))

    def _points(self, pairs: Ints) -> Pairs:
        s = self.surface
        corners = np.column_stack([pairs[:, 0], s.triangles[pairs[:, 1]]])
        return Pairs(
            POINT_TRIANGLE,
            s.vertices[corners],
            s.vertex_areas[pairs[:, 0]] / 4.0,
            np.zeros(len(pairs)),
            (s.thickness[corners[:, 0]] + s.thickness[corners[:, 1]]) / 2.0,
        )

    def _edges(self, pairs: Ints) -> Pairs:
        s = self.surface
        corners = np.column_stack([s.edges[pairs[:, 0]], s.edges[pairs[:, 1]]])
        return Pairs(
            EDGE_EDGE,
            s.vertices[corners],
            s.edge_areas[pairs].sum(axis=1) / 4.0,
            PARALLEL * s.squared_lengths[pairs].prod(axis=1),
            (s.thickness[corners[:, 0]] + s.thickness[corners[:, 2]]) / 2.0,
        )


def _listed(
    kind: int, y: Array, first: Ints, second: Ints, pairs: Ints, thickness: Array, reach: float
) -> tuple[Ints, Array]:
    """Pairs whose gap is below `reach` at y, in ascending order, and these gaps."""
    kept, gaps = near_pairs(kind, y, first, second, pairs, thickness, reach)
    order = np.argsort(kept[:, 0].astype(np.int64) * max(len(second), 1) + kept[:, 1], kind="stable")
    return kept[order], gaps[order]
