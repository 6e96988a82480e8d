"""The elastic terms of one body: what its material, bending, pressure, area and volume ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.energies.areas.element_area import ElementAreas
from supple.energies.areas.element_volume import ElementVolumes
from supple.energies.areas.whole_measure import Stiffness, enclosed_volume, whole_area, whole_volume
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.quadratic import QuadraticBending
from supple.energies.bending.rigidity import bending_stiffness
from supple.energies.bending.rod import RodBending
from supple.energies.corotational.rest import Held
from supple.energies.corotational.term import Corotational
from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.springs.generalised import edge_springs
from supple.energies.springs.springs import StVKSprings
from supple.energies.springs.stiffness import stvk_stiffness
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface, unique_edges
from supple.model.region_values import material_of, tensors_of
from supple.model.spring_nets import SPRINGS, edge_stiffness, sliding_springs
from supple.model.starting import initial_positions
from supple.scene.tables.body import Body
from supple.scene.tables.coarse import CoarseMaterial, check_pair, coarse_term
from supple.scene.tables.corotational import CorotationalMaterial
from supple.scene.tables.materials import MembraneMaterial, SolidMaterial, SpringMaterial
from supple.scene.tables.thin import Kept
from supple.scene.tables.thin_materials import RodMaterial, ShellMaterial
from supple.types import Array, Ints

SURFACES = "take the shape cloth, sphere or tube, or a file of triangles"


@dataclass(frozen=True)
class Piece:
    """The mesh of a body among all vertices of a scene."""

    mesh: Mesh
    vertices: Array
    """(n, 3) rest positions of the whole scene [m]."""
    first: int
    """Where the body's own begin."""
    coarse: CoarseBody | None = None
    """Of a body that `supple coarsen` has made."""

    def own(self, cells: Ints) -> Ints:
        """Cells of the body's mesh, numbered in the whole."""
        return cells + np.int32(self.first)

    def tets(self, wanted_by: str) -> Ints:
        """Those of a solid."""
        if not self.mesh.is_solid:
            raise MeshError(
                f"'{wanted_by}' is for solids, but the mesh has no tets; take a membrane, discrete-shell, hooke-spring or "
                "stvk-spring, or fill a closed surface with mesh.edge_length"
            )
        return self.own(self.mesh.tets)

    def triangles(self, wanted_by: str) -> Ints:
        """Those of a surface."""
        if self.mesh.is_solid or not len(self.mesh.triangles):
            kind = "is solid" if self.mesh.is_solid else "has no triangles"
            raise MeshError(f"{wanted_by} is for surfaces, but the mesh {kind}; {SURFACES}")
        return self.own(self.mesh.triangles)


def elastic_terms(body: Body, piece: Piece) -> Iterator[EnergyTerm]:
    """All elastic terms of a body; errors say which key they are about."""
    parts = {
        "material": _material(body, piece),
        "bending": _bending(body, piece),
        "area": _area(body.area, piece),
        "volume": _volume(body.volume, piece),
        "pressure": _pressure(body, piece),
    }
    for key, terms in parts.items():
        try:
            yield from terms
        except SuppleError as error:
            raise type(error)(f"{key}: {error}") from None


def _material(body: Body, piece: Piece) -> Iterator[EnergyTerm]:
    material = body.material
    check_pair(body.mesh, material)
    if isinstance(material, CoarseMaterial):
        if piece.coarse is None:
            raise SuppleError("'coarse' is for bodies with mesh = { coarse = FILE }, which bring their tensors along")
        yield coarse_term(material, piece.coarse, piece.vertices, piece.tets(material.name))
    elif isinstance(material, SpringMaterial):
        edges, stiffness = edge_stiffness(material, piece.mesh, body.thickness)
        yield SPRINGS[material.name](piece.vertices, piece.own(edges), stiffness)
        yield from sliding_springs(material, piece.mesh, piece.vertices, piece.first)
    elif isinstance(material, MembraneMaterial):
        triangles = piece.triangles(f"'{material.name}'")
        if body.thickness is None:
            raise SuppleError(f"'{material.name}' needs body.thickness [m], with which its moduli are multiplied")
        yield Membrane(piece.vertices, triangles, material.make(), body.thickness)
    elif isinstance(material, ShellMaterial):
        yield from _shell(material, piece)
    elif isinstance(material, RodMaterial):
        yield from _rod(material, piece)
    elif isinstance(material, CorotationalMaterial):
        held = _held(body, piece) if material.pinned_frames and body.pin else None
        yield Corotational(
            piece.vertices, piece.tets(material.name), tensors_of(body, piece.mesh), material.frame, held
        )
    else:
        yield _solid(body, material, piece)


