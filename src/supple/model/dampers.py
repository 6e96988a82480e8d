"""Damping of the bodies of a world, as terms and impulses of its system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from supple.damping.air import Wind, WindOf
from supple.damping.damper import Damped, Dampers, Damping
from supple.energies.roles.whole_body import WholeBody
from supple.errors import SceneError, SuppleError, did_you_mean
from supple.model.changing.drives import at_start, constants_of, driven
from supple.model.fields.acting import air_around, by_air, by_default, field_problems, reached
from supple.model.fields.field import ForceField
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array

COEFFICIENTS = ("drag", "lift", "skin", "rate")


def name_problems(world: World) -> Iterator[str]:
    """Problems: names of unknown bodies."""
    known = [body.name for body in world.bodies]
    for k, damping in enumerate(world.damping):
        for name in damping.bodies or ():
            if name not in known:
                yield f"damping[{k}].bodies: unknown body '{name}'{did_you_mean(name, known)} known: {', '.join(known)}"
    yield from field_problems(world.fields, known, any(body.points is not None for body in world.bodies))


def dampers(world: World, placed: Sequence[Placed], mass: Array) -> Dampers:
    """All dampers of a system of these bodies and masses (n,) [kg]; all problems are reported together."""
    made: list[Dampers] = []
    problems: list[str] = []
    bodies = [p for p in placed if not p.is_obstacle]
    for p in bodies:
        for damping in () if p.on_grid else own_damping(world, p):
            made.append(Dampers(damping.on(Damped(_masses(mass, [p]), p.stuff, p.surface)).dissipation))
    for k, damping in enumerate(world.damping):
        chosen = [p for p in bodies if damping.acts_on(p.name)]
        try:
            for strength, some in _strengths(damping, chosen):
                begun = _blown_at(at_start(strength), f"damping[{k}].wind")
                made += _driven(strength, f"damping[{k}]", _in_air(begun, some, world.fields, mass))
        except SuppleError as error:
            problems.append(f"damping[{k}]: {error}")
    if problems:
        raise SceneError(problems)
    made += _blown(world, bodies, mass)
    for k, field in enumerate(world.fields):
        made.append(Dampers(tuple(field.dampers(reached(field, bodies, mass), f"field[{k}]"))))
    return Dampers(
        tuple(term for each in made for term in each.dissipation),
        tuple(impulse for each in made for impulse in each.impulses),
    )


def _blown_at(damping: Damping, path: str) -> Damping:
    """The same, whose wind has its place in the scene."""
    wind = getattr(damping, "wind", None)
    made: Any = damping
    return damping if wind is None else replace(made, wind=WindOf(path, wind))


def _driven(damping: Damping, column: str, made: Sequence[Dampers]) -> list[Dampers]:
    """The same with time-dependent constants if those of the damping are."""
    drive = constants_of(damping, column, damping.constant_names)
    if drive is not None and any(each.impulses for each in made):
        raise SuppleError(f"{damping.name} gives impulses, whose strength cannot change with time")
    return [Dampers(tuple(driven(term, drive) for term in each.dissipation), each.impulses) for each in made]


def _in_air(damping: Damping, chosen: Sequence[Placed], acting: Sequence[ForceField], mass: Array) -> list[Dampers]:
    """The dampers of one kind of damping, with the air of all fields if it involves air."""
    whole = _damped(mass, chosen)
    if not damping.reaches(whole):
        return [damping.on(whole)]
    groups = [(air, _damped(mass, parts)) for air, parts in by_air(chosen, acting)]
    return [
        (damping if air is None else damping.in_air(air)).on(bodies)
        for air, bodies in groups
        if damping.reaches(bodies)
    ]


def _blown(world: World, bodies: Sequence[Placed], mass: Array) -> Iterator[Dampers]:
    """Air drag on bodies in fields of air that no damping of the world couples to the air."""
    groups: dict[tuple[Wind, Damping], list[Placed]] = {}
    for p, air, damping in _by_default(world, bodies, mass):
        groups.setdefault((air, damping), []).append(p)
    for (air, damping), parts in groups.items():  # many small bodies need one term instead of many
        yield damping.in_air(air).on(_damped(mass, parts))


def air_notes(world: World, placed: Sequence[Placed], mass: Array) -> Iterator[str]:
    """A note on each body that couples to the air of fields with default coefficients."""
    for p, _, damping in _by_default(world, [p for p in placed if not p.is_obstacle], mass):
        given = ", ".join(f"{f.name} = {getattr(damping, f.name):g}" for f in fields(damping) if f.name in COEFFICIENTS)
        yield (
            f'{p.name}: couples to the air of fields by {damping.name} ({given}); [[damping]] with name = "{damping.name}" and '
            "other coefficients replaces it"
        )


def _by_default(world: World, bodies: Sequence[Placed], mass: Array) -> Iterator[tuple[Placed, Wind, Damping]]:
    """Bodies that no damping of the world couples to the surrounding air, the air, and the default damping used instead."""
    for p in bodies:
        air, own = air_around(p, world.fields), _damped(mass, [p])
        acting = [*(d for d in world.damping if d.acts_on(p.name)), *p.damping]
        if air is not None and not any(damping.reaches(own) for damping in acting):
            yield p, air, by_default(p, own)


def _damped(mass: Array, chosen: Sequence[Placed]) -> Damped:
    triangles = np.concatenate([np.empty((0, 3), np.int32), *(p.surface for p in chosen)])
    # a pressure, or the energy of a whole volume, is not a material strain and has no element matrices
    strained = tuple(term for p in chosen for term in p.elastic if not isinstance(term, WholeBody))
    return Damped(_masses(mass, chosen), strained, triangles)


def own_damping(world: World, p: Placed) -> list[Damping]:
    """Damping included in the material of a body; air only if the scene does not define its own, and moved by the fields."""
    aired = any(not damping.damps_strain and damping.acts_on(p.name) for damping in world.damping)
    air = air_around(p, world.fields)
    own = [damping for damping in p.damping if damping.damps_strain or not aired]
    return own if air is None else [d if d.damps_strain else d.in_air(air) for d in own]


def _strengths(damping: Damping, chosen: Sequence[Placed]) -> list[tuple[Damping, list[Placed]]]:
    """A damping of the world scaled by the directions of its bodies, with the bodies of each strength."""
    found: dict[tuple[float, ...], list[Placed]] = {}
    for p in chosen:
        words = p.direction
        found.setdefault((words.stiffness, words.heavier, words.damping), []).append(p)
    return [(damping.suited(*key[:2]).scaled(key[2]), some) for key, some in found.items()] or [(damping, [])]


def _masses(mass: Array, chosen: Sequence[Placed]) -> Array:
    """(n,) masses of the chosen bodies; zero for all other vertices [kg]."""
    damped = np.zeros_like(mass)
    for p in chosen:
        damped[p.span] = mass[p.span]
    return damped
