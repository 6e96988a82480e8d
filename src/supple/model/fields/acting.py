"""The fields of a world in its system: terms, drag, and the air around each body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from supple.damping.aerodynamic import Aerodynamic
from supple.damping.air import Streams, Wind
from supple.damping.damper import Damped, Damping
from supple.damping.drag import AirDrag
from supple.errors import did_you_mean
from supple.mesh.topology import boundary_edges
from supple.model.fields.field import ForceField, Reached, at_place
from supple.model.placed import Placed
from supple.types import Array

SHEET = Aerodynamic(drag=1.0, lift=1.0, skin=0.02)
"""Default air forces on a sheet that no damping couples to the air."""
CLOSED = Aerodynamic(drag=0.5, lift=0.5, skin=0.01)
"""The same for solids and closed surfaces, both sides of which are in the stream."""
THREAD = AirDrag(rate=1.0)
"""The same for ropes and particles, which have no surface."""


@dataclass(frozen=True)
class Stream:
    """The air of one field, with its place in the scene for messages."""

    path: str
    field: ForceField

    def __call__(self, x: Array, t: float) -> Array:
        with at_place(self.path):
            return self.field.velocity(x, t)


def field_problems(fields: Sequence[ForceField], bodies: Sequence[str], has_points: bool) -> Iterator[str]:
    """Problems: names of unknown bodies, and fields that do not act on material points."""
    for k, each in enumerate(fields):
        for name in each.bodies or ():
            if name not in bodies:
                yield f"field[{k}].bodies: unknown body '{name}'{did_you_mean(name, bodies)} known: {', '.join(bodies)}"
        if has_points and each.dissipates:
            yield (
                f"field[{k}]: '{each.name}' acts by drag, which material points do not have; take attractor, force or swirl, "
                "or give all bodies meshes without points"
            )


def reached(field: ForceField, placed: Iterable[Placed], mass: Array) -> Reached:
    """The bodies on which a field acts, in a system with masses (n,) [kg]."""
    parts = [p for p in placed if not p.is_obstacle and field.acts_on(p.name)]
    own = np.zeros_like(mass)
    for p in parts:
        own[p.span] = mass[p.span]
    return Reached(own, parts)


def air_around(part: Placed, fields: Sequence[ForceField]) -> Wind | None:
    """The air around one body; None if no field moves it."""
    acting = [(k, each) for k, each in enumerate(fields) if each.moves_air and each.acts_on(part.name)]
    return Streams(tuple(Stream(f"field[{k}]", each) for k, each in acting)) if acting else None


def by_air(parts: Sequence[Placed], fields: Sequence[ForceField]) -> list[tuple[Wind | None, list[Placed]]]:
    """Bodies grouped by the air around them."""
    groups: dict[Wind | None, list[Placed]] = {}
    for part in parts:
        groups.setdefault(air_around(part, fields), []).append(part)
    return list(groups.items())


def by_default(part: Placed, bodies: Damped) -> Damping:
    """Default air forces on a body that no damping couples to the air."""
    if not len(bodies.triangles):
        return THREAD
    return CLOSED if part.mesh.is_solid or not len(boundary_edges(bodies.triangles)) else SHEET
