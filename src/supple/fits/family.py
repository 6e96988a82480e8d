"""A scene as a function of its unknowns: the same bodies built for other parameter values."""

from __future__ import annotations

import copy
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from supple import toml
from supple.errors import SceneError, SuppleError
from supple.fits.fields import ElementField, Fields, element_field, with_fields
from supple.fits.keys import Parts, numbers_at, put, text_of
from supple.fits.unknowns import TENTH, Unknown
from supple.model.model import Model
from supple.ownership import marks
from supple.scene.tables.scene import Scene
from supple.scene.tables.setup import Setup
from supple.scene.text.load import dump_scene, dump_short, read_scene
from supple.scene.text.named_files import outside
from supple.sensitivity.twins import Twin, twin
from supple.types import Array

Values = Mapping[str, float]
"""Parameters of a scene by key."""
NONE: Fields = MappingProxyType({})
"""No values of elements."""
CLOSE = 1e-6
"""Relative spacing of neighbours at the edge of the allowed range."""


@dataclass(frozen=True)
class Built:
    """The scene for some values, assembled."""

    setup: Setup
    model: Model


class Family(Protocol):
    """Interface of a parametrised scene for a fit."""

    @property
    def starts(self) -> dict[str, float]:
        """Values at the start, by key."""

    @property
    def unknowns(self) -> dict[str, Unknown]:
        """The unknown of each parameter."""

    @property
    def fields(self) -> dict[str, ElementField]:
        """Unknowns with a value for each element."""

    def built(self, values: Values, like: Model | None, fields: Fields = NONE) -> Built: ...

    def text(self, values: Values, fields: Fields = NONE) -> tuple[str | None, dict[str, Array]]:
        """The scene file with these values, or None, and the arrays it names."""


class SceneFamily:
    """A scene file, or an object that can be written as one."""

    def __init__(self, scene: Scene, unknowns: Sequence[Unknown]) -> None:
        self._tables: dict[str, Any] = tomllib.loads(dump_scene(scene))
        self._folder, self._source = scene.folder, scene.source
        self._places: dict[str, Parts] = {}
        self.starts: dict[str, float] = {}
        self.unknowns: dict[str, Unknown] = {}
        self.fields: dict[str, ElementField] = {}
        for unknown in unknowns:
            found = numbers_at(self._tables, unknown.key)
            for parts, value in found:
                size = math.hypot(*(one for _, one in found))  # components of a vector have one scale
                scaled = (
                    replace(unknown, unit=TENTH * size) if len(found) > 1 and size and not unknown.unit else unknown
                )
                self._add(scaled, parts, value if unknown.start is None else unknown.start)
        self._fixed_mesh = not any("mesh" in parts for parts in self._places.values())

    def _add(self, unknown: Unknown, parts: Parts, start: float) -> None:
        name = text_of(parts)
        if name in self.unknowns:
            raise SuppleError(f"unknown {name}: given twice; give it once")
        self.unknowns[name] = unknown
        if unknown.each:
            self.fields[name] = element_field(parts, start)
        else:
            self._places[name], self.starts[name] = parts, start

    def scene(self, values: Values) -> Scene:
        return read_scene(self._filled(values), self._folder, self._source)

    def _filled(self, values: Values) -> dict[str, Any]:
        tables = copy.deepcopy(self._tables)
        for name, value in values.items():
            put(tables, self._places[name], float(value))
        return tables

    def built(self, values: Values, like: Model | None, fields: Fields = NONE) -> Built:
        try:
            setup = with_fields(self.scene(values).make(), {self.fields[key]: x for key, x in fields.items()})
            model = setup.assemble(like=like if self._fixed_mesh else None)
        except SceneError as error:
            listed = ", ".join(f"{name} = {value:.6g}" for name, value in values.items())
            raise SceneError([f"with {listed}: {line}" for line in error.problems]) from None
        if like is not None and not self._fixed_mesh and not _same_elements(like, model):
            raise SuppleError(
                f"{', '.join(self._places)}: changes the elements of the mesh, so a run has no derivative with respect to it"
            )
        return Built(setup, model)

    def text(self, values: Values, fields: Fields = NONE) -> tuple[str, dict[str, Array]]:
        if not fields:
            return dump_short(self.scene(values)), {}
        tables, files = self._filled(values), {}
        head = marks(outside(tables, self._folder))
        setup = self.built(values, None, fields).setup
        for body in sorted({self.fields[key].body for key in fields}):
            law = setup.world.bodies[body].material
            table = {"name": tables["body"][body]["material"]["name"]}
            for name, value in law.constants().items():  # type: ignore[union-attr]
                if np.ndim(value):
                    file = f"body-{body}-{name}.npy"
                    files[file], table[name] = np.asarray(value), {"file": file}
                else:
                    table[name] = float(value)
            tables["body"][body]["material"] = table
        return head + toml.document(tables), files


class OwnFamily:
    """A Python function from values to a set-up, for user-defined shapes and scripts."""

    def __init__(self, make: Callable[[dict[str, float]], Setup], unknowns: Sequence[Unknown]) -> None:
        self._make = make
        self.starts: dict[str, float] = {}
        self.fields: dict[str, ElementField] = {}
        self.unknowns = {unknown.key: unknown for unknown in unknowns}
        for unknown in unknowns:
            if unknown.each:
                raise SuppleError(
                    f"unknown {unknown.key}: values per element are supported for scenes, not for functions"
                )
            if unknown.start is None:
                raise SuppleError(f"unknown {unknown.key}: a function has no initial values; give start = NUMBER")
            self.starts[unknown.key] = float(unknown.start)

    def built(self, values: Values, like: Model | None, fields: Fields = NONE) -> Built:
        setup = self._make({name: float(value) for name, value in values.items()})
        if not isinstance(setup, Setup):
            raise SuppleError(
                f"fit: the function returned {type(setup).__name__}, not a Setup: world, method, h and steps"
            )
        model = setup.assemble()
        if like is not None and not _same_elements(like, model):
            raise SuppleError("fit: the function changes the elements of the mesh, so a run has no derivative")
        return Built(setup, model)

    def text(self, values: Values, fields: Fields = NONE) -> tuple[None, dict[str, Array]]:
        return None, {}


def twins_of(
    family: Family, values: Values, base: Model, units: Mapping[str, float], fields: Fields = NONE
) -> list[Twin]:
    """The derivative of the build with respect to each parameter. units: size of a relevant change, for values near 0."""
    found = []
    for name, value in values.items():

        def build(other: float, name: str = name) -> Any:
            model = family.built({**values, name: other}, base, fields).model
            return model.system, model.state

        found.append(_twin(name, value, build, base, None if value else 0.01 * units[name]))
    return found


def _twin(name: str, value: float, build: Callable[[float], Any], base: Model, e: float | None) -> Twin:
    """With closer neighbours where a value is near the limit of the allowed range."""
    try:
        return twin(name, value, build, base.system, e)
    except SceneError:
        return twin(name, value, build, base.system, CLOSE * (abs(value) or e or 1.0))


def _same_elements(one: Model, other: Model) -> bool:
    a, b = one.mesh, other.mesh
    pairs = ((a.edges, b.edges), (a.triangles, b.triangles), (a.tets, b.tets))
    return a.n == b.n and all(np.array_equal(x, y) for x, y in pairs)
