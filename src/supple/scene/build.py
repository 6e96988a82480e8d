"""From a checked scene to a system and its initial state."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.constraints.motion import Hold, Motion, Prescribed, Script
from supple.constraints.scripts import Keyframes, Rotate, Translate, Window
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solid import Solid
from supple.energies.spring import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SceneError, SuppleError, did_you_mean
from supple.linalg.threads import use_threads
from supple.mesh.measure import lumped_mass
from supple.mesh.mesh import Mesh, join
from supple.scene.body import Body
from supple.scene.expressions import Expression
from supple.scene.geometry import MeshFile, Selection
from supple.scene.initial import initial_positions, initial_velocities
from supple.scene.materials import SpringMaterial
from supple.scene.motion import Motion as MotionTable
from supple.scene.schema import Scene
from supple.types import Array, Ints

SPRINGS = {"hooke-spring": HookeSprings, "stvk-spring": StVKSprings}


@dataclass(frozen=True)
class Assembled:
    """What a scene describes. The mesh holds all bodies; its groups are called `body.group`."""

    system: System
    state: State
    mesh: Mesh
    share: Array
    """(n,) volume (or area, or length) that each vertex stands for."""
    bodies: list[tuple[str, int]]
    """Name and number of vertices of each body, in the order of the vertices."""
    notes: tuple[str, ...]
    """What was repaired on the way."""


def build(scene: Scene) -> Assembled:
    """Meshes, masses, energies and prescribed vertices of all bodies; all problems are reported at once."""
    use_threads(scene.solver.make().threads)
    problems: list[str] = []
    meshes: list[Mesh] = []
    notes: list[str] = []
    for i, body in enumerate(scene.body):
        try:
            mesh, said = _mesh(body)
            meshes.append(mesh.with_groups(_selected(body, mesh, f"body[{i}].groups")))
            notes += [f"{body.name}: {note}" for note in said]
        except SceneError as error:
            problems += error.problems
        except SuppleError as error:
            problems.append(f"body[{i}].mesh: {error}")
    if not problems:
        for i, (body, mesh) in enumerate(zip(scene.body, meshes, strict=True)):
            problems += _group_problems(body, mesh, f"body[{i}]")
    if problems:
        raise SceneError(problems)
    return _assemble(scene, meshes, tuple(notes))


def _assemble(scene: Scene, meshes: list[Mesh], notes: tuple[str, ...]) -> Assembled:
    whole = join({body.name: mesh for body, mesh in zip(scene.body, meshes, strict=True)})
    terms: list[EnergyTerm] = []
    prescribed: list[Prescribed] = []
    masses, shares, starts, speeds = [], [], [], []
    first = 0
    for i, (body, mesh) in enumerate(zip(scene.body, meshes, strict=True)):
        uniform = body.mass_distribution == "uniform"
        masses.append(lumped_mass(mesh, density=body.density, mass=body.mass, uniform=uniform))
        shares.append(lumped_mass(mesh, density=1.0))
        starts.append(initial_positions(body.initial, mesh.vertices))
        speeds.append(initial_velocities(body.initial, mesh.vertices))
        try:
            terms += _elastic(body, mesh, whole.vertices, first)
        except SuppleError as error:
            raise SceneError(f"body[{i}].material: {error}") from None
        prescribed += _prescribed(body, mesh, starts[-1], first)
        first += mesh.n
    mass = np.concatenate(masses)
    if any(scene.world.acceleration):
        terms.append(Gravity(mass, np.asarray(scene.world.acceleration)))
    system = build_system(whole.vertices, mass, terms, Motion(tuple(prescribed)))
    state = State(0.0, np.concatenate(starts), np.concatenate(speeds))
    bodies = [(body.name, mesh.n) for body, mesh in zip(scene.body, meshes, strict=True)]
    return Assembled(system, state, whole, np.concatenate(shares), bodies, notes)


def _mesh(body: Body) -> tuple[Mesh, list[str]]:
    if not isinstance(body.mesh, MeshFile):
        return body.mesh.make().mesh(), []
    from supple.mesh.formats import load_mesh
    from supple.mesh.tetrahedralise import tetrahedralise

    mesh, notes = load_mesh(body.mesh.file)
    mesh = mesh.moved(mesh.vertices * body.mesh.scale)
    if body.mesh.edge_length is not None:
        mesh = tetrahedralise(mesh, edge_length=body.mesh.edge_length)
        notes.append(f"filled with {len(mesh.tets)} tets")
    return mesh, notes


def _selected(body: Body, mesh: Mesh, path: str) -> dict[str, Ints]:
    return {
        name: np.flatnonzero(_chosen(selection, mesh, f"{path}.{name}")).astype(np.int32)
        for name, selection in body.groups.items()
    }


def _chosen(selection: Selection, mesh: Mesh, path: str) -> np.ndarray:
    """(n,) True where the selection holds."""
    X = mesh.vertices
    if selection.box is not None:
        low, high = (np.asarray(corner) for corner in selection.box)
        return np.asarray(((low <= X) & (high >= X)).all(axis=1))
    if selection.sphere is not None:
        return np.linalg.norm(X - np.asarray(selection.sphere.centre), axis=1) <= selection.sphere.radius
    if selection.plane is not None:
        return (X - np.asarray(selection.plane.point)) @ np.asarray(selection.plane.normal) >= 0
    if selection.expression is not None:
        return Expression(selection.expression).holds(X)
    numbers = np.asarray(selection.vertices, dtype=np.int64)
    if numbers.max(initial=0) >= mesh.n:
        raise SceneError(f"{path}.vertices: the body has {mesh.n} vertices, found number {numbers.max()}")
    mask = np.zeros(mesh.n, dtype=bool)
    mask[numbers] = True
    return mask


def _group_problems(body: Body, mesh: Mesh, path: str) -> Iterator[str]:
    """Groups that are named but not there, or empty; vertices that are to follow two scripts."""
    used = [(f"{path}.pin", name) for name in body.pin]
    used += [(f"{path}.motion[{k}].group", motion.group) for k, motion in enumerate(body.motion)]
    claimed: dict[int, str] = {}
    for place, name in used:
        if name not in mesh.groups:
            known = ", ".join(sorted(mesh.groups)) or "none"
            yield f"{place}: unknown group '{name}'{did_you_mean(name, mesh.groups)} known: {known}"
            continue
        vertices = mesh.groups[name].tolist()
        if not vertices:
            yield f"{place}: group '{name}' has no vertices; compare its selection with the mesh, which fills {_box(mesh)}"
        twice = [v for v in vertices if claimed.setdefault(v, place) != place]
        if twice:
            first = twice[0]
            yield f"{place}: {len(twice)} vertices of '{name}' follow {claimed[first]} already, the first is {first}"


def _box(mesh: Mesh) -> str:
    """Extent of a mesh as text: [0, 1] x [0, 2] x [0, 1]."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return " x ".join(f"[{a:g}, {b:g}]" for a, b in zip(low, high, strict=True))


