"""Gravity and the vertical axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supple.mesh.stages.stage import Stage
from supple.mesh.stages.values import numbers
from supple.scene.stages.numbers import number, times, vector

EARTH = 9.81
"""Default gravity, where a stage leaves it to the simulator [m/s^2]."""


def physics_scene(stage: Stage, notes: list[str]) -> Any | None:
    """The first physics scene."""
    found = [prim for prim in stage.prims() if prim.GetTypeName() == "PhysicsScene"]
    if len(found) > 1:
        others = ", ".join(str(prim.GetPath()) for prim in found[1:])
        notes.append(f"stage: all bodies are in the scene {found[0].GetPath()}; not read: {others}")
    return found[0] if found else None


def world_table(stage: Stage, scene: Any | None) -> dict[str, Any]:
    """The table `world`."""
    if scene is None:
        return {"up": stage.up}
    size = number(scene, "gravityMagnitude")
    size = EARTH if size is None or size < 0.0 or math.isinf(size) else times(size, stage.units.si(1))
    found = scene.GetAttribute("physics:gravityDirection")
    rows = numbers(found) if found else np.zeros((0, 3))
    direction = rows[0] if len(rows) else np.zeros(3)
    if not np.linalg.norm(direction) > 0.0:
        return {"up": stage.up, "gravity": size}
    return {"up": stage.up, "gravity": vector(size * direction / np.linalg.norm(direction))}
