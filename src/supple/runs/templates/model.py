"""The model of a first scene: an unchanged mesh file, or the tets that fill it, written beside the scene."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from supple.errors import SuppleError
from supple.mesh.doctor import closed_surface_problems
from supple.mesh.formats import load_mesh, write_mesh
from supple.mesh.measure import edge_lengths
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.scene.text.bounds import demand_plain
from supple.types import Array
from supple.wording import inline

Form: TypeAlias = Literal["solid", "surface", "line"]
SUFFIX = ".vtu"
"""Format of generated meshes: supports tets and groups, and opens in ParaView."""


@dataclass(frozen=True)
class GivenModel:
    """A mesh in metres, and its reference in a scene."""

    name: str
    mesh: Mesh
    table: str
    """The table `mesh` of the body, as TOML."""
    notes: tuple[str, ...] = ()

    @property
    def low(self) -> Array:
        return np.asarray(self.mesh.vertices.min(axis=0))

    @property
    def middle(self) -> Array:
        """Centre of the bounding box [m]."""
        return self.low + 0.5 * self.mesh.extent

    @property
    def size(self) -> float:
        """Longest side of the bounding box [m]."""
        return float(self.mesh.extent.max())

    @property
    def shortest_edge(self) -> float:
        """[m]"""
        triangles = surface(self.mesh)
        pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        return float(edge_lengths(self.mesh.vertices, pairs if len(pairs) else self.mesh.edges).min())


def form_of(mesh: Mesh) -> Form:
    """The highest kind of body a mesh allows: a closed surface can be filled."""
    if mesh.is_solid:
        return "solid"
    if not len(mesh.triangles):
        return "line"
    return "surface" if closed_surface_problems(mesh.triangles) else "solid"


def read_model(path: Path, scale: float) -> tuple[Mesh, list[str]]:
    """A mesh file in metres, checked by the mesh doctor, and its repairs."""
    mesh, notes = load_mesh(path)
    return mesh.moved(mesh.vertices * scale), notes


def as_it_is(path: Path, mesh: Mesh, scale: float, scene: Path, notes: list[str]) -> GivenModel:
    """The file itself, named relative to the scene."""
    return GivenModel(_name(path), mesh, f"{{ file = {_relative(path, scene)}{_factor(scale)} }}", tuple(notes))


def filled(path: Path, mesh: Mesh, scale: float, scene: Path, notes: list[str], overwrite: bool) -> GivenModel:
    """The tets that fill a closed surface, in a file beside the scene; the model is the skin shown in exports.

    Both files have the units of the model, so one scale applies to both.
    """
    from supple.mesh.tetrahedralise import tetrahedralise

    place = scene.with_suffix(SUFFIX)
    if place.exists() and not overwrite:
        raise SuppleError(f"{place}: the file already exists; replace it with --overwrite, or choose another name")
    solid = tetrahedralise(mesh)
    said = write_mesh(solid.moved(solid.vertices / scale), place)
    made = f"{path} filled with {len(solid.tets):,} tets: {place}"
    table = f"{{ file = {inline(place.name)}{_factor(scale)}, skin = {_relative(path, scene)} }}"
    return GivenModel(_name(path), solid, table, (*notes, *said, made))


def _relative(path: Path, scene: Path) -> str:
    """The file as the scene names it, in quotes: its name may be a stranger's, and anything."""
    name = Path(os.path.relpath(path.resolve(), scene.resolve().parent)).as_posix()
    demand_plain(name, "--from")
    return inline(name)


def _factor(scale: float) -> str:
    return f", scale = {scale:g}" if scale != 1.0 else ""


def _name(path: Path) -> str:
    """Name of the body: that of the file, without characters that are special in group names."""
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in path.stem) or "body"
