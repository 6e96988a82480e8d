"""Meshes and tet values in memory written to files, so a world can be stored as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import numpy as np

from supple.formulas.places.numbers_file import NumbersFile
from supple.interruption.placing import placed
from supple.materials.formula_material import Formula
from supple.materials.material import Material
from supple.materials.options import fields_of, with_values
from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.obj.writer import write_obj
from supple.model.body import Body
from supple.model.obstacle import MeshObstacle, Obstacle
from supple.model.source import MeshFile
from supple.model.world import World
from supple.values import FREE_KEYS

T = TypeVar("T", Body, MeshObstacle)


def with_mesh_files(world: World, folder: Path) -> World:
    """The same world with meshes and constants of tets in memory as files in the folder, which is created if needed."""
    obstacles = [entry if isinstance(entry, Obstacle) else _kept(entry, folder) for entry in world.obstacles]
    bodies = [_with_surface(_with_numbers(_kept(body, folder), folder), folder) for body in world.bodies]
    return replace(world, bodies=bodies, obstacles=obstacles)


def _with_numbers(body: Body, folder: Path) -> Body:
    """The same body with array-valued constants (m,) of its solid as files."""
    law = body.material
    if not isinstance(law, Material):
        return body

    def kept(key: str, value: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.ndim != 1:
            return value
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{quote(body.name, safe='')}.{key}.npy"
        with placed(file) as new:
            np.save(new, value)
        return NumbersFile(str(file.resolve()))

    given = {f.name: getattr(law, f.name) for f in fields_of(law) if f.init and f.metadata != FREE_KEYS}
    changed = {key: made for key, value in given.items() if (made := kept(key, value)) is not value}
    if isinstance(law, Formula) and any(isinstance(value, np.ndarray) for _, value in law.values):
        changed["values"] = tuple((key, kept(key, value)) for key, value in law.values)
    return replace(body, material=with_values(law, **changed)) if changed else body


def _with_surface(body: Body, folder: Path) -> Body:
    """The same body with a surface in memory as a file, which preserves polygons, names and every vertex."""
    if not isinstance(body.surface, Mesh):
        return body
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{quote(body.name, safe='')}.surface.obj"
    write_obj(body.surface, file)
    return replace(body, surface=str(file.resolve()))


def _kept(entry: T, folder: Path) -> T:
    if not isinstance(entry.mesh, Mesh):
        return entry
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{quote(entry.name, safe='')}.vtk"  # preserves every bit, groups and tags
    write_mesh(entry.mesh, file)
    return replace(entry, mesh=MeshFile(str(file.resolve())))
