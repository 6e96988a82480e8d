# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields of Blender as tables `[[field]]` of a scene.

Wind, turbulence and vortex are velocities of the air: a strength of 1 is 1 m/s. Force is an acceleration: a strength of 1 is
1 m/s^2 at a distance of 1 m, away from the object if positive.
"""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

from ..objects.sampling import frames_of, metres

CORE = 0.5
"""Radius of a vortex without a smallest distance [m]."""


def field_tables(context: bpy.types.Context) -> tuple[list[dict[str, Any]], list[str]]:
    """Tables of all force fields of the scene, and notes on those that have no counterpart."""
    tables, notes = [], []
    for thing in context.scene.objects:
        kind = thing.field.type if thing.field is not None else "NONE"
        if kind == "NONE" or thing.hide_viewport:
            continue
        make = KINDS.get(kind)
        if make is None:
            notes.append(f"{thing.name}: force fields of type {kind.title()} have no counterpart and are left out")
            continue
        table, moves = _sampled(context, thing, make)
        tables.append(table)
        if moves:
            notes.append(f"{thing.name}: a force field stays at its place of the first frame")
    return tables, notes


def _sampled(context: bpy.types.Context, thing: bpy.types.Object, make: Callable) -> tuple[dict[str, Any], bool]:
    """The table at the first frame, with a strength that follows its keys."""
    scene = context.scene
    now, part = scene.frame_current, scene.frame_subframe
    fps = scene.render.fps / scene.render.fps_base
    found, first, moves = [], {}, False
    try:
        for k, frame in enumerate(frames_of(scene)):
            scene.frame_set(frame)
            table = make(thing.evaluated_get(context.evaluated_depsgraph_get()), metres(scene))
            first = first or table
            found.append([k / fps, table.get("strength", 1.0)])
            moves |= any(
                not np.allclose(table[key], first[key], atol=1e-6)
                for key in ("centre", "direction", "axis")
                if key in table
            )
    finally:
        scene.frame_set(now, subframe=part)
    values = [value for _, value in found]
    if max(values) - min(values) > 1e-6 * max(1e-9, max(map(abs, values))):
        first["strength"] = {"keys": found}
    return first, moves


def _wind(thing: bpy.types.Object, scale: float) -> dict[str, Any]:
    field = thing.field
    table = {"name": "wind", "strength": field.strength, "direction": _axis(thing)}
    if field.noise > 0.0 and field.strength:
        table |= {"gusts": field.noise / abs(field.strength), "seed": field.seed}
    return table | _region(thing, scale)


def _turbulence(thing: bpy.types.Object, scale: float) -> dict[str, Any]:
    field = thing.field
    size = field.size * scale if field.size > 0.0 else 1.0
    return {"name": "turbulence", "strength": field.strength, "size": size, "seed": field.seed} | _region(thing, scale)


def _vortex(thing: bpy.types.Object, scale: float) -> dict[str, Any]:
    field = thing.field
    core = field.distance_min * scale if field.use_min_distance and field.distance_min > 0.0 else CORE
    table = {
        "name": "vortex",
        "strength": field.strength,
        "centre": _centre(thing, scale),
        "axis": _axis(thing),
        "core": core,
    }
    if field.inflow:
        table["inflow"] = field.inflow
    return table | _region(thing, scale)


def _force(thing: bpy.types.Object, scale: float) -> dict[str, Any]:
    field = thing.field
    table = {
        "name": "attractor",
        "strength": -field.strength,
        "centre": _centre(thing, scale),
        "power": field.falloff_power,
    }
    if field.shape in ("LINE", "PLANE"):
        table |= {"to": field.shape.lower(), "axis": _axis(thing)}
    if field.use_min_distance and field.distance_min > 0.0:
        table["core"] = field.distance_min * scale
    if field.use_max_distance and field.distance_max > 0.0:
        table["range"] = field.distance_max * scale
    return table


def _drag(thing: bpy.types.Object, scale: float) -> dict[str, Any]:
    field = thing.field
    return {"name": "drag", "linear": field.linear_drag, "quadratic": field.quadratic_drag / scale} | _region(
        thing, scale
    )


def _region(thing: bpy.types.Object, scale: float) -> dict[str, Any]:
    """The ball around the object in which its field acts, if it has a largest distance."""
    field = thing.field
    if not (field.use_max_distance and field.distance_max > 0.0):
        return {}
    return {"region": {"sphere": {"centre": _centre(thing, scale), "radius": field.distance_max * scale}}}


def _centre(thing: bpy.types.Object, scale: float) -> list[float]:
    return [float(c) * scale for c in thing.matrix_world.translation]


def _axis(thing: bpy.types.Object) -> list[float]:
    return [float(c) for c in thing.matrix_world.col[2].to_3d().normalized()]


KINDS = {"WIND": _wind, "TURBULENCE": _turbulence, "VORTEX": _vortex, "FORCE": _force, "DRAG": _drag}
