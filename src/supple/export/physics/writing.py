"""A complete set-up written with the motion of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import RecordError
from supple.export.physics.geometry import define_geometry, refusal
from supple.export.physics.joints import Prims, write_energy, write_pins, write_springs
from supple.export.physics.materials import write_material
from supple.export.physics.obstacles import write_obstacle
from supple.export.physics.physics import Page, Physics, put_own
from supple.export.sequence import Sequence
from supple.model.plain import NoText, plain, world_tables

SCOPE = "physics"


def write_physics(stage: Any, root: str, sequence: Sequence, physics: Physics) -> list[str]:
    """Write it below the root prim; returns notes on unsupported content."""
    from pxr import Tf, UsdGeom, UsdPhysics

    scope = f"{root}/{SCOPE}"
    while stage.GetPrimAtPath(scope):
        scope += "_"
    UsdGeom.Scope.Define(stage, scope)
    UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
    codes = np.array(sequence.numbers, dtype=np.float64)
    page = Page(stage, scope, sequence.scale, sequence.turn, codes, np.asarray(sequence.times))
    model = physics.model
    prims: Prims = {}
    for part in model.bodies:
        why = refusal(part)
        if why:
            page.notes.append(f"{part.name}: {why}: not supported by USD, and omitted from the physics")
            continue
        prim, number = define_geometry(page, page.path(part.name), part)
        prims[part.name] = prim, number
        given = next(body for body in model.world.bodies if body.name == part.name)
        rest = write_material(page, prim, part, given)
        _write_rest(
            page,
            prim,
            part.name,
            rest | ({"name": part.name} if Tf.MakeValidIdentifier(part.name) != part.name else {}),
        )
        write_pins(page, prims, part)
    if not prims:
        raise RecordError("--physics: no body of the run is supported by USD: " + "; ".join(page.notes))
    _write_scene(page, physics, prims)
    return page.notes


def _write_rest(page: Page, prim: Any, name: str, rest: dict[str, Any]) -> None:
    put_own(prim, "body", rest)
    told = rest.keys() - {"name", "colour"}
    if told:
        page.notes.append(f"body '{name}': only supple reads {', '.join(sorted(told))} (supple:body)")


def _write_scene(page: Page, physics: Physics, prims: Prims) -> None:
    """Gravity, colliders and attachments; remaining tables of the world are written as text."""
    from pxr import Gf, UsdPhysics

    world, parts = physics.model.world, physics.model.placed
    scene = UsdPhysics.Scene.Define(page.stage, page.path("scene"))
    tables = world_tables(world)
    rest: dict[str, Any] = {"time": {"step": physics.h}, **physics.tables, "damping": tables.get("damping", [])}
    gravity = tables["world"]["gravity"]
    if all(isinstance(g, int | float) for g in gravity):
        size = float(np.linalg.norm(gravity))
        scene.CreateGravityMagnitudeAttr(size * page.scale)
        if size:
            scene.CreateGravityDirectionAttr(Gf.Vec3f(*(page.direction(gravity) / size).tolist()))
    else:
        rest["world"] = {"gravity": gravity}
    rest["obstacle"] = [plain(o) for o in world.obstacles if not write_obstacle(page, o, parts)]
    rest["energy"] = [plain(e) for e in world.energies if not write_energy(page, prims, parts, e)]
    x = physics.model.state.x
    rest["attachment"] = [plain(a) for a in world.attachments if not write_springs(page, prims, parts, x, a)]
    # absence is written explicitly, since a stage gets contact and damping by default
    rest |= {"contact": tables.get("contact", False), "constraint": tables.get("constraint", [])}
    rest = {key: value for key, value in rest.items() if value or key in ("damping", "contact")}
    try:
        put_own(scene.GetPrim(), "scene", rest)
    except NoText as error:
        page.notes.append(f"scene: {error}")
    told = [key for key, value in rest.items() if value and key not in ("time", "title")]
    if told:
        page.notes.append(f"scene: only supple reads {', '.join(told)} (supple:scene)")
