"""Obstacles with springs of a step (`law = "repulsion"`) and without forces (`law = "projection"`): what they build and do."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builders import takes_solids
from supple.analysis.reference import dop853
from supple.contact.friction import Friction
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.repulsion import Repulsion
from supple.contact.obstacles.shapes import SphereShape
from supple.dynamics.needs import Need
from supple.dynamics.system import System
from supple.energies.springs.anchor import Anchors
from supple.errors import SceneError, SuppleError
from supple.integrators import INTEGRATORS
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, read_scene
from supple.viewer.model import steered
from supple.viewer.settings import settings_of

Complaints = Callable[[dict[str, Any]], list[str]]

CUBE: dict[str, Any] = {
    "name": "cube",
    "mesh": {"shape": "cube", "cells": 2, "size": 0.2, "origin": [-0.1, 0.05, -0.1]},
    "material": {"name": "stable-neo-hookean", "young": 1e5, "poisson": 0.3},
}
GROUND: dict[str, Any] = {"name": "ground", "shape": "half-space"}
SPRINGS = {**GROUND, "law": "repulsion"}
PUT = {**GROUND, "law": "projection"}
BALL = {"name": "ball", "shape": "sphere", "centre": [0, -1, 0], "radius": 0.2}
FLOOR = {"name": "floor", "mesh": {"shape": "cloth", "cells": [1, 1], "origin": [-0.5, -1, -0.5]}}


def scene(*bodies: dict[str, Any], method: str = "avf", h: float = 0.01, **tables: Any) -> Scene:
    tables = {"time": {"step": h, "duration": 0.25}, "integrator": {"name": method}, **tables}
    return read_scene({"body": list(bodies) or [CUBE], **tables}, Path())


def frames(chosen: Scene) -> tuple[Model, list[Frame]]:
    body = chosen.make().assemble()
    return body, list(simulate(body.system, chosen.integrator.make(), body.state, chosen.time.step, chosen.time.steps))


# -- springs that come and go ------------------------------------------------------------------------------------


def test_springs_press_with_their_stiffness_at_their_distance() -> None:
    table = {**SPRINGS, "stiffness": 2e4, "distance": 0.01, "thickness": 0.003}
    found = scene(obstacle=[table, {**BALL, "law": "repulsion", "per": "vertex", "stiffness": 50.0}]).make().assemble()
    (_, ground), (_, ball) = found.contact.shapes
    assert isinstance(ground, Repulsion)
    assert (ground.k, ground.shape, ground.thickness) == (pytest.approx(1e6), HalfSpace(), 0.003)
    assert ground.weights.sum() == pytest.approx(6 * 0.2**2)
    assert isinstance(ball, Repulsion)
    assert (ball.k, ball.shape) == (pytest.approx(50.0 / (2 * 0.002)), SphereShape((0.0, -1.0, 0.0), 0.2))
    assert (ball.weights == 1.0).all()
    assert found.system.projections == ()
    assert found.notes[0].startswith("obstacle[1]: distance 0.002 m chosen")


def test_springs_are_chosen_as_stiff_as_a_penalty() -> None:
    springs = scene(obstacle=[SPRINGS]).make().assemble()
    penalty = scene(obstacle=[{**GROUND, "law": "quadratic"}]).make().assemble()
    assert springs.notes == penalty.notes
    x = springs.state.x - [0.0, 0.06, 0.0]
    values = [found.contact.shapes[0][1].element_values(x).sum() for found in (springs, penalty)]
    assert values[0] == pytest.approx(values[1], rel=1e-14)
    assert values[0] > 0.0


def test_energy_jumps_only_where_springs_come_or_go() -> None:
    body, found = frames(scene(obstacle=[{**SPRINGS, "distance": 0.01}]))
    ((_, term),) = body.contact.shapes
    inside = np.array([term.gaps(frame.state.x) < 0.0 for frame in found])
    stays = (inside[1:] == inside[:-1]).all(axis=1)
    totals = np.array([frame.ledger.energies.total for frame in found])
    jumps = np.abs(np.diff(totals)) / totals[0]
    assert 2 <= (~stays).sum() <= 12
    assert jumps[stays].max() <= 1e-12
    assert totals[-1] / totals[0] == pytest.approx(3.63, abs=0.05)


def test_springs_rub() -> None:
    thrown = {**CUBE, "initial": {"velocity": [1, 0, 0]}}
    body, found = frames(scene(thrown, obstacle=[{**SPRINGS, "friction": 0.3}], method="backward-euler"))
    (friction,) = body.contact.friction
    assert isinstance(friction, Friction)
    assert body.system.mass @ found[-1].state.v[:, 0] < 0.8 * body.system.mass.sum()
    assert found[-1].ledger.dissipated > 0.0


# -- collisions without forces ---------------------------------------------------------------------------------------


def test_a_projection_is_no_force() -> None:
    found = scene(obstacle=[{**PUT, "restitution": 0.4, "thickness": 0.01}]).make().assemble()
    (projection,) = found.system.projections
    assert found.contact.terms == found.contact.friction == found.notes == ()
    assert projection.shape == HalfSpace()
    assert (projection.restitution, projection.friction, projection.thickness) == (0.4, 0.0, 0.01)
    assert len(projection.vertices) == 26  # of 27 vertices, one is inside


def test_a_projection_rubs_each_body_with_the_mean_of_both() -> None:
    bodies = [
        {**CUBE, "name": f"cube{k}", "mesh": {**CUBE["mesh"], "cells": 1, "origin": [0.4 * k, 0.05, 0]}, **own}
        for k, own in enumerate([{}, {"friction": 0.8}, {}, {"friction": 0.1}])
    ]
    ground = {**PUT, "friction": 0.4, "bodies": ["cube0", "cube1", "cube2"]}
    first, second = scene(*bodies, obstacle=[ground]).make().assemble().system.projections
    assert (first.friction, first.vertices.tolist()) == (0.4, [*range(8), *range(16, 24)])
    assert (second.friction, second.vertices.tolist()) == (pytest.approx(0.6), [*range(8, 16)])


@pytest.mark.parametrize("budget", [False, True])
def test_a_cube_bounces_and_slides_with_verlet(budget: bool) -> None:
    thrown = {**CUBE, "initial": {"velocity": [1, 0, 0]}}
    table = {**PUT, "restitution": 0.5, "friction": 0.2}
    chosen = scene(thrown, obstacle=[table], h=1e-3, integrator={"name": "verlet", "budget": budget})
    body, found = frames(chosen)
    v = np.array([body.system.mass @ frame.state.v for frame in found]) / body.system.mass.sum()
    assert min(frame.state.x[:, 1].min() for frame in found) == 0.0
    assert 0.55 < v[:, 1].max() < 0.8  # of 0.99 m/s
    pushed = v[-1, 1] + 9.81 * found[-1].state.t
    assert 1.0 - v[-1, 0] == pytest.approx(0.2 * pushed, abs=0.02)  # Coulomb, but for vertices that stick for a moment
    assert found[-1].ledger.dissipated == pytest.approx(2.2, abs=0.2)
    balance = np.array([frame.ledger.energies.total + frame.ledger.dissipated for frame in found])
    assert (np.abs(balance / balance[0] - 1.0).max() <= 1e-11) == budget


def test_a_start_inside_is_told() -> None:
    low = {**CUBE, "initial": {"translate": [0, -0.06, 0]}}
    (note,) = scene(low, obstacle=[PUT]).make().assemble().notes
    assert note.startswith("obstacle[0]: warning: 9 vertices start inside 'ground' and are moved to its surface")


@pytest.mark.parametrize(
    ("tables", "barrier"),
    [
        ({"obstacle": [PUT], "contact": {}}, "[contact]"),
        ({"obstacle": [PUT, FLOOR]}, "obstacle[1]"),
        ({"obstacle": [PUT, BALL]}, "obstacle[1]"),
    ],
)
def test_projections_do_not_cross_barriers(tables: dict[str, Any], barrier: str) -> None:
    with pytest.raises(SceneError) as caught:
        scene(**tables).make().assemble()
    (problem,) = caught.value.problems
    assert problem.startswith('obstacle[0].law: "projection" moves vertices without regard to barriers')
    assert f"{barrier} is one" in problem
    scene(obstacle=[PUT, {**BALL, "law": "cubic"}, {**SPRINGS, "name": "springs"}]).make().assemble()


# -- how it is written -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({**PUT, "stiffness": 1e4}, "has no distance, stiffness, per, creep; found stiffness = 10000.0: leave"),
        ({**PUT, "distance": 0.1, "per": "vertex"}, 'found distance = 0.1, per = "vertex": leave them out'),
        ({**PUT, "restitution": 1.5}, "obstacle[0].restitution: input should be less than or equal to 1"),
        (
            {**SPRINGS, "restitution": 0},
            'restitution is for law = "projection" or "velocity" or "linearised" only, found 0 with "repulsion"',
        ),
        ({**FLOOR, "law": "projection"}, 'obstacle[0]: law = "projection" is for obstacles with a shape'),
        ({**FLOOR, "law": "repulsion"}, "acts by the barrier of [contact]; omit law, or use a shape"),
    ],
)
def test_keys_of_another_law(table: dict[str, Any], words: str, complaints: Complaints) -> None:
    (problem,) = complaints({"time": {"step": 0.01}, "body": [CUBE], "obstacle": [table]})
    assert words in problem


def test_both_laws_load_back() -> None:
    chosen = scene(obstacle=[{**PUT, "restitution": 0.0, "friction": 0.1}, {**BALL, "law": "repulsion"}])
    assert read_scene(tomllib.loads(dump_scene(chosen)), Path()) == chosen


# -- supporting methods --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def touching() -> tuple[System, ...]:
    """A cube on ground that is a barrier, one with friction, springs, and one without forces."""
    obstacles = (GROUND, {**GROUND, "law": "cubic", "friction": 0.3}, SPRINGS, {**PUT, "friction": 0.3})
    return tuple(scene(obstacle=[table]).make().assemble().system for table in obstacles)


@pytest.mark.parametrize("name", [name for name, cls in INTEGRATORS.load().items() if takes_solids(cls())])
def test_methods_that_refuse_forces_name_the_choice(name: str, touching: tuple[System, ...]) -> None:
    method = INTEGRATORS[name]()
    barrier, rubbing = map(method.refuses, touching[:2])
    assert not barrier or 'law = "projection" (or "quadratic" or "cubic")' in barrier
    assert not rubbing or 'law = "projection", whose friction needs no solving' in rubbing
    assert bool(barrier) == (Need.BARRIER not in method.meets)
    for system in touching[2:]:
        problem = method.refuses(system)
        assert ("find an equilibrium" in problem) if name == "quasi-static" else problem == ""


def test_the_live_page_keeps_projections() -> None:
    setup = scene(obstacle=[PUT]).make()
    found = setup.assemble()
    system = steered(setup, found, Anchors(found.state.x), settings_of(setup)).model.system
    assert system.projections == found.system.projections
    assert len(system.projections) == 1


def test_the_reference_solution_refuses_projections() -> None:
    found = scene(obstacle=[PUT]).make().assemble()
    with pytest.raises(SuppleError, match='law = "projection" move vertices between steps: use law = "quadratic"'):
        dop853(found.system, found.state, 0.01, lambda t: None)
