"""Effect of directing factors on a whole model, and notes about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from supple.errors import SceneError
from supple.integrators.method import Method
from supple.model.direction.directed import direction_problems
from supple.model.direction.direction import PACE, Directions
from supple.model.model import Model
from supple.model.placed import Placed


def directed_model(model: Model, method: Method | None, h: float) -> Model:
    """The model with damping for the settling of its bodies and notes on all factors; rejects a factor without effect."""
    directed = [p for p in model.bodies if not p.direction.is_plain]
    world = model.world.direction
    problems = [*direction_problems(world, [p.body for p in model.bodies]), *_pace_problems(model)]
    if problems:
        raise SceneError(problems)
    notes = [said for p in directed if (said := _changes(p))]
    if world is not None and world.bouncier != 1.0:
        notes.append(
            f"bouncier {world.bouncier:g}: {1.0 - 1.0 / world.bouncier:.0%} of the energy lost by bodies is returned as rebound"
        )
    model = replace(model, notes=(*model.notes, *notes)) if notes else model
    if all(p.direction.settle is None for p in directed):
        return model
    from supple.model.direction.settling.settled import settled

    return settled(model, method, h)


def _pace_problems(model: Model) -> Iterator[str]:
    """Problems: factors on damping without any damping."""
    undamped = [p for p in model.bodies if not _is_damped(p, model)]
    for p in undamped:
        yield from _refused(p.body.direction, f"{p.path}.direction", f"'{p.name}'")
    if undamped and len(undamped) == len(model.bodies):
        yield from _refused(model.world.direction, "direction", "any body")


def _refused(direction: Directions | None, path: str, what: str) -> Iterator[str]:
    for key in PACE if direction is not None else ():
        if getattr(direction, key) != 1.0:
            yield (
                f"{path}.{key}: found {getattr(direction, key):g}, a factor on damping, but nothing damps {what}; take "
                "settle [s], a preset material, or [[damping]]"
            )


def _is_damped(p: Placed, model: Model) -> bool:
    return bool(p.damping) or any(d.can_scale and d.acts_on(p.name) for d in model.world.damping)


def _changes(p: Placed) -> str:
    """Factors on a body, and the resulting values."""
    words = p.direction
    said = []
    if words.stiffness != 1.0:
        moduli = getattr(p.body.material, "moduli", None)
        now = f", Young's modulus {moduli[0]:.4g} Pa" if moduli is not None and isinstance(moduli[0], float) else ""
        said.append(f"stiffness x {words.stiffness:.4g}{now}")
    if words.floppier != 1.0:
        said.append(f"bending / {words.floppier:.4g}")
    if words.heavier != 1.0:
        said.append(f"mass x {words.heavier:.4g}, {p.mass.sum():.4g} kg")
    if words.damping != 1.0:
        said.append(f"damping x {words.damping:.4g}")
    return f"{p.name}: {'; '.join(said)}" if said else ""
