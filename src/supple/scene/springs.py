"""Which springs a mesh has: along its edges, and those whose ends slide."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.energies.generalised_spring import altitude_springs, axial_bending_springs
from supple.energies.term import EnergyTerm
from supple.errors import MeshError
from supple.mesh.mesh import Mesh
from supple.mesh.topology import unique_edges
from supple.scene.materials import SpringMaterial
from supple.types import Array, Ints


def spring_edges(material: SpringMaterial, mesh: Mesh) -> Ints:
    """The edges of the mesh, or those of its tets, if altitudes keep these from collapsing."""
    if mesh.is_solid and material.altitude:
        return unique_edges(mesh.tets)
    if not len(mesh.edges):
        raise MeshError(
            f"'{material.name}' needs a mesh with edges; take the shape cloth or rope, a solid material, "
            "or hooke-spring with `altitude` for tets of springs"
        )
    return mesh.edges


def sliding_springs(material: SpringMaterial, mesh: Mesh, vertices: Array, first: int) -> Iterator[EnergyTerm]:
    """Altitudes and axial bending springs of a body whose vertices begin at `first`."""
    cells = mesh.tets if mesh.is_solid else mesh.triangles
    if material.altitude:
        if not len(cells):
            raise MeshError("altitude: the mesh has neither tets nor triangles; take the shape cloth or a solid")
        yield altitude_springs(vertices, cells + np.int32(first), material.altitude)
    if material.axial:
        if not len(mesh.triangles):
            raise MeshError("axial: the mesh has no triangles that could bend; take the shape cloth")
        yield axial_bending_springs(vertices, mesh.triangles + np.int32(first), material.axial)
