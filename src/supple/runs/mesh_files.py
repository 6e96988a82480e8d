"""Meshes in memory written to files, so that a world can be kept as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.obstacle import MeshObstacle, Obstacle
from supple.model.source import MeshFile
from supple.model.world import World

T = TypeVar("T", Body, MeshObstacle)


def with_mesh_files(world: World, folder: Path) -> World:
    """The same world with every mesh in memory as a file in the folder, which is made if there is any."""
    obstacles = [entry if isinstance(entry, Obstacle) else _kept(entry, folder) for entry in world.obstacles]
    return replace(world, bodies=[_kept(body, folder) for body in world.bodies], obstacles=obstacles)


def _kept(entry: T, folder: Path) -> T:
    if not isinstance(entry.mesh, Mesh):
        return entry
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{entry.name}.vtk"  # keeps every bit, groups and tags
    write_mesh(entry.mesh, file)
    return replace(entry, mesh=MeshFile(str(file.resolve())))
