"""Colliders of a stage as obstacles: shapes where static and supported, otherwise meshes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from supple.errors import SceneError
from supple.mesh.stages.prims import prim_mesh
from supple.mesh.stages.schema import has, targets, value
from supple.mesh.stages.stage import Stage
from supple.scene.stages.deformables import Deformable, is_collider
from supple.scene.stages.materials import bound
from supple.scene.stages.motions import motion_of, points_motion, speed_of
from supple.scene.stages.naming import Names
from supple.scene.stages.own import own_keys
from supple.scene.stages.shapes import shape_of

TYPES = ("Mesh", "Sphere", "Cube", "Capsule", "Cylinder", "Cone", "Plane")
Table = dict[str, Any]


def obstacles(stage: Stage, bodies: Sequence[Deformable], names: Names, notes: list[str]) -> list[Table]:
    """A table for each collider that belongs to no deformable."""
    made: list[Table] = []
    touching = [body for body in bodies if body.collides]
    roots = [body.root.GetPath() for body in bodies]
    for prim in stage.prims():
        if not is_collider(prim) or any(prim.GetPath().HasPrefix(root) for root in roots):
            continue
        kind = str(prim.GetTypeName())
        if kind not in TYPES:
            notes.append(f"{prim.GetPath()}: a collider of type '{kind}' is ignored; use {', '.join(TYPES)}")
            continue
        felt = [body.name for body in touching if not _filtered(prim, body)]
        if not felt:
            notes.append(f"{prim.GetPath()}: no deformable collides with it; it is omitted")
            continue
        table = _obstacle(stage, prim, names, notes)
        made.append(table | ({"bodies": felt} if len(felt) < len(bodies) else {}))
    return made


def fastest(stage: Stage, tables: Sequence[Table]) -> float:
    """Speed of the fastest of these obstacles [m/s]."""
    moving = [table["mesh"]["object"] for table in tables if "motion" in table and "object" in table.get("mesh", {})]
    return max((speed_of(stage, stage.prim(path)) for path in moving), default=0.0)


def kinematic_obstacle(stage: Stage, body: Deformable, notes: list[str]) -> Table:
    """A kinematic deformable."""
    return _meshed(stage, body.prim, body.name, notes)


def _obstacle(stage: Stage, prim: Any, names: Names, notes: list[str]) -> Table:
    rigid = _rigid_body(prim)
    motion = points_motion(stage, prim, []) or motion_of(stage, prim, [])
    if rigid is not None and not value(rigid, "kinematicEnabled"):
        how = "moves as animated" if motion else "stands still"
        notes.append(f"{rigid.GetPath()}: supple has no rigid bodies; its collider {prim.GetPath()} {how}")
    shape = None if motion is not None or prim.GetTypeName() == "Mesh" else shape_of(stage, prim)
    name = names.new(prim)
    if shape is None:
        approximation = value(prim, "approximation")
        if approximation not in (None, "none"):
            notes.append(
                f"{prim.GetPath()}: approximation '{approximation}' is not supported; its triangles are used unchanged"
            )
        return _meshed(stage, prim, name, notes)
    friction = bound(prim, stage.units).friction
    return {"name": name, **shape, **({"friction": friction} if friction else {}), **own_keys(prim, "obstacle")}


def _meshed(stage: Stage, prim: Any, name: str, notes: list[str]) -> Table:
    if not len(prim_mesh(stage, prim).vertices):
        raise SceneError(f"{prim.GetPath()}: a collider without points")
    friction = bound(prim, stage.units).friction
    motion = points_motion(stage, prim, notes) or motion_of(stage, prim, notes)
    return {
        "name": name,
        "mesh": {"file": str(stage.path), "object": str(prim.GetPath())},
        **({"motion": motion} if motion else {}),
        **({"friction": friction} if friction else {}),
        **own_keys(prim, "obstacle"),
    }


def _rigid_body(prim: Any) -> Any | None:
    """The rigid body that a collider belongs to."""
    above = prim
    while above and not above.IsPseudoRoot():
        if has(above, "RigidBodyAPI") and value(above, "rigidBodyEnabled") is not False:
            return above
        above = above.GetParent()
    return None


def _filtered(prim: Any, body: Deformable) -> bool:
    """Whether a pair is excluded from contact, by either side."""
    own, other = {str(prim.GetPath())}, {str(body.root.GetPath()), body.path}
    pairs = ((prim, other), (body.root, own), (body.prim, own))
    return any(set(targets(one, "filteredPairs")) & paths for one, paths in pairs)
