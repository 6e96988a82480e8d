"""From a checked scene to a system and its initial state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.constraints.motion import Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError
from supple.linalg.threads import use_threads
from supple.mesh.measure import lumped_mass
from supple.mesh.mesh import Mesh, join
from supple.mesh.topology import surface
from supple.model.attachments import attachments
from supple.model.constraints import constraints
from supple.model.contacts import Contacts, contacts, obstacle_problems
from supple.model.elastic import Piece, elastic_terms
from supple.model.meshes import mesh_tables, scene_meshes
from supple.model.overlap import overlaps
from supple.model.region_values import densities
from supple.model.scripted import prescribed, whole_obstacle
from supple.model.setting import Part, Setting
from supple.model.starting import initial_positions, initial_velocities
from supple.scene.tables.body import WATER, Body
from supple.scene.tables.coarse import CoarseFile, load_body
from supple.scene.tables.damping import Share, dampers, name_problems
from supple.scene.tables.obstacle import MeshObstacle
from supple.scene.tables.scene import Scene
from supple.types import Array

WEIGHTLESS = 1e-15
"""Mass of a vertex of an obstacle, which moves as it is told: nothing to be seen in energy and momentum [kg]."""
OFFER = "move them apart (body.initial.translate), or let `supple run --separate` do it"


@dataclass(frozen=True)
class Assembled:
    """What a scene describes. The mesh holds all bodies and mesh obstacles; its groups are called `body.group`."""

    system: System
    state: State
    mesh: Mesh
    share: Array
    """(n,) volume (or area, or length) that each vertex stands for."""
    shares: tuple[Share, ...]
    """Name, number of vertices and elastic terms of each body, in the order of the vertices."""
    notes: tuple[str, ...]
    """What was repaired or chosen on the way."""
    parts: tuple[Part, ...]
    """Bodies, then mesh obstacles."""
    contact: Contacts

    @property
    def bodies(self) -> list[tuple[str, int]]:
        """Name and number of vertices of each body and each mesh obstacle, in the order of the vertices."""
        return [(part.table.name, part.mesh.n) for part in self.parts]


def build(scene: Scene) -> Assembled:
    """Meshes, masses, energies, contact and prescribed vertices of all bodies; all problems are reported at once. Where
    bodies start in each other or in an obstacle, the scene is refused."""
    assembled = assemble(scene)
    problems = [overlap.text for overlap in overlaps(assembled.contact, assembled.parts, assembled.state.x)]
    if problems:
        raise SceneError([*problems, OFFER])
    return assembled


def assemble(scene: Scene, known: Sequence[Mesh] | None = None) -> Assembled:
    """The same wherever bodies start; `known`: the meshes of all parts, of a scene that was assembled before."""
    use_threads(scene.solver.make().threads)
    problems = [*name_problems(scene.damping, [body.name for body in scene.body]), *obstacle_problems(scene)]
    meshes, notes = scene_meshes(scene, problems) if known is None else (list(known), [])
    firsts = np.cumsum([0, *(mesh.n for mesh in meshes)]).tolist()
    parts = tuple(
        Part(table, mesh, first, path)
        for (path, table), mesh, first in zip(mesh_tables(scene), meshes, firsts, strict=False)
    )
    whole = join({part.table.name: part.mesh for part in parts})
    built = [_body(part, part.table, whole, scene.folder) for part in parts if isinstance(part.table, Body)]
    built += [_obstacle(part, part.table) for part in parts if isinstance(part.table, MeshObstacle)]
    mass = np.concatenate([b.mass for b in built])
    state = State(0.0, np.concatenate([b.x for b in built]), np.concatenate([b.v for b in built]))
    motion = Motion(tuple(p for b in built for p in b.prescribed))
    bodies = [b.share for b in built if b.share is not None]
    terms = together([term for body in bodies for term in body.elastic], whole.vertices)
    terms += attachments(scene.attachment, parts, state.x)
    if any(scene.world.acceleration):
        terms.append(Gravity(mass, np.asarray(scene.world.acceleration)))
    contact = contacts(Setting(scene, parts, whole, mass, state, motion))
    damped = dampers(scene.damping, bodies, mass)
    dissipation = (*damped.dissipation, *contact.friction)
    terms += contact.terms
    kept = constraints(scene.constraint, parts, state.x)
    system = build_system(
        whole.vertices,
        mass,
        terms,
        motion,
        dissipation,
        damped.impulses,
        contact.projections,
        kept,
        asdict(scene.solver.make()),
    )
    sizes = np.concatenate([lumped_mass(part.mesh, density=1.0) for part in parts])
    return Assembled(system, state, whole, sizes, tuple(bodies), (*notes, *contact.notes), parts, contact)


@dataclass(frozen=True)
class _Built:
    """What one part brings into the system."""

    mass: Array
    x: Array
    v: Array
    prescribed: tuple[Prescribed, ...]
    share: Share | None = None


def _body(part: Part, body: Body, whole: Mesh, folder: Path) -> _Built:
    mesh = part.mesh
    coarse = load_body(body.mesh, folder, body.name) if isinstance(body.mesh, CoarseFile) else None
    mass = _mass(body, mesh) if coarse is None else _own_mass(coarse, body, part.path)
    x, v = initial_positions(body.initial, mesh.vertices), initial_velocities(body.initial, mesh.vertices)
    try:
        elastic = tuple(elastic_terms(body, Piece(mesh, whole.vertices, part.first, coarse)))
        share = Share(body.name, mesh.n, elastic, surface(mesh) + np.int32(part.first))
    except SuppleError as error:
        raise SceneError(f"{part.path}.{error}") from None
    return _Built(mass, x, v, tuple(prescribed(body, mesh, x, part.first)), share)


def _mass(body: Body, mesh: Mesh) -> Array:
    each = densities(body, mesh)
    density = None if each is None else each * _section(body, mesh)
    return lumped_mass(mesh, density=density, mass=body.mass, uniform=body.mass_distribution == "uniform")


def _own_mass(coarse: CoarseBody, body: Body, path: str) -> Array:
    """Masses from the file of a coarse body; nothing else can be asked for."""
    asked = {"mass": body.mass is not None, "density": body.density not in (None, WATER), "regions": bool(body.regions)}
    for key in (key for key, given in asked.items() if given):
        raise SceneError(f"{path}.{key}: masses and materials of a coarse body are in its file; leave {key} out")
    return coarse.mass.copy()


def _section(body: Body, mesh: Mesh) -> float:
    """What a density per m^3 is multiplied with: thickness of a surface [m], section of a rope [m^2]; 1 if it is not known."""
    if mesh.is_solid or body.thickness is None:
        return 1.0
    return body.thickness if len(mesh.triangles) else np.pi / 4.0 * body.thickness**2


def _obstacle(part: Part, obstacle: MeshObstacle) -> _Built:
    X = part.mesh.vertices
    held = whole_obstacle(obstacle, part.mesh, part.first)
    return _Built(np.full(len(X), WEIGHTLESS), X.copy(), np.zeros_like(X), (held,))


def together(terms: list[EnergyTerm], vertices: Array) -> list[EnergyTerm]:
    """The same terms, with all solids of one material as one term: many small bodies cost one kernel instead of many."""
    alike = [term for term in terms if isinstance(term, Solid) and _is_uniform(term)]
    others = [term for term in terms if not (isinstance(term, Solid) and _is_uniform(term))]
    materials = [term.material for term in alike]
    first = [m for k, m in enumerate(materials) if m not in materials[:k]]
    groups = [[t.elements for t in alike if t.material == m] for m in first]
    solids = [Solid(vertices, np.concatenate(tets), m) for m, tets in zip(first, groups, strict=True)]
    return [*solids, *others]


def _is_uniform(term: Solid) -> bool:
    """Whether all elements have the same moduli."""
    return not any(isinstance(value, np.ndarray) for value in vars(term.material).values())