def _solid(body: Body, material: SolidMaterial, piece: Piece) -> EnergyTerm:
    return Solid(piece.vertices, piece.tets(material.name), material_of(body, piece.mesh))


def _held(body: Body, piece: Piece) -> Held:
    """The body's pins, where it starts."""
    pinned = np.unique(np.concatenate([piece.mesh.groups[name] for name in body.pin]))
    return Held(piece.own(pinned), initial_positions(body.initial, piece.mesh.vertices)[pinned])


def _shell(material: ShellMaterial, piece: Piece) -> Iterator[EnergyTerm]:
    triangles = piece.triangles("'discrete-shell'")
    # k (1 - l/l0)^2 l0 = kappa/2 (l - l0)^2 with kappa = 2 k/l0
    yield edge_springs(piece.vertices, unique_edges(triangles), 2.0 * material.stretch)
    if material.area:
        yield ElementAreas(piece.vertices, triangles, material.area)
    if material.bend:
        yield DihedralBending(piece.vertices, triangles, material.bend)


def _rod(material: RodMaterial, piece: Piece) -> Iterator[EnergyTerm]:
    mesh = piece.mesh
    if mesh.is_solid or len(mesh.triangles) or not len(mesh.edges):
        raise MeshError("'rod' is for chains of edges; take the shape rope, or a file of lines")
    links = mesh.edges[mesh.edge_groups["stretch"]] if "stretch" in mesh.edge_groups else mesh.edges
    edges = piece.own(links)
    linear = edge_springs(piece.vertices, edges, material.resistance)
    if material.springs == "hooke":
        yield linear
    else:
        yield StVKSprings(piece.vertices, edges, stvk_stiffness(linear.stiffness, linear.rest_length))
    if material.bending:
        yield RodBending(piece.vertices, edges, material.bending)


def _bending(body: Body, piece: Piece) -> Iterator[EnergyTerm]:
    if body.bending is None:
        return
    triangles = piece.triangles("bending")
    rigidity = body.bending.rigidity
    if rigidity is None:
        if not isinstance(body.material, MembraneMaterial) or body.thickness is None:
            raise SuppleError("give rigidity [N m]; only for a membrane it follows from Young's modulus and thickness")
        rigidity = body.material.make().bending_modulus * body.thickness**3 / 12.0
    stiffness = bending_stiffness(piece.mesh.vertices, piece.mesh.triangles, rigidity)
    model = DihedralBending if body.bending.model == "dihedral" else QuadraticBending
    yield model(piece.vertices, triangles, stiffness)


def _area(kept: Kept | None, piece: Piece) -> Iterator[EnergyTerm]:
    if kept is not None:
        triangles = piece.triangles("area")
        if kept.whole:
            yield whole_area(piece.vertices, triangles, Stiffness(kept.stiffness))
        else:
            yield ElementAreas(piece.vertices, triangles, kept.stiffness)


def _volume(kept: Kept | None, piece: Piece) -> Iterator[EnergyTerm]:
    if kept is None:
        return
    tets = piece.own(piece.mesh.tets)
    if piece.mesh.is_solid and kept.whole:
        yield whole_volume(piece.vertices, tets, Stiffness(kept.stiffness))
    elif piece.mesh.is_solid:
        yield ElementVolumes(piece.vertices, tets, kept.stiffness)
    elif kept.whole:
        yield enclosed_volume(piece.vertices, piece.triangles("volume"), Stiffness(kept.stiffness))
    else:
        raise MeshError("a surface has one volume, that inside: write volume = { stiffness = ..., whole = true }")


def _pressure(body: Body, piece: Piece) -> Iterator[EnergyTerm]:
    if body.pressure is not None:
        yield enclosed_volume(piece.vertices, piece.own(surface(piece.mesh)), body.pressure.make())