def _elastic(body: Body, mesh: Mesh, vertices: Array, first: int) -> Iterator[EnergyTerm]:
    if not isinstance(body.material, SpringMaterial):
        if not mesh.is_solid:
            raise MeshError(
                f"'{body.material.name}' is for solids, but the mesh has no tets; "
                "take hooke-spring or stvk-spring, or fill a closed surface with mesh.edge_length"
            )
        yield Solid(vertices, mesh.tets + np.int32(first), body.material.make())
        return
    if not len(mesh.edges):
        raise MeshError(
            f"'{body.material.name}' needs a mesh with edges; take the shape cloth or rope, or a solid material"
        )
    stiffness = np.full(len(mesh.edges), body.material.stretch)
    for name in ("shear", "bend"):
        if name in mesh.edge_groups:
            stiffness[mesh.edge_groups[name]] = getattr(body.material, name)
    used = stiffness > 0
    yield SPRINGS[body.material.name](vertices, mesh.edges[used] + np.int32(first), stiffness[used])


def _prescribed(body: Body, mesh: Mesh, start: Array, first: int) -> Iterator[Prescribed]:
    if body.pin:
        pinned = np.unique(np.concatenate([mesh.groups[name] for name in body.pin]))
        yield Prescribed(pinned + np.int32(first), start[pinned], Hold())
    for motion in body.motion:
        vertices = mesh.groups[motion.group]
        yield Prescribed(vertices + np.int32(first), start[vertices], _script(motion))


def _script(motion: MotionTable) -> Script:
    window = Window()
    if motion.start is not None:
        window = dataclasses.replace(window, start=motion.start)
    if motion.stop is not None:
        window = dataclasses.replace(window, stop=motion.stop)
    if motion.translate is not None:
        return Translate(motion.translate.velocity, window)
    if motion.rotate is not None:
        return Rotate(motion.rotate.axis, motion.rotate.centre, motion.rotate.rate, window)
    keys = motion.keyframes or ()
    return Keyframes(tuple(k.time for k in keys), tuple(k.offset for k in keys), motion.interpolation)
