"""Objects of a world as plain tables of a scene file: conversion from Python to text.

A table has the fields of the dataclass that differ from their defaults, and the name under which its class is registered.
Objects without a text form, such as a mesh in memory or an unregistered class, raise an error that names them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from supple import toml
from supple.adaptive.rule import Rule
from supple.damping.damper import Damping
from supple.errors import SuppleError
from supple.formulas.curves import Curve
from supple.formulas.places.fields import Field
from supple.formulas.values import VectorField
from supple.integrators.method import Method
from supple.integrators.wrapper import Wrapper
from supple.materials.material import Material
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.options import fields_of
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.constraints.constraint import Constraint
from supple.model.energies.energy import Energy
from supple.model.fields.field import ForceField
from supple.model.materials.structure import Structure
from supple.model.obstacle import MeshObstacle, Obstacle
from supple.model.presets.preset import Preset
from supple.model.regions.made import RegionMaterial
from supple.model.source import CoarseFile, MeshFile, MeshSource
from supple.model.world import World
from supple.points.transfer import Transfer
from supple.values import FREE_KEYS, written_name

Table = dict[str, Any]


class NoText(SuppleError):
    """A value without a text form."""


def scene_text(world: World, method: Method | None, h: float, steps: int, title: str = "") -> str:
    """A complete scene file: the world and the simulation settings."""
    head: Table = {"title": title} if title else {}
    head["time"] = {"step": h, "duration": steps * h}
    if method is not None:
        head["integrator"] = method_table(method)
    return toml.document({**head, **world_tables(world)})


def world_tables(world: World) -> Table:
    """The tables of a world."""
    lists = {
        "body": [_at(f"body[{k}]", body) for k, body in enumerate(world.bodies)],
        "obstacle": [_at(f"obstacle[{k}]", obstacle) for k, obstacle in enumerate(world.obstacles)],
        "damping": [_at(f"damping[{k}]", entry) for k, entry in enumerate(world.damping)],
        "attachment": [_at(f"attachment[{k}]", entry) for k, entry in enumerate(world.attachments)],
        "seam": [_at(f"seam[{k}]", entry) for k, entry in enumerate(world.seams)],
        "constraint": [_at(f"constraint[{k}]", entry) for k, entry in enumerate(world.constraints)],
        "field": [_at(f"field[{k}]", entry) for k, entry in enumerate(world.fields)],
        "energy": [_at(f"energy[{k}]", entry) for k, entry in enumerate(world.energies)],
    }
    tables: Table = {"world": {"up": world.up, "gravity": plain(world.gravity)}}
    if world.direction is not None:
        tables["direction"] = plain(world.direction)
    if world.contact is not None:
        tables["contact"] = plain(world.contact)
    return tables | {key: entries for key, entries in lists.items() if entries}


def method_table(method: Method) -> Table:
    """The `[integrator]` table of a method, with its wrappers."""
    if isinstance(method, Wrapper) and method.table_key:
        return {**method_table(method.of), method.table_key: _options(method, "of")}
    return _named(method, "name")


def _options(wrapper: Any, inside: str) -> Table:
    return {key: value for key, value in _fields(wrapper).items() if key != inside}


def _at(path: str, value: Any) -> Any:
    try:
        return plain(value)
    except NoText as error:
        raise NoText(f"{path}{error}") from None


@singledispatch
def plain(value: Any) -> Any:
    """The value in scene-file form."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _fields(value)
    raise NoText(f": {type(value).__name__} has no text form; it can be used from Python only")


@plain.register(bool)
@plain.register(int)
@plain.register(float)
@plain.register(str)
def _as_it_is(value: Any) -> Any:
    return value


@plain.register
def _number(value: np.generic) -> Any:
    return value.item()


@plain.register(list)
@plain.register(tuple)
def _list(value: Any) -> list[Any]:
    return [plain(entry) for entry in value]


@plain.register
def _array(value: np.ndarray) -> list[Any]:
    if value.dtype == np.bool_:
        return np.flatnonzero(value).tolist()
    made: list[Any] = value.tolist()
    return made


