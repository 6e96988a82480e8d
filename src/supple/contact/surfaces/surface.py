"""The triangles that can touch: candidates, and intersections found by the IPC Toolkit.

Vertices of the surface have their own indices; `vertices` maps them to the system. Some of them never touch: see
meeting.py.

Surfaces may be open: both sides count, and so do the edges and vertices of the border. Thick bodies are in contact at
half their thickness from their triangles.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.contact.surfaces.meeting import Meeting
from supple.contact.surfaces.sweep import near_edges, near_triangles
from supple.errors import SuppleError
from supple.types import Array, Ints


class ContactSurface:
    """Triangles over the vertices of a system, at their rest positions."""

    def __init__(self, rest: Array, triangles: Ints, meeting: Meeting | Ints, thickness: Array | None = None) -> None:
        """rest (n, 3) of all vertices of the system [m], triangles (f, 3), meeting: of all vertices, or only their patches (n,);
        thickness (n,) of the body of each vertex, zero if absent [m]."""
        if not len(triangles):
            raise SuppleError("contact: there is no surface; contact requires bodies with triangles or tets")
        self.vertices, compact = np.unique(triangles, return_inverse=True)
        self.vertices = self.vertices.astype(np.int32)
        self.triangles = np.ascontiguousarray(compact.reshape(-1, 3), dtype=np.int32)
        self.rest = np.asfortranarray(rest[self.vertices])
        whole = meeting if isinstance(meeting, Meeting) else Meeting.of(meeting)
        self.meeting = whole.at(self.vertices)
        self.bodies = whole.parts
        """(n,) indices of the bodies and obstacles that the vertices of the system belong to."""
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

    @property
    def patches(self) -> Ints:
        """(s,) patch indices, within which there is no contact."""
        return self.meeting.patches

    @cached_property
    def vertex_areas(self) -> Array:
        """(s,) a third of the triangles around each vertex [m^2]."""
        return np.array([self.mesh.vertex_area(i) for i in range(len(self.rest))])

    @cached_property
    def edge_areas(self) -> Array:
        """(e,) a third of the triangles beside each edge [m^2]."""
        return np.array([self.mesh.edge_area(i) for i in range(len(self.edges))])

    @cached_property
    def squared_lengths(self) -> Array:
        """(e,) squared lengths of the edges at rest [m^2]."""
        return np.asarray(np.sum((self.rest[self.edges[:, 1]] - self.rest[self.edges[:, 0]]) ** 2, axis=1))

    @cached_property
    def thickest(self) -> float:
        """Largest thickness [m]."""
        return float(self.thickness.max())

    def positions(self, x: Array) -> Array:
        """(s, 3) of the surface."""
        return np.ascontiguousarray(x[self.vertices])

    def candidates(self, places: tuple[Array, ...], reach: float) -> tuple[Ints, Ints]:
        """Pairs (vertex, triangle) and (edge, edge) that may come closer than `reach` [m] at a configuration of the
        surface (s, 3), or between two configurations."""
        vertices = near_triangles(places, self.triangles, self.meeting, reach)
        return vertices, near_edges(places, self.edges, self.meeting, reach)

    def intersects(self, y: Array) -> bool:
        """Whether an edge passes through a triangle."""
        if not self.meeting.blind.any():
            return bool(_toolkit().has_intersections(self.mesh, y))
        return any(self._seen(y, *seen) for seen in self.meeting.apart())

    def _seen(self, y: Array, seen: npt.NDArray[np.bool_], patches: Ints) -> bool:
        """The same of some of the vertices (s,), with other patches (s,)."""
        triangles = self.triangles[seen[self.triangles[:, 0]]]
        if not len(triangles):
            return False
        shell = ContactSurface(np.asarray(y), triangles, patches)
        return shell.intersects(shell.positions(y))


def _toolkit() -> Any:
    import ipctk

    ipctk.set_num_threads(1)  # with more, steps differ in their last bits from run to run
    ipctk.set_logger_level(ipctk.LoggerLevel.error)  # callers report starts that are too close
    return ipctk
