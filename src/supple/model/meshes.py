"""Meshes of a scene with their vertex groups, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.errors import SceneError, SuppleError, did_you_mean
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.model.region_values import with_regions
from supple.scene.tables.body import Body
from supple.scene.tables.coarse import CoarseFile, load_body
from supple.scene.tables.geometry import MeshFile
from supple.scene.tables.obstacle import MeshObstacle
from supple.scene.tables.scene import Scene
from supple.scene.text.picking import box_text, picked
from supple.scene.text.registry_models import Options
from supple.types import Ints


def scene_meshes(scene: Scene, problems: list[str]) -> tuple[list[Mesh], list[str]]:
    """The meshes of all bodies, then of all mesh obstacles, and what was repaired; `problems`: what is known to be wrong
    already, reported together with what is wrong here."""
    problems, notes, meshes = list(problems), [], []
    for where, table in mesh_tables(scene):
        try:
            said: list[str] = []
            if isinstance(table.mesh, CoarseFile):
                mesh = load_body(table.mesh, scene.folder, table.name).mesh
            else:
                mesh, said = _mesh(table.mesh)
            if isinstance(table, Body):
                mesh, found = with_regions(table, mesh, where)
                said = [*said, *found]
                meshes.append(mesh.with_groups(_selected(table, mesh, f"{where}.groups")))
            else:
                meshes.append(_shell(mesh))
            notes += [f"{table.name}: {note}" for note in said]
        except SceneError as error:
            problems += error.problems
        except SuppleError as error:
            problems.append(f"{where}.mesh: {error}")
    if not problems:
        for i, (body, mesh) in enumerate(zip(scene.body, meshes, strict=False)):
            problems += _group_problems(body, mesh, f"body[{i}]")
    if problems:
        raise SceneError(problems)
    return meshes, notes


def mesh_tables(scene: Scene) -> Iterator[tuple[str, Body | MeshObstacle]]:
    """All tables with a mesh, bodies first, and where they stand in the file."""
    for i, body in enumerate(scene.body):
        yield f"body[{i}]", body
    for k, obstacle in enumerate(scene.obstacle):
        if isinstance(obstacle, MeshObstacle):
            yield f"obstacle[{k}]", obstacle


def _shell(mesh: Mesh) -> Mesh:
    """The surface of a mesh alone."""
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


def _mesh(table: MeshFile | Options) -> tuple[Mesh, list[str]]:
    if not isinstance(table, MeshFile):
        return table.make().mesh(), []
    from supple.mesh.formats import load_mesh
    from supple.mesh.tetrahedralise import tetrahedralise

    mesh, notes = load_mesh(table.file)
    mesh = mesh.moved(mesh.vertices * table.scale)
    if table.edge_length is not None:
        mesh = tetrahedralise(mesh, edge_length=table.edge_length)
        notes.append(f"filled with {len(mesh.tets)} tets")
    return mesh, notes


def _selected(body: Body, mesh: Mesh, path: str) -> dict[str, Ints]:
    return {name: picked(selection, mesh, f"{path}.{name}") for name, selection in body.groups.items()}


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
            yield f"{place}: group '{name}' has no vertices; compare its selection with the mesh, which fills {box_text(mesh)}"
        twice = [v for v in vertices if claimed.setdefault(v, place) != place]
        if twice:
            first = twice[0]
            yield f"{place}: {len(twice)} vertices of '{name}' follow {claimed[first]} already, the first is {first}"
