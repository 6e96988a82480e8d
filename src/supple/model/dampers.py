"""All that damps the bodies of a world, as terms and impulses of its system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from supple.damping.aerodynamic import Aerodynamic
from supple.damping.damper import Damped, Dampers, Damping
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
        for damping in () if p.on_grid else own_damping(world, p):
            dissipation += damping.on(Damped(_masses(mass, [p]), p.stuff, p.surface)).dissipation
    for k, damping in enumerate(world.damping):
        chosen = [p for p in bodies if damping.acts_on(p.name)]
        try:
            for strength, some in _strengths(damping, chosen):
                made = _made(strength, some, mass)
                drive = constants_of(strength, f"damping[{k}]", damping.constant_names)
                if drive is not None and made.impulses:
                    raise SuppleError(f"{damping.name} gives impulses, whose strength cannot change with time")
                dissipation += [driven(term, drive) for term in made.dissipation]
                impulses += made.impulses
        except SuppleError as error:
            problems.append(f"damping[{k}]: {error}")
    if problems:
        raise SceneError(problems)
    return Dampers(tuple(dissipation), tuple(impulses))


def own_damping(world: World, p: Placed) -> list[Damping]:
    """What the material of a body brings along; still air only where the scene has no air of its own."""
    aired = any(not damping.damps_strain and damping.acts_on(p.name) for damping in world.damping)
    return [damping for damping in p.damping if not (aired and isinstance(damping, Aerodynamic))]


def _strengths(damping: Damping, chosen: Sequence[Placed]) -> list[tuple[Damping, list[Placed]]]:
    """A damping of the world as the directions of its bodies have it, and the bodies of each strength."""
    found: dict[tuple[float, ...], list[Placed]] = {}
    for p in chosen:
        words = p.direction
        found.setdefault((words.stiffness, words.heavier, words.damping), []).append(p)
    return [(damping.suited(*key[:2]).scaled(key[2]), some) for key, some in found.items()] or [(damping, [])]


def _made(damping: Damping, chosen: Sequence[Placed], mass: Array) -> Dampers:
    triangles = np.concatenate([np.empty((0, 3), np.int32), *(p.surface for p in chosen)])
    return at_start(damping).on(
        Damped(_masses(mass, chosen), tuple(term for p in chosen for term in p.elastic), triangles)
    )


def _masses(mass: Array, chosen: Sequence[Placed]) -> Array:
    """(n,) those of the chosen bodies; all other vertices have none [kg]."""
    damped = np.zeros_like(mass)
    for p in chosen:
        damped[p.span] = mass[p.span]
    return damped
