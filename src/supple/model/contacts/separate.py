"""Separation of bodies that overlap at the start: rigidly, along the line of centres, out of shapes along the normal.

Bodies with pinned or scripted vertices stay fixed, as obstacles do. The result is written to `body.initial`, so a run
can be continued and repeated without another search.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.contact.obstacles.fine_contact import FineContact
from supple.contact.surfaces.touching import Touching
from supple.errors import SceneError
from supple.model.assemble import OFFER, assemble
from supple.model.body import Body
from supple.model.contacts.contacts import AgainstShape
from supple.model.contacts.overlap import Overlap, overlaps
from supple.model.initial import Initial
from supple.model.limits.limits import Limits
from supple.model.model import Model
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array

ROUNDS = 200
STRIDE = 0.05
"""Distance by which two parts are separated per round, relative to the longest side of the smaller one."""
ROOM = 1.5
"""Remaining gap, relative to the contact distance."""


def separated(world: World, h: float, duration: float, limits: Limits | None = None) -> tuple[World, list[str]]:
    """The world with separated bodies, and notes on the moves; the same world if no body had to be moved."""
    model = assemble(world, h=h, duration=duration, overlapping=True, limits=limits)
    x = model.state.x.copy()
    for _ in range(ROUNDS):
        found = [*overlaps(model.contact, model.placed, x), *_too_near(model, x)]
        if not found:
            return _moved(model, x)
        before = x.copy()
        for overlap in found:
            _part(model, overlap, x)
        if (x == before).all():
            break
    raise SceneError([*(o.text for o in found), "--separate: these cannot be moved apart; " + OFFER.partition(",")[0]])


def _too_near(model: Model, x: Array) -> list[Overlap]:
    """Pairs with a body that was moved, but not far enough."""
    contact, parts = model.contact.between, model.placed
    moved = [bool((x[p.span] != model.state.x[p.span]).any()) for p in parts]
    if contact is None or not any(moved):
        return []
    near = Touching(contact.surface, ROOM * contact.dhat).at(x)
    owner = np.repeat(np.arange(len(parts)), [p.mesh.n for p in parts])
    met = {tuple(sorted(set(row))) for pairs in near for row in owner[pairs.corners].tolist()}
    chosen = [pair for pair in sorted(met) if len(pair) == 2 and any(moved[k] for k in pair)]
    return [Overlap("too near", tuple(parts[k] for k in pair)) for pair in chosen]


def _part(model: Model, overlap: Overlap, x: Array) -> None:
    """Move overlapping bodies, if they are movable."""
    held = model.system.motion.held(len(x))
    movable = [p for p in overlap.parts if not p.is_obstacle and not held[p.span].any()]
    if overlap.shape is not None and movable:
        x[movable[0].span] += _out_of_shape(model, overlap, x)
    elif len(overlap.parts) == 2 and movable:
        stride = STRIDE * min(float(p.mesh.extent.max()) for p in overlap.parts)
        if len(movable) == 2 and _concentric(movable[0], movable[1], x):  # both would move up and stay together
            movable = [max(movable, key=lambda part: float(x[part.span].mean(axis=0) @ _up(model)))]
        for part in movable:
            other = overlap.parts[0] if part is overlap.parts[1] else overlap.parts[1]
            x[part.span] += stride / len(movable) * _away(part, other, x, _up(model))


def _out_of_shape(model: Model, overlap: Overlap, x: Array) -> Array:
    """From the deepest vertex along the shape's normal; up, if the shape is within the body."""
    (part,), table = overlap.parts, overlap.shape
    term = next(term for own, term in model.contact.shapes if own is table and _acts_on(term, part))
    y = term.positions(x) if isinstance(term, FineContact) else x[part.span]
    gaps = term.shape.distance(y) - term.thickness
    if gaps.min() > 0.0:
        return STRIDE * float(part.mesh.extent.max()) * _up(model)
    normal = term.shape.outward(y[[gaps.argmin()]])[0]
    return np.asarray((ROOM * term.law.reach - gaps.min()) * normal)


def _acts_on(term: AgainstShape, part: Placed) -> bool:
    return bool(((term.elements >= part.first) & (term.elements < part.first + part.mesh.n)).any())


def _away(part: Placed, other: Placed, x: Array, up: Array) -> Array:
    """Unit vector from the other's centre; up for obstacles and for coincident centres."""
    if other.is_obstacle or _concentric(part, other, x):
        return up
    line = _line(part, other, x)
    return np.asarray(line / np.linalg.norm(line))


def _concentric(part: Placed, other: Placed, x: Array) -> bool:
    return float(np.linalg.norm(_line(part, other, x))) < STRIDE * float(other.mesh.extent.max())


def _line(part: Placed, other: Placed, x: Array) -> Array:
    """Vector from the centre of the other to the centre of the part."""
    return np.asarray(x[part.span].mean(axis=0) - x[other.span].mean(axis=0))


def _up(model: Model) -> Array:
    return np.eye(3)["xyz".index(model.world.up)]


def _moved(model: Model, x: Array) -> tuple[World, list[str]]:
    """The world with the new positions, and notes on the moves."""
    bodies, notes = [], []
    for part, body in zip(model.bodies, model.world.bodies, strict=True):
        shift = (x[part.first] - model.state.x[part.first]).tolist()
        if any(shift):
            words = ", ".join(f"{s:.4g}" for s in shift)
            notes.append(f"--separate: '{body.name}' moved by [{words}] m")
            body = replace(body, initial=_shifted(body, shift))
        bodies.append(body)
    return model.world.with_bodies(bodies), notes


def _shifted(body: Body, shift: list[float]) -> Initial:
    initial = body.initial
    if initial.position is not None:
        moved = tuple(f"({c}) + ({s!r})" for c, s in zip(initial.position, shift, strict=True))
        return replace(initial, position=moved)
    old = initial.translate or (0.0, 0.0, 0.0)
    return replace(initial, translate=tuple(a + s for a, s in zip(old, shift, strict=True)))
