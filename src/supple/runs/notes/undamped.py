"""Undamped bodies under a method without numerical damping: they rattle, or swing forever."""

from __future__ import annotations

from supple.damping.mesh_scale import mesh_scale_time
from supple.integrators.method import Method
from supple.model.innermost import innermost
from supple.model.model import Model
from supple.model.placed import Placed

UNDAMPED = ("none", "negative", "slightly negative", "tiny")
"""Starts of the damping property of methods that do not damp high frequencies."""


def undamped_note(model: Model, method: Method, h: float) -> str:
    """One line about bodies that will rattle at the scale of their mesh or keep swinging forever, with the remedy; empty if there
    are none."""
    if not method.facts.damping.startswith(UNDAMPED):
        return ""
    world = model.world
    dampers = [damping for damping in world.damping if damping.damps_strain]
    meshed = [p for p in model.bodies if not p.on_grid]  # nothing on a grid is damped
    bare = [p for p in meshed if not (p.damping or any(d.acts_on(p.name) for d in dampers))]
    touching = world.contact is not None or bool(world.obstacles)
    found = [p for p in bare if touching or (len(p.mesh.triangles) and not p.mesh.is_solid)]
    name = innermost(method).name
    if found:
        how = "in contact" if touching else "as cloth"
        return (
            f"damping: {_missing(found, model)}, and {name} preserves every vibration: {how} they will rattle at the "
            f'scale of the mesh. [[damping]] with name = "rayleigh" and stiffness = {mesh_scale_time(h):g} '
            "(an eighth of time.step) removes that and little else. A material preset includes damping, and "
            "direction.settle = 2 brings bodies to rest in 2 s"
        )
    held = [p for p in bare if len(p.pinned) and not any(d.acts_on(p.name) for d in world.damping)]
    if not held or not any(world.acceleration):
        return ""
    return (
        f"damping: nothing damps {_names(held)}, nor does {name}: it keeps swinging; direction.settle = 2 brings it "
        "to rest in 2 s, and a material preset includes damping"
    )


def _missing(found: list[Placed], model: Model) -> str:
    """What is missing: all damping, or only that of strain where the air or drag damps the motion."""
    others = [d for d in model.world.damping if not d.damps_strain]
    slowed = any(d.acts_on(p.name) for d in others for p in found)
    names = _names(found)
    return (
        f"nothing damps the strain of {names} (other damping only slows its motion)"
        if slowed
        else f"nothing damps {names}"
    )


def _names(found: list[Placed]) -> str:
    return ", ".join(f"'{p.name}'" for p in found[:3]) + (" and others" if len(found) > 3 else "")
