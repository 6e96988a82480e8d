"""Visible geometry of a mesh: faces, lines without faces, and isolated vertices; for bodies with an embedded fine surface,
that surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from supple.mesh.embedding.cover import Cover
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface as faces_of
from supple.recording.film import Film
from supple.types import Ints
from supple.viewer.slot import Singles


def _nobody() -> Ints:
    return np.empty(0, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Skin:
    """A surface that moves with a body, whose vertices start at `first` among those of a PageSurface."""

    first: int
    cover: Cover

    @property
    def rows(self) -> slice:
        return slice(self.first, self.first + self.cover.bound)

    @property
    def nearest(self) -> Ints:
        """(f,) the vertex with the largest weight for each surface point, among those of a PageSurface."""
        return self.cover.grips + np.int32(self.first)


@dataclass(frozen=True, eq=False)
class PageSurface:
    """`faces`, `edges` and `lone` count within the points: `vertices`, then those of the skins."""

    vertices: Ints
    """(k,) vertices of the mesh that are visible or move a skin, ascending."""
    faces: Ints
    """(f, 3) triangles."""
    edges: Ints
    """(e, 2) lines with an end on no triangle: ropes."""
    skins: tuple[Skin, ...] = ()
    lone: Ints = field(default_factory=_nobody)
    """(l,) points of clouds."""

    @property
    def skinned(self) -> Ints:
        """Vertices (0 to k - 1) of the bodies shown only by their skins."""
        return np.concatenate([np.empty(0, np.int32), *(np.r_[skin.rows] for skin in self.skins)]).astype(np.int32)

    def points(self, x: Singles) -> Singles:
        """All points when the vertices are at x (k, 3)."""
        fine = [skin.cover.positions(x[skin.rows].astype(np.float64)) for skin in self.skins]
        return np.concatenate([x, *fine]).astype(np.float32) if fine else x

    def values(self, values: Singles) -> Singles:
        """Values at all points from those at the vertices (k,)."""
        fine = [skin.cover.mean(values[skin.rows].astype(np.float64)) for skin in self.skins]
        return np.concatenate([values, *fine]).astype(np.float32) if fine else values

    def grip(self, point: int) -> int:
        """The vertex (0 to k - 1) to pull for one of the points."""
        k = len(self.vertices)
        return point if point < k else int(np.concatenate([skin.nearest for skin in self.skins])[point - k])


def mesh_surface(mesh: Mesh, covers: Sequence[tuple[int, Cover]] = ()) -> PageSurface:
    """All bodies of a mesh at once; `covers`: fine surfaces of bodies, and the first vertex of each body."""
    inner = np.isin(mesh.triangles, mesh.tets).all(axis=1) if mesh.is_solid else np.zeros(len(mesh.triangles), bool)
    faces = faces_of(mesh)
    if mesh.is_solid:  # other bodies of the scene may be cloth
        faces = np.concatenate([faces, mesh.triangles[~inner]])
    edges = mesh.edges[~np.isin(mesh.edges, mesh.tets).all(axis=1)]
    cells = np.concatenate([cells.ravel() for cells in (mesh.tets, mesh.triangles, mesh.edges)])
    lone = np.setdiff1d(np.arange(mesh.n, dtype=np.int32), cells)
    if not covers:
        return _surface(faces, edges, lone)
    spans = [np.arange(first, first + cover.bound, dtype=np.int32) for first, cover in covers]
    plain = _surface(faces[~np.isin(faces[:, 0], np.concatenate(spans))], edges, lone, np.concatenate(spans))
    skins = tuple(
        Skin(int(np.searchsorted(plain.vertices, span[0])), cover)
        for span, (_, cover) in zip(spans, covers, strict=True)
    )
    places = np.cumsum([len(plain.vertices), *(cover.n for _, cover in covers)]).tolist()[:-1]
    pairs = list(zip(places, (cover for _, cover in covers), strict=True))
    fine = [cover.triangles + np.int32(place) for place, cover in pairs]
    lines = [cover.edges + np.int32(place) for place, cover in pairs]
    return PageSurface(
        plain.vertices, np.concatenate([plain.faces, *fine]), np.concatenate([plain.edges, *lines]), skins, plain.lone
    )


def film_surface(film: Film) -> PageSurface:
    """All bodies and mesh obstacles of a recorded run at once; shapes are static and drawn separately."""
    parts = [part for part in film.parts if part.shape is None]
    return _surface(
        np.concatenate([part.vertices[part.faces] for part in parts]),
        np.concatenate([part.vertices[part.edges] for part in parts]),
        np.concatenate([part.vertices[: len(part.vertices) if part.cloud else 0] for part in parts]),
    )


def _surface(faces: Ints, edges: Ints, lone: Ints, more: Ints | None = None) -> PageSurface:
    """`more`: additional vertices."""
    edges = edges[~np.isin(edges, faces).all(axis=1)]
    also = np.empty(0, dtype=np.int32) if more is None else more
    seen = np.unique(np.concatenate([faces.ravel(), edges.ravel(), lone, also])).astype(np.int32)
    local = [np.searchsorted(seen, cells).astype(np.int32) for cells in (faces, edges, lone)]
    return PageSurface(seen, local[0], local[1], lone=local[2])
