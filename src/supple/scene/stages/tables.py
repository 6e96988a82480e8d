"""A stage as the tables of a scene."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from supple.damping.mesh_scale import mesh_scale_time
from supple.errors import SceneError
from supple.mesh.measure import edge_lengths
from supple.mesh.stages.stage import Stage, open_stage, refusing
from supple.mesh.topology import unique_edges
from supple.scene.stages.attachments import READ_TYPES, attach
from supple.scene.stages.bodies import body_table, damping_tables
from supple.scene.stages.clock import clock, fast_enough, seconds
from supple.scene.stages.colliders import fastest, kinematic_obstacle, obstacles
from supple.scene.stages.deformables import Deformable, find_deformables
from supple.scene.stages.naming import Names
from supple.scene.stages.own import own_keys
from supple.scene.stages.remarks import contents, missing_layers, unread
from supple.scene.stages.world import physics_scene, world_table

GAP = 0.01
"""Contact distance, over the longest side of the smallest body."""
Table = dict[str, Any]


def stage_tables(path: str | os.PathLike[str]) -> tuple[Table, list[str]]:
    """The tables of a scene, and notes on chosen values and ignored content."""
    stage = open_stage(Path(path).resolve())
    with refusing(stage.path):
        return _tables(stage, Path(path))


def _tables(stage: Stage, path: Path) -> tuple[Table, list[str]]:
    notes = missing_layers(stage)
    names = Names()
    found = find_deformables(stage, names, notes)
    bodies = [body for body in found if not body.kinematic]
    if not bodies:
        raise _nothing_to_simulate(path, stage, found)
    scene = physics_scene(stage, notes)
    tables: Table = {"title": stage.path.stem, "world": world_table(stage, scene), **clock(stage, scene, notes)}
    own = {} if scene is None else own_keys(scene, "scene")
    for key, value in own.items():
        if key not in ("body", "obstacle"):
            tables[key] = (
                tables[key] | value if isinstance(tables.get(key), dict) and isinstance(value, dict) else value
            )
    made = [body_table(stage, body, notes) for body in bodies]
    joined = attach(stage, bodies, dict(zip((body.path for body in bodies), made, strict=True)), notes)
    around = [kinematic_obstacle(stage, body, notes) for body in found if body.kinematic]
    around += obstacles(stage, bodies, names, notes) + own.get("obstacle", [])
    tables |= {"body": made} | ({"obstacle": around} if around else {})
    for key, entries in joined.tables.items():
        tables[key] = [*entries, *own.get(key, [])]
    if own.get("contact") is False:
        del tables["contact"]
    elif "contact" not in own and (
        _surfaces_meet(bodies, joined.pairs, notes) or any("mesh" in table for table in around)
    ):
        tables["contact"] = {"distance": _distance(bodies)}
    if "step" not in own.get("time", {}):
        fast_enough(tables, fastest(stage, around), tables.get("contact", {}).get("distance", math.inf), notes)
    if "damping" not in own:
        tables["damping"] = damping_tables(stage, bodies, mesh_scale_time(seconds(tables["time"]["step"])), notes)
    return tables, [*notes, *unread(stage, READ_TYPES)]


def _surfaces_meet(bodies: list[Deformable], pairs: set[frozenset[str]], notes: list[str]) -> bool:
    """Whether contact between bodies, and self-contact, is on."""
    touching = [body for body in bodies if body.collides and body.kind != "curves"]
    if not touching or (len(touching) == 1 and touching[0].kind == "volume"):
        return False
    names = {body.name for body in touching}
    close = [pair for pair in pairs if pair <= names]
    if close:
        which = ", ".join(" and ".join(sorted(pair)) for pair in close)
        notes.append(
            f"contact: {which} are attached to each other where they touch; contact between bodies is disabled"
        )
    return not close


def _distance(bodies: list[Deformable]) -> float:
    """Contact distance: large enough for the motion of colliders per step, small enough for the elements [m]."""
    touching = [body.mesh for body in bodies if body.collides] or [body.mesh for body in bodies]
    edges = [unique_edges(m.tets if m.is_solid else m.triangles) if not len(m.edges) else m.edges for m in touching]
    short = min(float(np.median(edge_lengths(m.vertices, e))) for m, e in zip(touching, edges, strict=True))
    return float(f"{min(GAP * min(float(m.extent.max()) for m in touching), 0.25 * short):.2g}")


def _nothing_to_simulate(path: Path, stage: Stage, found: list[Deformable]) -> SceneError:
    if found:
        return SceneError(
            f"{path}: all deformable bodies are kinematic ({found[0].path}); nothing remains to be simulated"
        )
    return SceneError(
        f"{path}: contains no deformable body, only {contents(stage)}. Apply PhysicsDeformableBodyAPI with "
        "PhysicsVolumeDeformableSimAPI (TetMesh), PhysicsSurfaceDeformableSimAPI (Mesh) or PhysicsCurvesDeformableSimAPI "
        '(BasisCurves) to the prims to simulate, or name a mesh in a scene: mesh = { file = "...", object = "/..." }'
    )
