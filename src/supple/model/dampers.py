"""All that damps the bodies of a world, as terms and impulses of its system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from supple.damping.damper import Damped, Dampers
from supple.dynamics.impulse import Impulse
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, did_you_mean
from supple.model.changing.drives import at_start, constants_of, driven
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array


def name_problems(world: World) -> Iterator[str]:
    """Bodies that are named but not there."""
    known = [body.name for body in world.bodies]
    for k, damping in enumerate(world.damping):
        for name in damping.bodies or ():
            if name not in known:
                yield f"damping[{k}].bodies: unknown body '{name}'{did_you_mean(name, known)} known: {', '.join(known)}"


def dampers(world: World, placed: Sequence[Placed], mass: Array) -> Dampers:
    """All that damps a system of these bodies and masses (n,) [kg]; all problems are reported at once."""
    dissipation: list[EnergyTerm] = []
    impulses: list[Impulse] = []
    problems: list[str] = []
    bodies = [p for p in placed if not p.is_obstacle]
    for p in bodies:
        for damping in () if p.on_grid else p.damping:
            dissipation += damping.on(Damped(_masses(mass, [p]), p.stuff, p.surface)).dissipation
    for k, damping in enumerate(world.damping):
        chosen = [p for p in bodies if damping.acts_on(p.name)]
        triangles = np.concatenate([np.empty((0, 3), np.int32), *(p.surface for p in chosen)])
        try:
            made = at_start(damping).on(
                Damped(_masses(mass, chosen), tuple(term for p in chosen for term in p.elastic), triangles)
            )
            drive = constants_of(damping, f"damping[{k}]", damping.constant_names)
            if drive is not None and made.impulses:
                raise SuppleError(f"{damping.name} gives impulses, whose strength cannot change with time")
        except SuppleError as error:
            problems.append(f"damping[{k}]: {error}")
            continue
        dissipation += [driven(term, drive) for term in made.dissipation]
        impulses += made.impulses
    if problems:
        raise SceneError(problems)
    return Dampers(tuple(dissipation), tuple(impulses))


def _masses(mass: Array, chosen: Sequence[Placed]) -> Array:
    """(n,) those of the chosen bodies; all other vertices have none [kg]."""
    damped = np.zeros_like(mass)
    for p in chosen:
        damped[p.span] = mass[p.span]
    return damped
