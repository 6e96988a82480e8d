"""A positioned body or mesh obstacle among all vertices of a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.constraints.motion import Hold, Prescribed, Script
from supple.damping.damper import Damping
from supple.energies.drive import DrivenAs
from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SceneError, SuppleError, WrongOption
from supple.materials.flow.flow import FlowMaterial
from supple.materials.formula_material import FormulaMaterial
from supple.materials.material import Material
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.rest.at_rest import AtRest
from supple.mesh.measure import lumped_mass
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.model.body import Body
from supple.model.changing.drives import driven
from supple.model.clips.following import scripts
from supple.model.direction.direction import Directions
from supple.model.materials.elastic import elastic_terms
from supple.model.materials.masses import masses_of
from supple.model.materials.plane import kept_in_plane
from supple.model.materials.structure import BodyMaterial
from supple.model.motion import Moves
from supple.model.obstacle import MeshObstacle
from supple.model.points.clouds import cloud_of, law_in_place
from supple.model.points.points import Filled
from supple.model.presets.preset import Preset
from supple.model.regions.values import law_in_run, law_of_tets, tensors_of
from supple.model.surfaces.carried import CarriedSurface, carried_surface
from supple.points.cloud import Cloud
from supple.types import Array, Ints

SURFACES = "take the shape cloth, sphere or tube, or a file of triangles"


@dataclass(frozen=True, eq=False)
class Placed:
    """The contribution of one body or mesh obstacle to a system. Its vertices are consecutive."""

    of: Body | MeshObstacle
    """The body or mesh obstacle."""
    mesh: Mesh
    """Its own mesh, with its groups and without its holes."""
    vertices: Array
    """(n, 3) rest positions of the whole world [m]."""
    first: int
    """Index of its first vertex."""
    path: str
    """Path in the world: `body[0]`."""
    coarse: CoarseBody | None = None
    """Data of a body made by `supple coarsen`."""
    damping: tuple[Damping, ...] = ()
    """Damping included in its material, in addition to that of the world."""
    filled: Filled | None = None
    """The solid filled by its particles, if its mesh is particles."""
    up: str = "y"
    """Axis that points up in the world."""
    direction: Directions = field(default_factory=Directions)
    """Directing factors, already applied except for `settle` and for dampers of the world."""

    @property
    def name(self) -> str:
        return self.of.name

    @property
    def body(self) -> Body:
        """The body; raises an error for obstacles."""
        if not isinstance(self.of, Body):
            raise TypeError(f"'{self.name}' is an obstacle")
        return self.of

    @property
    def law(self) -> BodyMaterial:
        """The material of the body, with presets resolved, except for a coarse body, which has no preset."""
        material = self.body.material
        if isinstance(material, Preset):
            raise SceneError(f"{self.path}.material: {self._tensors_are_the_material}")
        return material

    @property
    def solid_mesh(self) -> Mesh:
        """Its mesh with elements; for a body of particles, the mesh that they fill."""
        return self.mesh if self.filled is None else self.filled.solid

    @property
    def is_obstacle(self) -> bool:
        return not isinstance(self.of, Body)

    @property
    def rides(self) -> bool:
        """Whether its mesh moves with the grid of material points."""
        return not self.is_obstacle and self.body.rides

    @property
    def on_grid(self) -> bool:
        """Whether it moves with the grid of material points, as a cloud or as a mesh."""
        return self.filled is not None or self.rides

    @property
    def span(self) -> slice:
        """Its vertices."""
        return slice(self.first, self.first + self.mesh.n)

    @property
    def numbers(self) -> Ints:
        """Indices of its vertices."""
        return np.arange(self.first, self.first + self.mesh.n, dtype=np.int32)

    @property
    def thickness(self) -> float | None:
        return self.of.thickness

    def own(self, cells: Ints) -> Ints:
        """Cells of its mesh, in global vertex numbers."""
        return cells + np.int32(self.first)

    def holds(self, vertices: Ints) -> Ints:
        """The subset of some global vertices that belong to it."""
        return vertices[(vertices >= self.first) & (vertices < self.first + self.mesh.n)]

    @cached_property
    def surface(self) -> Ints:
        """(f, 3) corners of its surface, in global vertex numbers."""
        return self.own(surface(self.mesh))

    def tets(self, wanted_by: str) -> Ints:
        """Tets of a solid, in global vertex numbers."""
        if not self.mesh.is_solid:
            raise MeshError(
                f"'{wanted_by}' is for solids, but the mesh has no tets; take a membrane, discrete-shell, hooke-spring or "
                "stvk-spring, or fill a closed surface with mesh.edge_length"
            )
        return self.own(self.mesh.tets)

    def triangles(self, wanted_by: str) -> Ints:
        """Triangles of a surface, in global vertex numbers."""
        if self.mesh.is_solid or not len(self.mesh.triangles):
            kind = "is solid" if self.mesh.is_solid else "has no triangles"
            raise MeshError(f"{wanted_by} is for surfaces, but the mesh {kind}; {SURFACES}")
        return self.own(self.mesh.triangles)

    @cached_property
    def x(self) -> Array:
        """(k, 3) initial positions [m]."""
        X = self.mesh.vertices
        return X.copy() if self.is_obstacle else self._started(self.body.initial.positions, X)

    @cached_property
    def v(self) -> Array:
        """(k, 3) initial velocities [m/s]."""
        X = self.mesh.vertices
        return np.zeros_like(X) if self.is_obstacle else self._started(self.body.initial.velocities, X)

    def _started(self, state: Callable[[Array, str], Array], X: Array) -> Array:
        try:
            return state(X, self.up)
        except SceneError:
            raise
        except WrongOption as error:
            raise SceneError(f"{self.path}.initial.{error.key}: {error.sentence}") from None
        except SuppleError as error:
            raise SceneError(f"{self.path}.initial: {error}") from None

    @cached_property
    def mass(self) -> Array:
        """(k,) masses of its vertices [kg]."""
        return masses_of(self)

    @cached_property
    def sizes(self) -> Array:
        """(k,) volume (or area, or length) represented by each vertex."""
        return lumped_mass(self.mesh, density=1.0) if self.filled is None else self.filled.seeds.volume

    @cached_property
    def cloud(self) -> Cloud | None:
        """Its particles, if it has any."""
        return None if self.filled is None else cloud_of(self, self.filled)

    @cached_property
    def carried(self) -> CarriedSurface | None:
        """The embedded surface carried by its tets, if any."""
        return carried_surface(self.of, self.mesh, self.path, self.up)

    @cached_property
    def pinned(self) -> Ints:
        """Vertices of its mesh that never move."""
        names = () if self.is_obstacle else self.body.pin
        return np.unique(np.concatenate([np.empty(0, np.int32), *(self.mesh.groups[name] for name in names)]))

    @property
    def moves(self) -> tuple[Moves | None, ...]:
        """Motions of its groups, or the motion of an obstacle."""
        return self.of.motion if isinstance(self.of, Body) else (self.of.motion,)

    @cached_property
    def scripted(self) -> tuple[tuple[Ints, Script], ...]:
        """Moving vertices of its mesh and their scripts; an obstacle is fixed or moved as a whole."""
        return tuple(scripts(self))

    def prescribed(self) -> Iterator[Prescribed]:
        """Its pins and scripts."""
        if len(self.pinned):
            yield Prescribed(self.own(self.pinned), self.x[self.pinned], Hold())
        for vertices, script in self.scripted:
            yield Prescribed(self.own(vertices), self.x[vertices], script)

    @cached_property
    def elastic(self) -> tuple[EnergyTerm, ...]:
        """All elastic terms of the body: material, bending, pressure, area and volume."""
        return tuple(term for terms in self._elastic.values() for term in terms)

    @property
    def stuff(self) -> tuple[EnergyTerm, ...]:
        """The elastic terms of its material and its bending."""
        return tuple(term for key in ("material", "bending") for term in self._elastic.get(key, ()))

    @cached_property
    def _elastic(self) -> dict[str, tuple[EnergyTerm, ...]]:
        """Elastic terms by key of the body; obstacles and clouds have none."""
        return {} if self.is_obstacle or self.filled is not None else elastic_terms(self, self._material_terms)

    def _material_terms(self, placed: Placed) -> Iterator[EnergyTerm]:
        if self.coarse is not None and not getattr(self.law, "from_file", False):
            raise SuppleError(self._tensors_are_the_material)
        yield from self.law.terms(placed)

    @property
    def _tensors_are_the_material(self) -> str:
        return (
            f'the tensors of {self.coarse_name} are the material; take {{ name = "coarse" }}, with law = "corotational" '
            'or "linear"'
        )

    @property
    def coarse_name(self) -> str:
        """Name of the file of a coarse body."""
        return Path(getattr(self.of.mesh, "coarse", "")).name

    def solid(self, law: Material) -> Iterator[EnergyTerm]:
        """The term of a strain-energy density, with the constants of each tet."""
        if isinstance(law, FlowMaterial):
            raise SuppleError(
                f"'{law.name}' flows, which is for material points; give the body points = {{ per_cell = 8 }}, and take mpm"
            )
        tets, own = self.tets(law.name), self.material
        _ = self.rest  # errors are raised here, with the path of the body
        made = own if law is self.body.material and isinstance(own, Material) else self._law_of_tets(law)
        drive = DrivenAs(
            f"{self.name}.material", lambda term, t: term.with_material(law_in_run(law, self.body, self.mesh, t))
        )
        yield driven(Solid(self.vertices, tets, made), drive if law.changes else None)

    @cached_property
    def material(self) -> BodyMaterial:
        """The material of the body; a strain-energy density has the constants of each tet."""
        material = self.law
        if self.filled is not None and isinstance(material, Material):
            return law_in_place(self, material, self.filled)
        return self._law_of_tets(material) if isinstance(material, Material) and self.mesh.is_solid else material

    @cached_property
    def rest(self) -> AtRest | None:
        """The material at rest, if it is a formula."""
        law = None if self.is_obstacle else self.material
        if isinstance(law, FlowMaterial) or not isinstance(law, FormulaMaterial):
            return None  # fluids have no shear stiffness
        return law.checked_rest(law.parameters(len(self.mesh.tets) if self.filled is None else self.mesh.n))

    def _law_of_tets(self, law: Material) -> Material:
        return law_of_tets(law, self.body, self.mesh)

    def membrane(self, law: MembraneLaw) -> Iterator[EnergyTerm]:
        """The term of a membrane with the thickness of the body."""
        triangles = self.triangles(f"'{law.name}'")
        if self.thickness is None:
            raise SuppleError(f"'{law.name}' needs body.thickness [m], which multiplies its moduli")
        yield Membrane(self.vertices, triangles, law, self.thickness)
        if law.flat:
            yield kept_in_plane(self, law, self.thickness)

    def tensors(self) -> Array:
        """(6, 6) or (m, 6, 6) stiffness of a body of linear elasticity in Mandel form [Pa]."""
        return tensors_of(self.body, self.mesh)

    def flexural_rigidity(self) -> float | None:
        """EI per unit width, from its membrane and thickness [N m]; None if unknown."""
        modulus = getattr(self.law, "bending_modulus", None)
        return None if modulus is None or self.thickness is None else modulus * self.thickness**3 / 12.0
