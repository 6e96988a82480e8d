"""Pairs of triangles and vertices, or of edges, that are close to each other: found once, kept while nothing moves far.

A list holds all pairs whose gap at its centre is below reach + 2 margin. As long as no vertex is further than the
margin from the centre, all pairs within reach are in it. A pair with gap g there has at least the gap g - 2 d where no
vertex is further away than d, which excludes most pairs at the cost of one comparison. Results depend on the
configuration alone, not on the cached lists.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.contact.surfaces.additive_ccd import FELT, first_touch
from supple.contact.surfaces.distances import farthest, near_pairs, nearer, squared_distances
from supple.contact.surfaces.effort import count_pairs, require_rounds, rounds_left
from supple.contact.surfaces.joining import missing
from supple.contact.surfaces.mollifier import PARALLEL
from supple.contact.surfaces.own_steps import is_within, joined_groups, stop_groups
from supple.contact.surfaces.pairs import EDGE_EDGE, POINT_TRIANGLE
from supple.contact.surfaces.surface import ContactSurface
from supple.errors import StepRejected
from supple.linalg.reduce import same
from supple.types import Array, Ints

KEPT = 8
"""Number of cached lists: enough for the nodes of a quadrature rule along a step."""
FEW, MANY = 1, 4
"""Pairs of a list, over the vertices and edges of the surface, below and above which the next margin is twice or half
as large. With a larger margin, more pairs are stored for longer."""
LONGEST = 0.25
"""Longest tracked step as a fraction of the surface's diagonal: boxes around longer ones would overlap everywhere."""
MOST_PIECES = 1024
"""Number of segments of that length in which a path is checked; longer paths are rejected."""
OWN = 8
"""Rounds in which groups of bodies are stopped one by one."""
LEFT = 0.1
"""Fraction of a gap that a step leaves."""
NEARLY_NONE = 1e-3
"""Fraction of a gap that must remain for a pair not to count as a contact."""
ROUNDED = 1.0 + 1e-12
"""Safety factor on the reach of lists, so round-off does not decide their content."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of one kind: corners in the system, and factors of their energies."""

    kind: int
    corners: Ints
    """(m, 4) vertices of the system."""
    weight: Array
    """(m,) area represented by the pair [m^2]."""
    threshold: Array
    """(m,) squared cross product below which edges are nearly parallel [m^4]; zero for points and triangles."""
    offset: Array
    """(m,) distance at which its gap is zero: half of both thicknesses [m]."""

    def pressed(self, x: Array) -> Pairs:
        """Those without a gap at x."""
        return self.chosen(np.flatnonzero(squared_distances(self.kind, x, self.corners) <= self.offset**2))

    def joined(self, other: Pairs) -> Pairs:
        """The union of both, without duplicates: these pairs, then the new ones of the other."""
        rows = missing(self.corners, other.corners)
        if not len(rows):
            return self
        more = other.chosen(rows)
        columns = ((self.weight, more.weight), (self.threshold, more.threshold), (self.offset, more.offset))
        return Pairs(self.kind, np.concatenate([self.corners, more.corners]), *map(np.concatenate, columns))

    def chosen(self, rows: np.ndarray) -> Pairs:
        """The pairs with these indices."""
        return Pairs(self.kind, self.corners[rows], self.weight[rows], self.threshold[rows], self.offset[rows])


@dataclass(frozen=True)
class Neighbours:
    """Pairs that are close to each other while no vertex of the surface is further than `margin` [m] from `centre` (s, 3)."""

    centre: Array
    margin: float
    pairs: tuple[Pairs, Pairs]
    gaps: tuple[Array, Array]
    """(m,) gaps of the pairs at the centre [m]."""

    def nearer(self, x: Array, d: float, reach: float) -> tuple[Pairs, Pairs]:
        """Those whose gap is below `reach` at x, which is no further than d from the centre."""
        points, edges = (
            own.chosen(nearer(own.kind, x, own.corners, own.offset, gaps, ROUNDED * (reach + 2.0 * d), reach))
            for own, gaps in zip(self.pairs, self.gaps, strict=True)
        )
        return points, edges


