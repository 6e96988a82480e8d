"""Cloth and contact under a method that damps nothing, in a scene that damps nothing either."""

from __future__ import annotations

from supple.damping.mesh_scale import mesh_scale_time
from supple.integrators.method import Method
from supple.model.innermost import innermost
from supple.model.model import Model

UNDAMPED = ("none", "negative", "slightly negative", "tiny")
"""How the facts of a method begin that takes no energy from high frequencies."""


def undamped_note(model: Model, method: Method, h: float) -> str:
    """A word about bodies that will rattle at the scale of their mesh, with the remedy; empty if there are none."""
    if not method.facts.damping.startswith(UNDAMPED):
        return ""
    world = model.world
    dampers = [damping for damping in world.damping if damping.damps_strain]
    meshed = [p for p in model.bodies if not p.on_grid]  # nothing on a grid is damped
    bare = [p for p in meshed if not (p.damping or any(d.acts_on(p.name) for d in dampers))]
    touching = world.contact is not None or bool(world.obstacles)
    found = [p for p in bare if touching or (len(p.mesh.triangles) and not p.mesh.is_solid)]
    if not found:
        return ""
    names = ", ".join(f"'{p.name}'" for p in found[:3]) + (" and others" if len(found) > 3 else "")
    why = "in contact" if touching else "as cloth"
    return (
        f"damping: nothing damps {names}, and {innermost(method).name} keeps every vibration: {why} they will rattle at the "
        f'scale of the mesh; [[damping]] with name = "rayleigh" and stiffness = {mesh_scale_time(h):g} '
        "(an eighth of time.step) takes that out and little else"
    )
