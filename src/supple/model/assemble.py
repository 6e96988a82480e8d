"""From a world to a system and its initial state. Scene files, Python and the live page all end here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from supple.checks import checked_call
from supple.constraints.holonomic import Holonomic
from supple.constraints.motion import Motion
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.drive import DrivenConstants
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError
from supple.formulas.curves import changes
from supple.integrators.method import Method
from supple.linalg.threads import use_threads
from supple.model.attachments import attachments
from supple.model.changing.drives import driven
from supple.model.constraints.volume import volume_of
from supple.model.contacts.contacts import contacts, obstacle_problems
from supple.model.contacts.overlap import overlaps
from supple.model.contacts.surroundings import Surroundings
from supple.model.dampers import air_notes, dampers, name_problems
from supple.model.direction.directed_model import directed_model
from supple.model.fields.acting import reached
from supple.model.limits.carried import demand_carried
from supple.model.limits.limits import Limits
from supple.model.materials.remarks import remarks
from supple.model.model import Ingredients, Model
from supple.model.placed import Placed
from supple.model.placing import placed_bodies
from supple.model.points.worlds import on_grid, point_problems, thin_notes
from supple.model.sewing.seam import seam_dampers, seams
from supple.model.source import FoundMesh
from supple.model.world import World
from supple.solvers.options import SolverOptions
from supple.types import Array
from supple.values import Positive

OFFER = "move them apart (body.initial.translate), or let `supple run --separate` do it"
FRAME, LONG = 1 / 60, 10.0
"""Default step and duration while those of the run are unknown [s]."""


@checked_call
def assemble(
    world: World,
    *,
    h: Positive = FRAME,
    duration: Positive = LONG,
    solver: SolverOptions | None = None,
    like: Model | None = None,
    overlapping: bool = False,
    cell: Positive | None = None,
    method: Method | None = None,
    limits: Limits | None = None,
) -> Model:
    """The system of a world, its initial state and its mesh; all problems are reported together.

    h, duration: step and duration of the run [s], used to choose the contact stiffness if the world does not give it.
    like: a model with the same meshes, which are reused.
    overlapping: whether bodies may overlap each other or an obstacle at the start; otherwise such a world is rejected.
    cell: size of the method's cells [m], for bodies with points that do not specify their own.
    method: method of the run, whose numerical damping is included when `direction.settle` chooses damping.
    limits: largest permitted size of the model.
    """
    use_threads((solver := solver or SolverOptions()).threads)
    problems = [*name_problems(world), *obstacle_problems(world), *point_problems(world)]
    known = None if like is None else [FoundMesh(p.mesh, coarse=p.coarse, filled=p.filled) for p in like.placed]
    whole, placed, notes = placed_bodies(world, problems, known, cell, limits)
    mass = np.concatenate([p.mass for p in placed])
    state = State(0.0, np.concatenate([p.x for p in placed]), np.concatenate([p.v for p in placed]))
    demand_carried(world, placed, h)
    motion = Motion(tuple(prescribed for p in placed for prescribed in p.prescribed()))
    elastic = together([term for p in placed for term in p.elastic], whole.vertices)
    contact = contacts(Surroundings(world, placed, whole, mass, state, motion, h, duration))
    damped = dampers(world, placed, mass)
    ingredients = Ingredients(
        elastic=tuple(elastic),
        attachments=(*attachments(world.attachments, placed, state.x), *seams(world.seams, placed, state.x)),
        gravity=tuple(_gravity(world, mass)),
        own=(*_own_energies(world, placed, state.x), *_fields(world, placed, mass)),
        contact=contact.terms,
        damping=(*damped.dissipation, *seam_dampers(world.seams, placed, state.x)),
        friction=contact.friction,
        impulses=damped.impulses,
        projections=contact.projections,
        constraints=tuple(_constraints(world, placed, state.x)),
    )
    system = build_system(
        whole.vertices,
        mass,
        list(ingredients.potential),
        motion,
        ingredients.dissipation,
        ingredients.impulses,
        ingredients.projections,
        ingredients.constraints,
        asdict(solver),
        *on_grid(world, placed, cell),
    )
    notes = [*notes, *_odd(placed, system), *contact.notes, *air_notes(world, placed, mass)]
    sizes = np.concatenate([p.sizes for p in placed])
    model = Model(world, system, state, whole, placed, contact, ingredients, sizes, tuple(notes))
    return directed_model(model if overlapping else _without_overlaps(model), method, h)


def _odd(placed: Sequence[Placed], system: System) -> list[str]:
    """Remarks about unusual bodies and obstacles."""
    return [*(note for p in placed for note in remarks(p)), *thin_notes(system.node_obstacles)]


def _gravity(world: World, mass: Array) -> list[EnergyTerm]:
    """Contact of the world, None without contact."""
    moves = changes(world.gravity)
    if not moves and not any(world.acceleration):
        return []
    drive = DrivenConstants("gravity", lambda t: {"g": np.asarray(world.acceleration_at(t))}) if moves else None
    return [driven(Gravity(mass, np.asarray(world.acceleration)), drive)]


def _without_overlaps(model: Model) -> Model:
    """The same model; raises an error if bodies overlap at the start."""
    problems = [overlap.text for overlap in overlaps(model.contact, model.placed, model.state.x)]
    if problems:
        raise SceneError([*problems, OFFER])
    return model


def _constraints(world: World, placed: Sequence[Placed], x: Array) -> list[Holonomic]:
    """The equations at the initial positions x (n, 3)."""

    def made(entry: Any, path: str) -> Iterable[Holonomic]:
        return [entry] if isinstance(entry, Holonomic) else entry.holonomic(placed, x, path)

    kept = [part for part in placed if not part.is_obstacle and part.body.volume is not None and part.body.volume.exact]
    whole = [equation for part in kept for equation in volume_of(part, x, f"{part.path}.volume")]
    return [*_each("constraint", world.constraints, made), *whole]


def _own_energies(world: World, placed: Sequence[Placed], x: Array) -> list[EnergyTerm]:
    return _each("energy", world.energies, lambda entry, path: entry.terms(placed, x, path))


def _fields(world: World, placed: Sequence[Placed], mass: Array) -> list[EnergyTerm]:
    return _each("field", world.fields, lambda entry, path: entry.terms(reached(entry, placed, mass), path))


def _each(key: str, entries: Sequence[Any], made: Callable[[Any, str], Iterable[Any]]) -> list[Any]:
    """The results of all entries; all problems are reported together."""
    found: list[Any] = []
    problems: list[str] = []
    for k, entry in enumerate(entries):
        try:
            found += made(entry, f"{key}[{k}]")
        except SceneError as error:
            problems += error.problems
        except SuppleError as error:
            problems.append(str(error))
    if problems:
        raise SceneError(problems)
    return found


def together(terms: list[EnergyTerm], vertices: Array) -> list[EnergyTerm]:
    """The same terms, with all solids of one material merged: many small bodies need one kernel call instead of many."""
    alike = [term for term in terms if isinstance(term, Solid) and _is_uniform(term)]
    others = [term for term in terms if not (isinstance(term, Solid) and _is_uniform(term))]
    materials = [term.material for term in alike]
    first = [m for k, m in enumerate(materials) if m not in materials[:k]]
    groups = [[t.elements for t in alike if t.material == m] for m in first]
    solids = [Solid(vertices, np.concatenate(tets), m) for m, tets in zip(first, groups, strict=True)]
    return [*solids, *others]


def _is_uniform(term: Solid) -> bool:
    """Whether all elements have the same moduli, at all times."""
    return (
        term.drive is None
        and not term.weighted
        and not any(np.ndim(value) for value in term.material.constants().values())
    )
