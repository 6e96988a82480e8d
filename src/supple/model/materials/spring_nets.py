"""The springs of a mesh: along its edges, across them, and with sliding ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np

from supple.energies.springs.generalised import altitude_springs, axial_bending_springs
from supple.energies.springs.kinds import across_edges
from supple.energies.springs.springs import HookeSprings
from supple.energies.springs.stiffness import stvk_stiffness, young_stiffness
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.mesh.measure import edge_lengths
from supple.mesh.mesh import Mesh
from supple.mesh.topology import unique_edges
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.model.materials.springs import SpringNet


def edge_stiffness(material: SpringNet, mesh: Mesh, thickness: float | None) -> tuple[Ints, Array]:
    """The springs of a mesh with non-zero stiffness, and their stiffness."""
    net = netted(material, mesh)
    if not material.young:
        return by_groups(net, material.stretch or 0.0, material.diagonal or 0.0, material.bend)
    stiffness = _from_young(material, net, thickness)
    if "bend" in net.edge_groups:
        stiffness[net.edge_groups["bend"]] = material.bend
    return _used(net, stiffness)


def by_groups(net: Mesh, stretch: float, shear: float, bend: float) -> tuple[Ints, Array]:
    """Edges with a non-zero value, and the values: one for diagonals, one for edges that span two, one for all others."""
    values = np.full(len(net.edges), stretch)
    for name, value in (("shear", shear), ("bend", bend)):
        values[net.edge_groups.get(name, np.empty(0, np.int32))] = value
    return _used(net, values)


def _used(net: Mesh, values: Array) -> tuple[Ints, Array]:
    used = values > 0.0
    return net.edges[used], values[used]


class Net(Protocol):
    """A material whose springs lie along edges."""

    @property
    def name(self) -> str: ...

    @property
    def altitude(self) -> float: ...


def netted(material: Net, mesh: Mesh) -> Mesh:
    """A mesh with the edges that become springs. A surface without edges gets those of its triangles (`stretch`), and
    `bend` between the corners opposite an edge; tets get their edges, if altitudes keep them from collapsing."""
    if mesh.is_solid and material.altitude:
        return Mesh(mesh.vertices, edges=unique_edges(mesh.tets), tets=mesh.tets)
    if len(mesh.edges):
        return mesh
    if mesh.is_solid or not len(mesh.triangles):
        raise MeshError(
            f"'{material.name}' needs a mesh with edges or triangles; take the shape cloth or rope, a solid material, "
            "or hooke-spring with `altitude` for tets of springs"
        )
    sides, facing = unique_edges(mesh.triangles), across_edges(mesh.triangles)[:, 2:]
    first = len(sides)
    count = np.arange(first + len(facing), dtype=np.int32)
    groups = {"stretch": count[:first], "bend": count[first:]}
    return Mesh(mesh.vertices, edges=np.concatenate([sides, facing]), triangles=mesh.triangles, edge_groups=groups)


def _from_young(material: SpringNet, net: Mesh, thickness: float | None) -> Array:
    if thickness is None:
        raise SuppleError("young needs body.thickness [m]: the thickness of the sheet, or the diameter of the rope")
    kappa = young_stiffness(net, float(material.young or 0.0), thickness)
    if material.kind is HookeSprings:
        return kappa
    return stvk_stiffness(kappa, edge_lengths(net.vertices, net.edges))


def sliding_springs(material: SpringNet, mesh: Mesh, vertices: Array, first: int) -> Iterator[EnergyTerm]:
    """Altitudes and axial bending springs of a body with first vertex `first`."""
    cells = mesh.tets if mesh.is_solid else mesh.triangles
    if material.altitude:
        if not len(cells):
            raise MeshError("altitude: the mesh has neither tets nor triangles; take the shape cloth or a solid")
        yield altitude_springs(vertices, cells + np.int32(first), material.altitude)
    if material.axial:
        if not len(mesh.triangles):
            raise MeshError("axial: the mesh has no triangles to bend; take the shape cloth")
        yield axial_bending_springs(vertices, mesh.triangles + np.int32(first), material.axial)
