"""Pins, motions, soft pins and springs between bodies as attachments."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.export.physics.frames import define_frame
from supple.export.physics.physics import Page, put, put_own, vectors, whole
from supple.model.attachments import Attachment
from supple.model.energies.energy import Energy
from supple.model.energies.soft_pin import SoftPin
from supple.model.motion import Moves
from supple.model.placed import Placed
from supple.model.places import nearest_vertices, place
from supple.model.plain import NoText, plain
from supple.types import Array, Ints

Prims = dict[str, tuple[Any, Ints]]
"""By the name of a body: the prim of its geometry, and the index of each vertex there."""


def write_pins(page: Page, prims: Prims, part: Placed) -> None:
    """Vertices that never move, and those that follow a script."""
    for name in part.body.pin:
        _to_frame(page, prims, part, name, part.mesh.groups[name], None)
    for motion in part.body.motion:
        _to_frame(page, prims, part, motion.group, part.mesh.groups[motion.group], motion)


def write_energy(page: Page, prims: Prims, parts: tuple[Placed, ...], energy: Energy) -> bool:
    """Write a soft pin; False for other energies and for a varying stiffness."""
    if not isinstance(energy, SoftPin) or not isinstance(energy.stiffness, int | float):
        return False
    vertices, part = place(energy.vertices, parts, "energy")
    if part.name not in prims:
        return False
    own = vertices - np.int32(part.first)
    _to_frame(page, prims, part, f"{part.name}-soft", own, energy.motion, float(energy.stiffness))
    return True


def write_springs(page: Page, prims: Prims, parts: tuple[Placed, ...], x: Array, springs: Attachment) -> bool:
    """Write zero-length springs between vertices; False for others."""
    if springs.onto != "vertex" or springs.rest_length != 0.0 or not isinstance(springs.stiffness, int | float):
        return False
    (own, one), (other, two) = (place(name, parts, "attachment") for name in (springs.vertices, springs.to))
    if one.name not in prims or two.name not in prims:
        return False
    partner = other[nearest_vertices(x[own], x[other])]
    near = np.linalg.norm(x[own] - x[partner], axis=1) <= (np.inf if springs.within is None else springs.within)
    prim = _attachment(page, f"{one.name}-{two.name}", (one, two), prims, float(springs.stiffness))
    for side, (part, vertices) in enumerate(((one, own[near]), (two, partner[near]))):
        put(prim, f"physics:type{side}", "Token", "point")
        put(prim, f"physics:indices{side}", "IntArray", whole(prims[part.name][1][vertices - np.int32(part.first)]))
    return True


def _to_frame(
    page: Page,
    prims: Prims,
    part: Placed,
    name: str,
    vertices: Ints,
    moves: Moves | None,
    stiffness: float | None = None,
) -> None:
    start = part.x[vertices]
    frame = define_frame(page, f"{part.name}-{name}", None if moves is None else moves.script(start))
    prim = _attachment(page, name, (part, None), prims, stiffness)
    prim.GetRelationship("physics:src1").SetTargets([frame.GetPath()])
    put(prim, "physics:type0", "Token", "point")
    put(prim, "physics:type1", "Token", "xform")
    put(prim, "physics:indices0", "IntArray", whole(prims[part.name][1][vertices]))
    put(prim, "physics:coords1", "Vector3fArray", vectors(page.points(start)))
    if moves is None:
        return
    try:
        put_own(prim, "motion", {key: value for key, value in plain(moves).items() if key != "group"})
    except NoText:
        page.notes.append(f"{part.name}.{name}: its script is written as samples, one per frame")


def _attachment(
    page: Page, name: str, sides: tuple[Placed, Placed | None], prims: Prims, stiffness: float | None
) -> Any:
    prim = page.stage.DefinePrim(page.path("attachments", name), "PhysicsAttachment")
    for side, part in enumerate(sides):
        source = prim.CreateRelationship(f"physics:src{side}", custom=False)
        if part is not None:
            source.SetTargets([prims[part.name][0].GetPath()])
    if stiffness is not None:
        put(prim, "physics:stiffness", "Float", stiffness)
    return prim
