"""Gravity and the axis that points up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supple.mesh.stages.stage import Stage
from supple.scene.stages.numbers import number, times, vector

EARTH = 9.81
"""Where a stage leaves it to the simulator [m/s^2]."""


def physics_scene(stage: Stage, notes: list[str]) -> Any | None:
    """The scene of physics; of several the first."""
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
    given = scene.GetAttribute("physics:gravityDirection").Get()
    direction = np.zeros(3) if given is None else np.array(given, dtype=np.float64)
    if not np.linalg.norm(direction) > 0.0:
        return {"up": stage.up, "gravity": size}
    return {"up": stage.up, "gravity": vector(size * direction / np.linalg.norm(direction))}