@plain.register
def _mapping(value: Mapping) -> Table:
    return {str(key): plain(entry) for key, entry in value.items()}


@plain.register
def _field(value: VectorField) -> list[Any]:
    return _list(value.components)


@plain.register
def _no_mesh(value: Mesh) -> Any:
    raise NoText(": a mesh in memory has no text form; write it to a file and give its path")


@plain.register(MeshFile)
@plain.register(CoarseFile)
def _file(value: Any) -> Table:
    return _fields(value)


@plain.register
def _curve(value: Curve) -> Any:
    if value.text:
        return value.text
    keys = [list(key) for key in value.keys]
    return {"keys": keys} if value.interpolation == "linear" else {"keys": keys, "interpolation": value.interpolation}


@plain.register
def _text_of_place(value: Field) -> str:
    return value.text if value.curve is None else plain(value.curve)


@plain.register
def _solid(value: Material) -> Table:
    given = {**vars(value), **dict(getattr(value, "values", ()))}
    varied = next((key for key, entry in given.items() if isinstance(entry, np.ndarray)), None)
    if varied is not None:
        other = ", or a file of them" if given[varied].ndim == 1 else ""
        raise NoText(f".{varied}: values per tet have no text form; give an expression of X, Y, Z{other}")
    table, own = _named(value, "name"), {f.name for f in fields_of(value)}
    if value.moduli is None or "young" in own:
        return table
    young, poisson = value.moduli
    needed = {f.name for f in fields_of(value) if f.default is dataclasses.MISSING}
    kept = {key: entry for key, entry in table.items() if key not in needed}
    return {**kept, "young": plain(young), "poisson": plain(poisson)}


@plain.register(MembraneLaw)
@plain.register(Structure)
@plain.register(Damping)
@plain.register(Method)
@plain.register(Energy)
@plain.register(ForceField)
@plain.register(Rule)
@plain.register(Transfer)
def _by_name(value: Any) -> Table:
    return _named(value, "name")


@plain.register(Preset)
@plain.register(RegionMaterial)
def _word(value: Any) -> Any:
    """The name alone if it has no other options."""
    table = _fields(value)
    return table["name"] if list(table) == ["name"] else table


@plain.register
def _constraint(value: Constraint) -> Table:
    return _named(value, "kind")


@plain.register
def _obstacle(value: Obstacle) -> Table:
    return {**_named(value.shape, "shape"), **{k: v for k, v in _fields(value).items() if k != "shape"}}


@plain.register
def _body(value: Body) -> Table:
    return {**_fields(value), **_source(value.mesh)}


@plain.register
def _mesh_obstacle(value: MeshObstacle) -> Table:
    return {**_fields(value), **_source(value.mesh)}


def _source(mesh: MeshSource) -> Table:
    """The `mesh` key of a shape, by its name; empty for files, whose fields suffice."""
    return {} if isinstance(mesh, MeshFile | CoarseFile) else {"mesh": _named(mesh, "shape")}


def _named(value: Any, key: str) -> Table:
    """Fields of a registered class and its name."""
    name = getattr(value, "name", None)
    if not isinstance(name, str) or not dataclasses.is_dataclass(value):
        raise NoText(f": {type(value).__name__} is not registered under a name, and has no text form")
    return {key: name, **_fields(value)}


def _fields(value: Any) -> Table:
    """Fields that differ from their defaults."""
    table: Table = {}
    for f in dataclasses.fields(value):
        entry = getattr(value, f.name)
        default = f.default_factory() if f.default_factory is not dataclasses.MISSING else f.default
        if not f.init or _is_default(entry, default):
            continue
        if f.metadata == FREE_KEYS:
            table |= {key: plain(value) for key, value in entry}
            continue
        try:
            table[written_name(f.name)] = plain(entry)
        except NoText as error:
            raise NoText(f".{written_name(f.name)}{error}") from None
    return table


def _is_default(entry: Any, default: Any) -> bool:
    if entry is default or entry is None:
        return True
    if isinstance(entry, np.ndarray) or default is dataclasses.MISSING:
        return False
    return type(entry) is type(default) and bool(entry == default)
