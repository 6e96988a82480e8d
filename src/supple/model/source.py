"""The source of a body's mesh: a shape, a file, a coarse body, or an existing mesh."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from supple.checks import checked
from supple.clips.reading import is_clip_file
from supple.coarsening.coarse_body import CoarseBody, load_coarse_body
from supple.errors import SuppleError
from supple.mesh.cages.cage import Cage, caged
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.shape import MeshShape
from supple.mesh.topology import surface
from supple.model.limits.estimate import Tally, counts_of, demand_filling
from supple.model.limits.limits import Limits
from supple.model.points.points import Filled
from supple.values import Positive


@checked
@dataclass(frozen=True)
class MeshFile:
    """A mesh from a file: tetrahedra, triangles or lines, or a closed surface to be filled with tetrahedra."""

    file: str
    """Path, relative to the folder of the scene file."""
    scale: Positive = 1.0
    """Factor on all coordinates, to metres [-]; in addition to the units declared in a USD stage."""
    edge_length: Positive | None = None
    """If given, the file is a closed surface, filled with tetrahedra of about this edge length, after scaling [m]."""
    skin: str | None = None
    """Path of a surface, in the units of the mesh file, shown in exports instead of the tetrahedra's own; the file
    itself if it is filled. `body.surface` is also shown in pictures."""
    object: str | None = None
    """Object in a file with several (.usd, .abc, .glb ...), by its name or path. For a USD stage the prim at rest,
    for others the first frame of a motion; the only one if absent."""
    up: Literal["x", "y", "z"] | None = None
    """Up axis of the file, overriding its declaration; rotated to the up axis of the scene."""
    cage: Cage | None = None
    """If given, the file is a surface of any kind, and the body is a cage of tetrahedra around it, displayed as that surface."""

    def __post_init__(self) -> None:
        if self.object is not None and not is_clip_file(self.file):
            raise SuppleError(f"object is for files with several moving objects, found it with {Path(self.file).name}")
        if self.cage is not None and (self.edge_length is not None or self.skin is not None):
            other = "edge_length" if self.edge_length is not None else "skin"
            raise SuppleError(f"give either cage or {other}, found both; a cage is displayed as the file itself")


@checked
@dataclass(frozen=True)
class CoarseFile:
    """A body written by `supple coarsen`."""

    coarse: str
    """Path of the .npz file, relative to the folder of the scene file."""
    contact: Literal["coarse", "fine"] = "coarse"
    """Surface in contact with the shapes of obstacles: the surface of the coarse tets, or the embedded fine surface."""


MeshSource: TypeAlias = MeshShape | MeshFile | CoarseFile | Mesh


@dataclass(frozen=True)
class FoundMesh:
    """The mesh of a source, notes on repairs, its coarse body, and the solid filled by particles."""

    mesh: Mesh
    notes: tuple[str, ...] = ()
    coarse: CoarseBody | None = None
    filled: Filled | None = None
    """The solid, if the mesh consists of the particles in it."""

    @property
    def solid(self) -> Mesh:
        """The mesh with its elements, also for a body of particles."""
        return self.mesh if self.filled is None else self.filled.solid


def as_source(mesh: MeshSource | str | Path) -> MeshSource:
    """A path as a mesh file; everything else unchanged."""
    if not isinstance(mesh, str | Path):
        if not isinstance(mesh, Mesh | MeshFile | CoarseFile) and not callable(getattr(mesh, "mesh", None)):
            raise SuppleError(
                f"mesh: found {mesh!r}; give a shape such as supple.Bar(...), a Mesh, or the path of a file"
            )
        return mesh
    return CoarseFile(str(mesh)) if str(mesh).endswith(".npz") else MeshFile(str(mesh))


def find(source: MeshSource, up: str = "y", limits: Limits | None = None, path: str = "mesh") -> FoundMesh:
    """The mesh, in a world with the given up axis; raises an error for invalid files. `path`: location in the world."""
    limits = limits or Limits()
    if isinstance(source, Mesh):
        _finite(source)
        return FoundMesh(source)
    if isinstance(source, CoarseFile):
        body = load_coarse_body(Path(source.coarse))
        return FoundMesh(body.mesh, coarse=body)
    if not isinstance(source, MeshFile):
        Tally(limits).add(path, counts_of(source))
        return FoundMesh(source.mesh())
    from supple.mesh.tetrahedralise import tetrahedralise
    from supple.model.clips.meshes import mesh_in_file

    if source.cage is not None:
        found = caged(read_surface(source, source.file, up), source.cage, source.file)
        return FoundMesh(found.mesh, (found.summary,))
    mesh, notes = mesh_in_file(source, up)
    if source.edge_length is not None:
        demand_filling(limits, path, mesh, source.edge_length)
        mesh = tetrahedralise(mesh, edge_length=source.edge_length)
        notes.append(f"filled with {len(mesh.tets)} tets")
    return FoundMesh(mesh, tuple(notes))


def read_surface(source: MeshFile | None, file: str, up: str = "y") -> Mesh:
    """The unmodified surface in a file, in metres and with the world's up axis, positioned like the mesh `source`. It
    is not checked by the doctor, since it is not simulated."""
    from supple.model.clips.meshes import plain_mesh

    if source is None:
        return plain_mesh(MeshFile(file), up)[0]
    return plain_mesh(replace(source, file=file, object=source.object if file == source.file else None), up)[0]


def _finite(mesh: Mesh) -> None:
    bad = np.flatnonzero(~np.isfinite(mesh.vertices).all(axis=1))
    if len(bad):
        raise SuppleError(
            f"{len(bad)} of {mesh.n} vertices are not finite, the first is {bad[0]} at {mesh.vertices[bad[0]].tolist()}"
        )


def shell(mesh: Mesh) -> Mesh:
    """Only the surface of a mesh."""
    triangles = surface(mesh)
    if not len(triangles):
        raise SuppleError(
            "the mesh has no triangles; an obstacle needs a surface: a solid, a cloth, or a file with one"
        )
    kept, numbers = np.unique(triangles, return_inverse=True)
    polygons = None if mesh.is_solid or mesh.polygons is None else mesh.polygons
    if polygons is not None:
        polygons = polygons.renumbered(np.searchsorted(kept, np.arange(mesh.n)).astype(np.int32))
    return Mesh(mesh.vertices[kept], triangles=numbers.reshape(-1, 3).astype(np.int32), polygons=polygons)
