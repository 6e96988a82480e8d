"""Positioning of the bodies and mesh obstacles of a world: meshes with their vertex groups, in global vertex numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from supple.errors import SceneError, SuppleError, did_you_mean
from supple.mesh.mesh import Mesh, join
from supple.model.body import Body
from supple.model.direction.directed import directed
from supple.model.direction.direction import Directions
from supple.model.limits.estimate import counts_of, demand_particles, tallied
from supple.model.limits.limits import Limits
from supple.model.limits.resolved import demand_resolved
from supple.model.obstacle import MeshObstacle
from supple.model.placed import Placed
from supple.model.points.points import Points, filled
from supple.model.presets.written_out import WrittenOut, written_out
from supple.model.regions.values import with_regions
from supple.model.selection import box_text
from supple.model.source import CoarseFile, FoundMesh, MeshFile, find, shell
from supple.model.surfaces.carried import vertices_carrying
from supple.model.world import World
from supple.types import Array, Ints


def placed_bodies(
    world: World,
    problems: Sequence[str] = (),
    known: Sequence[FoundMesh] | None = None,
    cell: float | None = None,
    limits: Limits | None = None,
) -> tuple[Mesh, tuple[Placed, ...], list[str]]:
    """The mesh of the whole world, its bodies and then its mesh obstacles, and notes on repairs.

    All problems are reported together, known ones first. `known`: meshes made earlier;
    `cell`: size of the method's cells, for particles [m].
    """
    meshes, notes = find_meshes(world, problems, cell, limits) if known is None else (list(known), [])
    entries = list(meshed(world))
    whole = join({entry.name: found.mesh for (_, entry), found in zip(entries, meshes, strict=True)})
    firsts = np.cumsum([0, *(found.mesh.n for found in meshes)]).tolist()
    placed = tuple(
        _placed(entry, found, whole.vertices, first, path, world)
        for (path, entry), found, first in zip(entries, meshes, firsts, strict=False)
    )
    return whole, placed, notes


def _placed(
    entry: Body | MeshObstacle, found: FoundMesh, vertices: Array, first: int, path: str, world: World
) -> Placed:
    if not isinstance(entry, Body):
        return Placed(entry, found.mesh, vertices, first, path, up=world.up)
    direction = (entry.direction or Directions()).within(world.direction)
    made = directed(plain_body(entry, found, path), direction, path)
    own = found.coarse, made.damping, found.filled
    return Placed(made.body, found.mesh, vertices, first, path, *own, world.up, direction)


def plain_body(body: Body, found: FoundMesh, path: str) -> WrittenOut:
    """A body of that mesh with presets resolved; presets of coarse bodies are rejected later, with other materials."""
    return WrittenOut(body) if found.coarse is not None else written_out(body, found.solid, path)


def find_meshes(
    world: World, problems: Sequence[str] = (), cell: float | None = None, limits: Limits | None = None
) -> tuple[list[FoundMesh], list[str]]:
    """The meshes of all bodies, then of all mesh obstacles, and notes on repairs. Meshes beyond the limits are not made."""
    limits = limits or Limits()
    tally = tallied([(f"{path}.mesh", entry.mesh) for path, entry in meshed(world)], limits)
    found, notes, wrong = [], [], [*problems, *tally.found]
    if tally.found:
        raise SceneError(wrong)
    for path, entry in meshed(world):
        try:
            source = find(entry.mesh, world.up, limits, f"{path}.mesh")
            if isinstance(entry.mesh, MeshFile | CoarseFile):
                tally.add(f"{path}.mesh", counts_of(source.mesh))
            demand_resolved(source.mesh, f"{path}.mesh", isinstance(entry, Body))
            mesh, said, inside = source.mesh, list(source.notes), None
            if isinstance(entry, Body):
                mesh, more = with_regions(plain_body(entry, source, path).body, mesh, path)
                said += more
                if isinstance(entry.points, Points):
                    demand_particles(limits, f"{path}.points", mesh.extent, entry.points.spacing(mesh, cell))
                    inside = filled(entry.points, mesh, cell)
                    mesh = inside.particles
                mesh = mesh.with_groups(_selected(entry, mesh, f"{path}.groups", world.up))
            else:
                mesh = shell(mesh)
            found.append(FoundMesh(mesh, coarse=source.coarse, filled=inside))
            notes += [f"{entry.name}: {note}" for note in said]
        except SceneError as error:
            wrong += error.problems
        except SuppleError as error:
            wrong.append(f"{path}.mesh: {error}")
    if not wrong:
        for i, (body, source) in enumerate(zip(world.bodies, found, strict=False)):
            wrong += _group_problems(body, source.mesh, f"body[{i}]")
    if wrong:
        raise SceneError(wrong)
    return found, notes


def meshed(world: World) -> Iterator[tuple[str, Body | MeshObstacle]]:
    """All parts whose mesh takes part in contact, bodies first, and their paths in the world."""
    for i, body in enumerate(world.bodies):
        yield f"body[{i}]", body
    for k, obstacle in enumerate(world.obstacles):
        if isinstance(obstacle, MeshObstacle) and obstacle.law is None:
            yield f"obstacle[{k}]", obstacle


def _selected(body: Body, mesh: Mesh, path: str, up: str) -> dict[str, Ints]:
    def carriers(wanted: str | tuple[int, ...], where: str) -> Ints:
        return vertices_carrying(body, mesh, path.removesuffix(".groups"), wanted, where, up)

    return {name: chosen.of(mesh, f"{path}.{name}", carriers) for name, chosen in body.groups.items()}


def _group_problems(body: Body, mesh: Mesh, path: str) -> Iterator[str]:
    """Problems: unknown or empty groups, and vertices with two scripts."""
    used = [(f"{path}.pin", name) for name in body.pin]
    used += [(f"{path}.motion[{k}].group", motion.group) for k, motion in enumerate(body.motion)]
    muscles = [(f"{path}.muscles[{k}].group", m.group) for k, m in enumerate(body.muscles) if m.group is not None]
    claimed: dict[int, str] = {}
    for place, name in [*used, *muscles]:
        if name not in mesh.groups:
            known = ", ".join(sorted(mesh.groups)) or "none"
            yield f"{place}: unknown group '{name}'{did_you_mean(name, mesh.groups)} known: {known}"
            continue
        vertices = mesh.groups[name].tolist()
        if not vertices:
            yield f"{place}: group '{name}' has no vertices; compare its selection with the mesh, which fills {box_text(mesh)}"
        if (place, name) in muscles:
            continue
        twice = [v for v in vertices if claimed.setdefault(v, place) != place]
        if twice:
            first = twice[0]
            yield f"{place}: {len(twice)} vertices of '{name}' already follow {claimed[first]}, the first is {first}"
