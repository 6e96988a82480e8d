"""The embedded surface of a body of tets: `body.surface`, the surface inside a cage, `mesh.skin`, or a filled file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.errors import SceneError, SuppleError, did_you_mean
from supple.mesh.cages.lattice import lattice_around, touched
from supple.mesh.cages.parts import surface_parts
from supple.mesh.embedding.binding import Binding
from supple.mesh.embedding.bound_parts import bind_surface, part_tags
from supple.mesh.embedding.fit import check_fit, check_surface
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface as faces_of
from supple.model.body import Body
from supple.model.obstacle import MeshObstacle
from supple.model.points.points import Points
from supple.model.source import CoarseFile, MeshFile, read_surface
from supple.types import Ints

SEARCHED = 20.0
"""Cells along the longest side for the search for intersecting parts of a surface."""


@dataclass(frozen=True, eq=False)
class CarriedSurface:
    """A surface bound to the vertices of a body."""

    mesh: Mesh
    binding: Binding
    everywhere: bool
    """Whether it replaces the body in all pictures and files; else only in exports of surfaces."""
    notes: tuple[str, ...] = ()
    """Notes on vertices outside the tets."""


def carried_surface(of: Body | MeshObstacle, mesh: Mesh, path: str, up: str = "y") -> CarriedSurface | None:
    """The surface of a body with that mesh at rest, in a world with the given up axis; None if it has none."""
    key, file, everywhere = _named(of, mesh)
    if file is None:
        return None
    try:
        _demand_tets(of, mesh, key)
        source = of.mesh if isinstance(of.mesh, MeshFile) else None
        surface = file if isinstance(file, Mesh) else read_surface(source, file, up)
        where = "the mesh" if isinstance(file, Mesh) else file
        check_surface(where, surface)
        binding = bind_surface(surface.vertices, mesh, _parts(surface, mesh))
        scaling = "mesh.scale" if isinstance(of.mesh, MeshFile) else "write it scaled by"
        notes = check_fit(where, binding, float(np.linalg.norm(mesh.extent)), scaling)
    except SuppleError as error:
        raise SceneError(f"{path}.{key}: {error}") from None
    # the file itself always lies slightly outside the tets that fill it
    own = isinstance(of.mesh, MeshFile) and file is of.mesh.file
    return CarriedSurface(surface, binding, everywhere, () if own else tuple(notes))


def vertices_carrying(body: Body, mesh: Mesh, path: str, wanted: str | tuple[int, ...], where: str, up: str) -> Ints:
    """Vertices of a body that carry a group of its surface, or the given vertices of the surface, ascending."""
    carried = carried_surface(body, mesh, path, up)
    if carried is None:
        raise SceneError(f"{where}: this body carries no surface; give it one by surface or mesh.cage")
    groups = carried.mesh.groups
    if isinstance(wanted, str) and wanted not in groups:
        known = ", ".join(sorted(groups)) or "none"
        raise SceneError(
            f"{where}: unknown group '{wanted}' of the surface{did_you_mean(wanted, groups)} known: {known}"
        )
    members = groups[wanted] if isinstance(wanted, str) else np.asarray(wanted, dtype=np.int64)
    if members.max(initial=-1) >= carried.mesh.n:
        raise SceneError(f"{where}: the surface has {carried.mesh.n} vertices, found index {members.max()}")
    return carried.binding.carriers(members)


def _named(of: Body | MeshObstacle, mesh: Mesh) -> tuple[str, str | Mesh | None, bool]:
    """The key of a surface, the surface, and whether it is shown everywhere."""
    source = of.mesh
    if isinstance(of, Body) and of.surface is not None:
        return "surface", of.surface if isinstance(of.surface, Mesh) else str(of.surface), True
    if not isinstance(source, MeshFile) or (isinstance(of, Body) and isinstance(of.points, Points)):
        return "", None, False
    if source.cage is not None:
        return "mesh.cage", source.file if isinstance(of, Body) and mesh.is_solid else None, True
    filled = source.file if source.edge_length is not None and mesh.is_solid else None
    return "mesh.skin", source.skin or filled, False


def _demand_tets(of: Body | MeshObstacle, mesh: Mesh, key: str) -> None:
    word = "surface" if key == "surface" else "skin"
    if isinstance(of, Body) and isinstance(of.points, Points):
        raise SuppleError(f"a {word} is carried by tets, but this body is a cloud of points; leave {word} out")
    if isinstance(of.mesh, CoarseFile):
        raise SuppleError("a coarse body is displayed as the fine surface in its file; leave surface out")
    if not mesh.is_solid:
        raise SuppleError(
            f"a {word} is carried by tets, but this mesh has none; leave {word} out, or give edge_length or cage"
        )


def _parts(surface: Mesh, mesh: Mesh) -> Ints:
    """(k,) part index of each vertex, if the tets are a cage that keeps parts separate."""
    if part_tags(mesh) is None:
        return np.zeros(surface.n, dtype=np.int32)
    faces = faces_of(surface)
    size = float(np.ptp(surface.vertices, axis=0).max()) / SEARCHED
    near = touched(lattice_around(surface.vertices, size or 1.0), surface.vertices[faces])
    return surface_parts(surface.vertices, [surface.edges, faces], near, faces)[1]
