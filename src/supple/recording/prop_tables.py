"""Surface and motion of an obstacle from its plain table, as in scene.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from supple.constraints.motion import Script
from supple.contact.obstacles import OBSTACLES
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.outlines import Outline
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.mesh import SHAPES
from supple.model.motion import Keyframe, Moves, Rotation, Translation
from supple.model.source import MeshFile, find, shell
from supple.registry import Registry
from supple.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Outlined(Shape):
    """A mesh to be drawn."""

    points: Array
    """(k, 3) [m]"""
    faces: Ints
    """(f, 3)"""

    def outline(self, low: Array, high: Array) -> Outline:
        return self.points, self.faces


def shape_of(table: Mapping[str, Any], up: str) -> Shape:
    """Shape of an obstacle, or its mesh that acts on grid nodes."""
    if "mesh" not in table:
        given = {"normal": tuple(float(axis == up) for axis in "xyz")} if table.get("shape") == "half-space" else {}
        made: Shape = _registered(OBSTACLES, table, given)
        return made
    source = table["mesh"]
    if "file" in source:
        mesh = find(MeshFile(**source), up).mesh
    else:
        mesh = find(_registered(SHAPES, source, {})).mesh
    surface = shell(mesh)
    return Outlined(surface.vertices, surface.triangles)


def script_of(table: Mapping[str, Any], shape: Shape) -> Script | None:
    """Motion of an obstacle of that shape; None if static."""
    motion = dict(table.get("motion") or {})
    if not motion:
        return None
    for key, kind in (("translate", Translation), ("rotate", Rotation)):
        if key in motion:
            motion[key] = kind(**_tuples(motion[key]))
    if "keyframes" in motion:
        motion["keyframes"] = tuple(Keyframe(**_tuples(key)) for key in motion["keyframes"])
    return Moves(**motion).script(shape.points if isinstance(shape, Outlined) else None)


def moved(points: Array, script: Script | None, t: float) -> tuple[Array, Array]:
    """Positions and velocities (k, 3) at time t of points on an obstacle."""
    if script is None:
        return points, np.zeros_like(points)
    return script.position(points, t), script.velocity(points, t)


def looks_up(shape: Shape, up: str, steep: float) -> bool:
    """Whether it is a half-space that serves as ground."""
    return isinstance(shape, HalfSpace) and bool(shape.unit["xyz".index(up)] > steep)


def _registered(registry: Registry[Any], table: Mapping[str, Any], usual: Mapping[str, Any]) -> Any:
    kind = registry.lookup(str(table.get("shape")))
    if kind is None:
        raise SuppleError(f"unknown shape '{table.get('shape')}'")
    known = {f.name for f in fields(kind)}
    return kind(**{**usual, **_tuples({key: value for key, value in table.items() if key in known})})


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list | tuple) else value for key, value in table.items()}