class Touching:
    """Finds all pairs whose gap is smaller than `reach`, and their free displacements."""

    def __init__(self, surface: ContactSurface, reach: float) -> None:
        self.surface = surface
        self._reach = reach
        self._least = self._margin = 0.5 * (reach + surface.thickest)
        self._size = len(surface.vertices) + len(surface.edges)
        self._known: list[Neighbours] = []
        self._nothing = np.zeros((len(surface.vertices), 3))
        self._ways: tuple[Array, Array, tuple[Pairs, Pairs]] | None = None
        self._answers: list[tuple[Array, tuple[Pairs, Pairs]]] = []

    def at(self, x: Array) -> tuple[Pairs, Pairs]:
        """Point-triangle and edge-edge pairs with a gap below the reach, in a deterministic order."""
        for place, pairs in reversed(self._answers):
            if same(place, x):
                return pairs
        near, d = self._near(x)
        pairs = near.nearer(x, d, self._reach)
        count_pairs(sum(len(own.weight) for own in pairs), self._size)
        self._answers = [*self._answers[1 - KEPT :], (x.copy(), pairs)]
        return pairs

    def free_step(self, x: Array, p: Array) -> float:
        """Largest multiple, at most 1, of p that x can move with a tenth of every gap left, or the reach."""
        longest, allowed = self._length(p), LONGEST * self._span(x)
        return self._free(x, p, LEFT, min(1.0, allowed / longest) if longest > 0.0 else 1.0, True)

    def groups(self, x: Array) -> Ints | None:
        """(n,) indices of groups of bodies that are not within reach of each other at x; None if there is only one."""
        group = joined_groups(self.surface.bodies, tuple(pairs.corners for pairs in self.at(x)))
        return group if group.any() else None

    def own_steps(self, x: Array, p: Array) -> Array:
        """The displacement p (n, 3) with groups of bodies stopped individually before contact; p itself if none would
        touch, if there is only one group, or if displacements are too long to be tracked."""
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
                rounds = rounds_left(self._size)
                stop_groups(own.kind, x, move, own.corners, own.offset, gaps, certain, *law, group, factor, rounds)
                require_rounds(rounds, self._size)
            if (factor == 1.0).all():
                break
            move = factor[group][:, None] * move
        return move

    def passes(self, x0: Array, x1: Array) -> bool:
        """Whether the surfaces themselves, without their thickness, would touch on the straight path from x0 to x1."""
        longest, allowed = self._length(x1 - x0), LONGEST * self._span(x0)
        if not longest <= MOST_PIECES * allowed:
            raise StepRejected(f"bodies would move by {longest:g} m, which is too far to check for contact on the way")
        pieces = int(np.ceil(longest / allowed)) if longest > allowed else 1
        step = (x1 - x0) / pieces
        return any(self._free(x0 + k * step, step, NEARLY_NONE, 1.0, False) < 1.0 for k in range(pieces))

    def _free(self, x: Array, p: Array, left: float, t: float, thick: bool) -> float:
        """The smallest of t and the times at which a pair that moves along p has no more than a fraction of its gap
        left. A pair that is not in the list is guaranteed to be free for all but that fraction of the time for which
        the list is valid."""
        longest = self._length(p)
        if not np.isfinite(longest):
            return 0.0
        near, d = self._near(x)
        known = min(t, (near.margin - d) / longest) if longest > 0.0 else t
        certain = self._reach + 2.0 * (d + known * longest)
        hit, law = known, (left, self._reach, FELT * self._reach if thick else 0.0, t)
        for own, gaps in zip(near.pairs, near.gaps, strict=True):
            offset = own.offset if thick else np.zeros_like(gaps)
            hit = self._first(own, x, p, offset, gaps, certain, law, hit)
        if hit < (1.0 - left) * known or known == t:
            return hit
        for own in self._swept(x, t * p):
            offset = own.offset if thick else np.zeros_like(own.offset)
            t = self._first(own, x, p, offset, offset, np.inf, law, t)
        return t

    def _first(
        self,
        own: Pairs,
        x: Array,
        p: Array,
        offset: Array,
        gaps: Array,
        certain: float,
        law: tuple[float, ...],
        t: float,
    ) -> float:
        """`first_touch` with a limited number of moves."""
        rounds = rounds_left(self._size)
        t = first_touch(own.kind, x, p, own.corners, offset, gaps, certain, *law, t, rounds)
        require_rounds(rounds, self._size)
        return t

    def _swept(self, x: Array, p: Array) -> tuple[Pairs, Pairs]:
        """Pairs that may come within reach while x moves along p. The list of a longer displacement from the same start
        is valid for its shorter multiples, as used by a line search."""
        if self._ways is None or not same(self._ways[0], x) or not is_within(p, self._ways[1]):
            places = self.surface.positions(x), self.surface.positions(x + p)
            points, edges = self.surface.candidates(places, self._reach + self.surface.thickest)
            self._ways = x.copy(), p.copy(), (self._points(points), self._edges(edges))
        return self._ways[2]

    def _near(self, x: Array) -> tuple[Neighbours, float]:
        """A list that is valid at x, and the distance of x from its centre."""
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
        """Length of the longest displacement of a surface vertex."""
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
