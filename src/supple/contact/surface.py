"""The triangles that can touch: candidates, and collision-free steps and intersections as the IPC Toolkit finds them.

Vertices of the surface are numbered on their own; `vertices` says which ones of the system they are. Vertices with the
same patch number never meet: those of all obstacles, and those of a body without self-contact.

Surfaces may be open: both sides count, and so do the edges and vertices of the border. What is thick is met at half its
thickness from its triangles. The toolkit keeps one distance in a move, so it keeps the smallest that any pair has; pairs that
need more are kept apart by their energy, which is infinite there.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from supple.contact.sweep import near_edges, near_triangles
from supple.errors import SuppleError
from supple.types import Array, Ints

LONGEST = 0.25
"""Part of the surface's diagonal by which a step is followed at most: boxes around longer ones would overlap everywhere."""

NEARLY_ALL = 0.999
"""Part of a gap that has to be used up for a contact to count."""


class Surface:
    """Triangles over the vertices of a system, at their rest positions."""

    def __init__(self, rest: Array, triangles: Ints, patches: Ints, thickness: Array | None = None) -> None:
        """rest (n, 3) of all vertices of the system [m], triangles (f, 3), patches (n,), thickness (n,) of what a vertex
        belongs to, none if absent [m]."""
        if not len(triangles):
            raise SuppleError("contact: there is no surface; bodies need triangles or tets to touch anything")
        self.vertices, compact = np.unique(triangles, return_inverse=True)
        self.triangles = np.ascontiguousarray(compact.reshape(-1, 3), dtype=np.int32)
        self.rest = np.asfortranarray(rest[self.vertices])
        self.patches = np.ascontiguousarray(patches[self.vertices], dtype=np.int32)
        self.thickness = np.zeros(len(self.rest)) if thickness is None else thickness[self.vertices].astype(np.float64)
        if not (np.isfinite(self.thickness) & (self.thickness >= 0.0)).all():
            raise SuppleError("contact: thicknesses must be finite and not negative")

    @cached_property
    def edges(self) -> Ints:
        """(e, 2) edges of the triangles."""
        return np.asarray(_toolkit().edges(self.triangles), dtype=np.int32)

    @cached_property
    def mesh(self) -> Any:
        """The toolkit's mesh."""
        ipctk = _toolkit()
        mesh = ipctk.CollisionMesh(self.rest, self.edges, self.triangles)
        mesh.can_collide = ipctk.make_vertex_patches_filter(self.patches)
        return mesh

    @cached_property
    def vertex_areas(self) -> Array:
        """(s,) a third of the triangles around each vertex [m^2]."""
        return np.array([self.mesh.vertex_area(i) for i in range(len(self.rest))])

    @cached_property
    def edge_areas(self) -> Array:
        """(e,) a third of the triangles beside each edge [m^2]."""
        return np.array([self.mesh.edge_area(i) for i in range(len(self.edges))])

    @cached_property
    def kept(self) -> float:
        """Smallest distance that any two vertices that can meet must keep: half of their thicknesses [m]."""
        thinnest = np.full(int(self.patches.max()) + 1, np.inf)
        np.minimum.at(thinnest, self.patches, self.thickness)
        least = np.sort(thinnest)[:2]
        return float(least.sum()) / 2.0 if np.isfinite(least).all() else 0.0

    def positions(self, x: Array) -> Array:
        """(s, 3) of the surface, as the toolkit likes them."""
        return np.asfortranarray(x[self.vertices])

    def candidates(self, y: Array, reach: float) -> tuple[Ints, Ints]:
        """Pairs (vertex, triangle) and (edge, edge) of the surface at y that may be nearer than `reach` [m], ascending."""
        y = np.ascontiguousarray(y)
        vertices = near_triangles(y, self.triangles, self.patches, reach)
        return vertices, near_edges(y, self.edges, self.patches, reach)

    def free_step(self, y: Array, p: Array) -> float:
        """Largest multiple, at most 1, of p that the surface at y can move without coming nearer to itself than `kept`."""
        ipctk = _toolkit()
        longest = float(np.abs(p).max(initial=0.0))
        allowed = LONGEST * float(np.linalg.norm(np.ptp(y, axis=0)))
        first = min(1.0, allowed / longest) if longest > 0.0 else 1.0
        end = np.asfortranarray(y + first * p)
        ccd = ipctk.AdditiveCCD()
        return first * float(ipctk.compute_collision_free_stepsize(self.mesh, y, end, self.kept, None, ccd))

    def passes(self, y0: Array, y1: Array) -> bool:
        """Whether the surface would touch itself on the straight way from y0 to y1."""
        ipctk = _toolkit()
        ccd = ipctk.AdditiveCCD(conservative_rescaling=NEARLY_ALL)
        longest = float(np.abs(y1 - y0).max(initial=0.0))
        allowed = LONGEST * float(np.linalg.norm(np.ptp(y0, axis=0)))
        pieces = int(np.ceil(longest / allowed)) if longest > allowed else 1
        way = [np.asfortranarray(y0 + t * (y1 - y0)) for t in np.linspace(0.0, 1.0, pieces + 1)]
        return not all(
            ipctk.is_step_collision_free(self.mesh, a, b, 0.0, None, ccd)  # True when free, whatever its manual says
            for a, b in pairwise(way)
        )

    def intersects(self, y: Array) -> bool:
        """Whether an edge passes through a triangle."""
        return bool(_toolkit().has_intersections(self.mesh, y))


def _toolkit() -> Any:
    import ipctk

    ipctk.set_num_threads(1)  # with more, steps differ in their last bits from run to run
    ipctk.set_logger_level(ipctk.LoggerLevel.error)  # starts that are too near are told by whoever asks
    return ipctk
