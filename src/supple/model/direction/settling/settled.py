"""A model whose bodies come to rest after the time given by `direction.settle`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from supple.budget.energy_budget import EnergyBudget
from supple.damping.damper import Damping
from supple.damping.rayleigh import Rayleigh
from supple.energies.solids.solid import Solid
from supple.errors import SceneError, SuppleError
from supple.integrators.method import Method
from supple.materials.lame import lame
from supple.materials.material import Material
from supple.model.dampers import dampers
from supple.model.direction.settling.choice import CRITICAL, STRAIN, Chosen, Decays, choose
from supple.model.direction.settling.motions import Motions, motions
from supple.model.model import Model
from supple.model.placed import Placed
from supple.solvers.amplification import own_decay
from supple.types import Array

FAINT = 0.1
"""Initial speed of a motion, relative to the strongest, below which it is ignored."""
SOONER = 1.2
"""Ratio of requested to actual settling time above which a note is given."""


def settled(model: Model, method: Method | None, h: float) -> Model:
    """The same model with damping for `settle` of its bodies; `method` and h [s]: of the run, whose numerical damping
    is included."""
    wanted = {p.name: p for p in model.bodies if p.direction.settle is not None}
    for p in wanted.values():
        if p.on_grid:
            raise SceneError(f"{p.path}.direction.settle: material points have no damping; leave it out")
    problem = "" if method is None else method.refuses(model.system)
    if problem:  # its numerical damping cannot be measured
        raise SceneError(f"integrator: {problem}")
    found = _motions(model)
    placed, notes = [], []
    for p in model.placed:
        if p.name in wanted:
            p, said = _with_damping(p, model, found.get(p.name), method, h)
            notes.append(said)
        placed.append(p)
    damped = dampers(model.world, placed, model.system.mass)
    ingredients = replace(model.ingredients, damping=damped.dissipation, impulses=damped.impulses)
    return replace(model.made_of(ingredients), placed=tuple(placed), notes=(*model.notes, *notes))


def _motions(model: Model) -> dict[str, Motions]:
    """Slow motions; None if the stiffness of the world is not a sparse matrix, or if there are constraints."""
    if len(model.system.constraints) or model.system.potential.roles.whole_body:
        return {}
    try:
        return motions(model)
    except SuppleError as error:
        raise SceneError(f"direction.settle: the slow motions of the bodies were not found: {error}") from None


def _with_damping(
    p: Placed, model: Model, found: Motions | None, method: Method | None, h: float
) -> tuple[Placed, str]:
    decay = p.direction.decay or 0.0
    inner = tuple(damping for damping in p.damping if damping.can_scale)
    own, natural = (inner, 1.0) if inner else (_candidate(p), 0.0)
    if found is not None:
        found = _relevant(p, model, found)
    decays = None if found is None or not len(found.omega) else _decays(p, model, found, own, method, h)
    if decays is None or not len(decays.omega):
        if found is not None and not found_holds(p):
            return p, f"{p.name}: settle: it has no slow vibration; its damping is unchanged"
        chosen = Chosen(natural, 2.0 * decay, decay, math.nan)
    else:
        chosen = choose(decays, decay, natural)
    made = chosen.dampings(own)
    return replace(p, damping=made), f"{p.name}: {_told(p, chosen, made, decay)}"


def found_holds(p: Placed) -> bool:
    """Whether some of its vertices are pinned or follow a script."""
    return any(True for _ in p.prescribed())


def _decays(
    p: Placed, model: Model, found: Motions, own: tuple[Damping, ...], method: Method | None, h: float
) -> Decays:
    mass = model.system.mass
    elastic = _elastic_share(p, found, mass)
    others = sum((_of_world(p, model, found)), np.zeros(len(elastic)))
    numerical = np.zeros(len(elastic)) if method is None else _numerical(method, found.omega, h)
    mine = sum((found.decay_by(damping, p, mass, stuff=True) for damping in own), np.zeros(len(elastic)))
    return Decays(found.omega, others + numerical, mine, elastic)


def _relevant(p: Placed, model: Model, found: Motions) -> Motions:
    """The motions excited by the initial state, or all if something else may excite them. Rolling and rocking of free
    solids is not vibration: weight contributes to it as much as strain."""
    mass = model.system.mass
    if p.mesh.is_solid and not found_holds(p):
        elastic = _elastic_share(p, found, mass)
        found = found.only((elastic >= STRAIN) & (elastic <= 1.0 / STRAIN))
    world = model.world
    driven = model.system.motion.moves or any(getattr(damping, "wind", None) is not None for damping in world.damping)
    started = found.started(mass, model.state)
    if driven or not len(started) or not started.max() > 0.0:
        return found
    return found.only(started >= FAINT * started.max())


def _elastic_share(p: Placed, found: Motions, mass: Array) -> Array:
    """(k,) fraction of the stiffness of motions due to strain, not weight, tension or contact [-]. Zero for sheets
    and ropes: weight and tension are their restoring forces, and their stiffness contains both."""
    if not p.mesh.is_solid or not p.stuff:
        return np.zeros(len(found.omega))
    return 2.0 * sum(found.decay_by(damping, p, mass, stuff=True) for damping in _candidate(p)) / found.omega**2


def _of_world(p: Placed, model: Model, found: Motions) -> Iterator[Array]:
    for damping in model.world.damping:
        if damping.acts_on(p.name):
            yield found.decay_by(
                damping.suited(p.direction.stiffness, p.direction.heavier), p, model.system.mass, stuff=False
            )


def _numerical(method: Method, omega: Array, h: float) -> Array:
    """Rates of numerical damping of motions by the method; adaptive steps damp little."""
    inner = method.of if isinstance(method, EnergyBudget) and method.release == "rebound" else method
    return np.zeros(len(omega)) if inner.adapts else np.array([own_decay(inner, float(w), h) for w in omega])


def _candidate(p: Placed) -> tuple[Damping, ...]:
    """Damping for a body without any, with a ratio of viscosity to stiffness of 1 s."""
    law = None if p.is_obstacle else p.body.material
    moduli = law.moduli if isinstance(law, Material) else None
    plain = moduli is not None and all(isinstance(modulus, float) for modulus in moduli)
    if moduli is not None and plain and all(isinstance(term, Solid) for term in p.stuff):
        from supple.damping.viscosity import Viscosity

        mu, lam = lame(*moduli)
        return (Viscosity(shear=mu, bulk=lam),)
    return (Rayleigh(stiffness=1.0),)


def _told(p: Placed, chosen: Chosen, made: tuple[Damping, ...], decay: float) -> str:
    asked = p.direction.settle or 0.0
    slowest = "" if math.isnan(chosen.omega) else f", slowest motion {chosen.omega / (2.0 * math.pi):.3g} Hz"
    listed = " and ".join(_figures(damping) for damping in made) or "no damping"
    said = f"settle {asked:.3g} s{slowest}: {listed}"
    if chosen.decay < decay * (1.0 - 1e-6):
        least = (decay / (CRITICAL * chosen.omega)) ** 2
        said += (
            f"; damping can bring it to rest in {chosen.seconds:.2g} s at the earliest: set stiffer = {math.ceil(least):d}, "
            "or give it more time"
        )
    elif chosen.decay > SOONER * decay:
        said += f"; it already settles in {chosen.seconds:.2g} s, by [[damping]] or by the method itself"
    return said


def _figures(damping: Damping) -> str:
    units = (
        dict.fromkeys(damping.times, "s")
        | dict.fromkeys(damping.rates, "1/s")
        | dict.fromkeys(damping.viscosities, "Pa s")
    )
    given = [f"{key} = {getattr(damping, key):.3g} {unit}" for key, unit in units.items() if getattr(damping, key)]
    return f"{damping.name} {', '.join(given)}"
