"""The table of a deformable body."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supple.mesh.stages.points import start_state
from supple.mesh.stages.stage import Stage
from supple.scene.stages.deformables import Deformable
from supple.scene.stages.masses import mass_keys
from supple.scene.stages.materials import DENSITY, MATERIALS, POISSON, THICKNESS, YOUNG, bound
from supple.scene.stages.numbers import vector
from supple.scene.stages.own import own_keys
from supple.types import Array

SAME = 1e-7
"""Tolerance for equal positions, as a fraction of the body size: the limit of single precision."""
Table = dict[str, Any]


def body_table(stage: Stage, of: Deformable, notes: list[str]) -> Table:
    """Mesh, material, mass and initial state of a body; pins and attachments are added later."""
    stuff = bound(of.prim, stage.units)
    if stuff.prim is None:
        thin = "" if of.kind == "volume" else f", thickness {THICKNESS:g} m"
        notes.append(
            f"{of.path}: has no physics material; Young's modulus {YOUNG:g} Pa, Poisson's ratio {POISSON:g}, density "
            f"{DENSITY:g} kg/m^3{thin} are the defaults of the proposal"
        )
    table: Table = {"name": of.name, "mesh": _source(stage, of), **MATERIALS[of.kind](of, stuff, notes)}
    table |= mass_keys(of, stuff, notes)
    if "mass" in table:
        for region in table.get("regions", ()):
            region["material"].pop("density", None)
    if stuff.friction is not None and of.collides:
        table["friction"] = stuff.friction
    initial = _initial(stage, of)
    if initial:
        table["initial"] = initial
    for path in dict.fromkeys((of.root.GetPath(), of.prim.GetPath())):
        own = own_keys(stage.usd.GetPrimAtPath(path), "body")
        if {"mass", "density"} & own.keys():
            table = {key: value for key, value in table.items() if key not in ("mass", "density")}
        table |= own
    if of.kind == "curves":
        _remark_curved(of, table, notes)
    return table


def damping_tables(stage: Stage, bodies: list[Deformable], usual: float, notes: list[str]) -> list[Table]:
    """Damping of PhysX where a material has it; elsewhere damping of element-scale vibration."""
    given: dict[float, list[str]] = {}
    for body in bodies:
        given.setdefault(bound(body.prim, stage.units).damping_time or usual, []).append(body.name)
    taken = [time for time in given if time != usual]
    if taken:
        notes.append(
            f"stage: elasticityDamping is taken as the time of stiffness damping: {', '.join(f'{t:g} s' for t in taken)}"
        )
    if usual in given:
        notes.append(
            f"damping: a stage specifies none; rayleigh damping with stiffness = {usual:g} removes element-scale vibration"
        )
    every = len(given) == 1
    return [
        {"name": "rayleigh", "stiffness": time, **({} if every else {"bodies": names})} for time, names in given.items()
    ]


def _source(stage: Stage, of: Deformable) -> Table:
    return {"file": str(stage.path), "object": of.path}


def _initial(stage: Stage, of: Deformable) -> Table:
    """Empty for a body that starts at rest, keys for one that is shifted or thrown, otherwise the stage itself."""
    x, v = start_state(stage, of.prim)
    X = of.mesh.vertices
    size = float(np.ptp(X, axis=0).max())
    shift, speed = (x - X).mean(axis=0), v.mean(axis=0)
    rounding = SAME * (size + float(np.abs(x).max()))
    even = np.abs(x - X - shift).max() <= rounding
    if not even or np.abs(v - speed).max() > SAME * np.abs(v).max():
        return _source(stage, of)
    made: Table = {}
    if np.abs(shift).max() > rounding:
        made["translate"] = vector(np.round(shift, math.ceil(-math.log10(rounding))))
    if np.abs(speed).max() > 0.0:
        made["velocity"] = vector(speed)
    return made


def _remark_curved(of: Deformable, table: Table, notes: list[str]) -> None:
    """Rods of supple are straight at rest."""
    material = table.get("material", {})
    if not isinstance(material, dict) or material.get("rigidity") == 0.0:
        return
    edges, X = of.mesh.edges, of.mesh.vertices
    ends: dict[int, list[Array]] = {}
    for a, b in edges.tolist():
        way = (X[b] - X[a]) / np.linalg.norm(X[b] - X[a])
        ends.setdefault(a, []).append(way)
        ends.setdefault(b, []).append(way)
    bent = max((float(np.linalg.norm(two[0] - two[1])) for two in ends.values() if len(two) == 2), default=0.0)
    if bent > 1e-3:
        notes.append(f"{of.path}: its rest shape is curved; rods of supple are straight at rest, so it will straighten")
