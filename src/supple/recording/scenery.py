"""Scenery of a film: obstacles, and the colours of all parts.

It is built from the tables of the scene, which the folder of a run contains as scene.toml. So runs of any age show their
obstacles, and so does a scene that has not run yet (`scenery_of(scene.model_dump(exclude_none=True))`). Contact meshes of
obstacles are recorded among the vertices of an animation, including their motion. The surfaces of all others, shapes and
meshes on the nodes of a grid, are built on demand and follow their motion by its script.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from supple.colours import GROUND, OBSTACLE, body_colour, colour_code
from supple.constraints.motion import Script
from supple.contact.obstacles.implicit import Follows, ImplicitShape
from supple.contact.obstacles.outlines import Outline
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.paths import Fence
from supple.points.obstacle import LAWS
from supple.recording.cells import Cells
from supple.recording.prop_tables import looks_up, script_of, shape_of
from supple.types import Array

STEEP = 0.25
"""Cosine to the vertical below which a half-space is a wall instead of ground."""


@dataclass(frozen=True)
class Prop:
    """An obstacle that is not recorded: a shape, or a mesh on the nodes of a grid."""

    name: str
    shape: Shape
    colour: str
    """`#rrggbb`"""
    script: Script | None = None
    """Its motion; static if absent."""

    @property
    def endless(self) -> bool:
        """Whether its extent depends on the bodies."""
        return self.shape.endless

    def surface(self, low: Array, high: Array) -> Outline:
        """Points (k, 3) [m] and triangles (f, 3), counterclockwise seen from outside; of a half-space a rectangle that
        covers the box from `low` to `high`."""
        return self.shape.outline(low, high)


@dataclass(frozen=True)
class Scenery:
    """The shapes, and data on the recorded parts."""

    props: tuple[Prop, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    """`#rrggbb` of bodies and mesh obstacles, by name."""
    obstacles: frozenset[str] = frozenset()
    """Names of the mesh obstacles."""
    notes: tuple[str, ...] = ()
    """Notes on obstacles that could not be read and are not shown."""

    def surfaces(self, low: Array, high: Array) -> list[tuple[Prop, Outline]]:
        """All shapes as triangles; half-spaces cover the box from `low` to `high`, and the other shapes."""
        drawn = {prop.name: prop.surface(low, high) for prop in self.props if not prop.endless}
        points = np.concatenate([np.stack([low, high]), *(x for x, _ in drawn.values())])
        box = points.min(axis=0), points.max(axis=0)
        return [(prop, drawn[prop.name] if prop.name in drawn else prop.surface(*box)) for prop in self.props]


def read_scenery(folder: Path) -> Scenery:
    """The scenery of the run in a folder; empty without a scene.toml, as in folders not written by `supple run`."""
    file = folder / "scene.toml"
    if not file.is_file():
        return Scenery()
    try:
        tables = sound_tables(tomllib.loads(file.read_text(encoding="utf-8")))
        notes = _kept_out(tables, folder, Fence.around(file))
        scenery = scenery_of(_located(tables, folder))
        return replace(scenery, notes=(*notes, *scenery.notes))
    except (OSError, ValueError) as error:
        return Scenery(notes=(f"{file}: cannot be read ({error}); obstacles and colours are not shown",))


def sound_tables(tables: dict[str, Any]) -> dict[str, Any]:
    """A scene with tables for its world, bodies and obstacles, whatever a damaged file has in their place."""

    def entries(key: str) -> list[Any]:
        found = tables.get(key)
        return found if isinstance(found, list) else []

    world = tables.get("world")
    return {
        **tables,
        "world": world if isinstance(world, dict) else {},
        "body": [entry if isinstance(entry, dict) else {} for entry in entries("body")],  # their numbers name them
        "obstacle": [entry for entry in entries("obstacle") if isinstance(entry, dict)],
    }


def scenery_of(tables: Mapping[str, Any]) -> Scenery:
    """The scenery of a scene that is given as plain tables."""
    up = str(tables.get("world", {}).get("up", "y"))
    props, colours, obstacles, notes = [], {}, set(), []
    for k, body in enumerate(tables.get("body", ())):
        colours[str(body.get("name", f"body{k}"))] = _colour(body, body_colour(k))
    for k, table in enumerate(tables.get("obstacle", ())):
        name = str(table.get("name", f"obstacle{k}"))
        if "mesh" in table and table.get("law") not in LAWS:
            obstacles.add(name)
            colours[name] = _colour(table, OBSTACLE)
            continue
        try:
            props.append(_prop(name, table, up))
        except (SuppleError, TypeError, ValueError, OSError) as error:
            notes.append(f"obstacle[{k}] '{name}': cannot be drawn ({error})")
    return Scenery(tuple(props), colours, frozenset(obstacles), tuple(notes))


def _kept_out(tables: dict[str, Any], folder: Path, fence: Fence) -> list[str]:
    """Remove obstacles whose files may not be read, in place; returns a note for each."""
    notes, kept = [], []
    for table in tables.get("obstacle", ()):
        inner = [table.get(key) for key in ("mesh", "motion")] if isinstance(table, dict) else []
        names = [one["file"] for one in inner if isinstance(one, dict) and isinstance(one.get("file"), str)]
        reasons = [f"'{name}' {reason}" for name in names if (reason := fence.refusal(name, folder / name))]
        notes += [f"an obstacle is not shown: {reason}" for reason in reasons]
        kept += [] if reasons else [table]
    if notes:
        tables["obstacle"] = kept
    return notes


def _located(tables: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Tables with absolute mesh paths; those in the folder of a run are relative to it."""
    for table in tables.get("obstacle", ()):
        mesh = table.get("mesh")
        if isinstance(mesh, dict) and isinstance(mesh.get("file"), str):
            mesh["file"] = str(folder / mesh["file"])
    return tables


def with_triangles(cells: Cells, vertices: int, surfaces: Iterable[Outline]) -> Cells:
    """The cells of `vertices` vertices, and triangles whose points follow them."""
    blocks = [cells.of_type(4), cells.of_type(3)]
    for points, faces in surfaces:
        blocks.append(faces.astype(np.int64) + vertices)
        vertices += len(points)
    return Cells.join([*blocks, cells.of_type(2), cells.of_type(1)])


def _prop(name: str, table: Mapping[str, Any], up: str) -> Prop:
    shape = shape_of(table, up)
    script = Follows(shape) if isinstance(shape, ImplicitShape) and shape.moves else script_of(table, shape)
    return Prop(name, shape, _colour(table, GROUND if looks_up(shape, up, STEEP) else OBSTACLE), script)


def _colour(table: Mapping[str, Any], usual: str) -> str:
    """The colour, or a default: an unknown colour of a later version must not prevent display."""
    try:
        return colour_code(str(table["colour"]))
    except (KeyError, SuppleError):
        return usual
