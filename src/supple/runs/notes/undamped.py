"""Cloth and contact under a method that damps nothing, in a scene that damps nothing either."""

from __future__ import annotations

from supple.damping.mesh_scale import mesh_scale_time
from supple.model.assemble import Assembled
from supple.scene.tables.body import Body
from supple.scene.tables.scene import Scene

UNDAMPED = ("none", "negative", "slightly negative", "tiny")
"""How the facts of a method begin that takes no energy from high frequencies."""


def undamped_note(scene: Scene, assembled: Assembled) -> str:
    """A word about bodies that will rattle at the scale of their mesh, with the remedy; empty if there are none."""
    method = scene.integrator.make()
    if not method.facts.damping.startswith(UNDAMPED):
        return ""
    dampers = [table for table in scene.damping if table.make().damps_strain]
    bare = [
        p for p in assembled.parts if isinstance(p.table, Body) and not any(d.acts_on(p.table.name) for d in dampers)
    ]
    touching = scene.contact is not None or bool(scene.obstacle)
    found = [p for p in bare if touching or (len(p.mesh.triangles) and not p.mesh.is_solid)]
    if not found:
        return ""
    names = ", ".join(f"'{p.table.name}'" for p in found[:3]) + (" and others" if len(found) > 3 else "")
    why = "in contact" if touching else "as cloth"
    return (
        f"damping: nothing damps {names}, and {scene.integrator.name} keeps every vibration: {why} they will rattle at the "
        f'scale of the mesh; [[damping]] with name = "rayleigh" and stiffness = {mesh_scale_time(scene.time.step):g} '
        "(an eighth of time.step) takes that out and little else"
    )
