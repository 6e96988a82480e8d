"""The triangles that can touch, as the IPC Toolkit sees them: candidates, collision-free steps, intersections.

Vertices of the surface are numbered on their own; `vertices` says which ones of the system they are. Vertices with the
same patch number never meet: those of all obstacles, and those of a body without self-contact.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.types import Array, Ints

LONGEST = 0.25
"""Part of the surface's diagonal by which a step is followed at most: boxes around longer ones would overlap everywhere."""

NEARLY_ALL = 0.999
"""Part of a gap that has to be used up for a contact to count."""


class Surface:
    """Triangles over the vertices of a system, at their rest positions."""

    def __init__(self, rest: Array, triangles: Ints, patches: Ints) -> None:
        """rest (n, 3) of all vertices of the system [m], triangles (f, 3), patches (n,)."""
        if not len(triangles):
            raise SuppleError("contact: there is no surface; bodies need triangles or tets to touch anything")
        self.vertices, compact = np.unique(triangles, return_inverse=True)
        self.triangles = np.ascontiguousarray(compact.reshape(-1, 3), dtype=np.int32)
        self.rest = np.asfortranarray(rest[self.vertices])
        self.patches = np.ascontiguousarray(patches[self.vertices], dtype=np.int32)

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

    def positions(self, x: Array) -> Array:
        """(s, 3) of the surface, as the toolkit likes them."""
        return np.asfortranarray(x[self.vertices])

    def candidates(self, y: Array, reach: float) -> tuple[Ints, Ints]:
        """Pairs (vertex, triangle) and (edge, edge) of the surface at y that may be nearer than `reach` [m], sorted."""
        found = _toolkit().Candidates()
        found.build(self.mesh, y, y, reach / 2)
        points = np.array([(c.vertex_id, c.face_id) for c in found.fv_candidates], dtype=np.int32).reshape(-1, 2)
        edges = np.array([(c.edge0_id, c.edge1_id) for c in found.ee_candidates], dtype=np.int32).reshape(-1, 2)
        return _sorted(points), _sorted(np.sort(edges, axis=1))

    def free_step(self, y: Array, p: Array) -> float:
        """Largest multiple, at most 1, of p that the surface at y can move without touching itself."""
        ipctk = _toolkit()
        longest = float(np.abs(p).max(initial=0.0))
        allowed = LONGEST * float(np.linalg.norm(np.ptp(y, axis=0)))
        first = min(1.0, allowed / longest) if longest > 0.0 else 1.0
        end = np.asfortranarray(y + first * p)
        return first * float(ipctk.compute_collision_free_stepsize(self.mesh, y, end, 0.0, None, ipctk.AdditiveCCD()))

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


def _sorted(pairs: Ints) -> Ints:
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _toolkit() -> Any:
    import ipctk

    ipctk.set_num_threads(1)  # with more, steps differ in their last bits from run to run
    return ipctk
