"""`[[obstacle]]` and `[contact]` in scenes: their terms, automatic choices, and refusals before a run."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from methods import METHODS
from supple.contact.barrier_law import Barrier
from supple.contact.friction import Friction
from supple.contact.laws import Cubic, Quadratic
from supple.contact.obstacles.half_space import HalfSpaceContact
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import SphereShape
from supple.dynamics.needs import Need
from supple.dynamics.system import System
from supple.errors import SceneError, SuppleError
from supple.integrators import INTEGRATORS
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.recording.folder import RunStatus
from supple.recording.playback import open_animation
from supple.runs.run import start_run
from supple.runs.separate import apart
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, read_scene

Complaints = Callable[[dict[str, Any]], list[str]]

CUBE: dict[str, Any] = {
    "name": "cube",
    "mesh": {"shape": "cube", "cells": 1, "size": 0.2, "origin": [-0.1, 0.05, -0.1]},
    "material": {"name": "stvk", "young": 1e5, "poisson": 0.3},
}
GROUND: dict[str, Any] = {"name": "ground", "shape": "half-space", "distance": 0.01}
FLOOR: dict[str, Any] = {
    "name": "floor",
    "mesh": {"shape": "cloth", "cells": [1, 1], "size": [4.0, 4.0], "origin": [-1.5, 0.0, -1.0]},
}


def scene(*bodies: dict[str, Any], method: str = "avf", h: float = 0.01, **tables: Any) -> Scene:
    tables = {"time": {"step": h, "duration": 0.2}, "integrator": {"name": method}, **tables}
    return read_scene({"body": list(bodies) or [CUBE], **tables}, Path())


def at(*origin: float, name: str = "other", **more: Any) -> dict[str, Any]:
    """The cube elsewhere."""
    return {**CUBE, "name": name, "mesh": {**CUBE["mesh"], "origin": list(origin)}, **more}


def frames(chosen: Scene) -> tuple[Model, list[Frame]]:
    body = chosen.make().assemble()
    return body, list(simulate(body.system, chosen.integrator.make(), body.state, chosen.time.step, chosen.time.steps))


def refused(chosen: Scene) -> list[str]:
    with pytest.raises(SceneError) as caught:
        chosen.make().assemble()
    return caught.value.problems


# -- shapes ----------------------------------------------------------------------------------------------------------


def test_a_shape_acts_on_the_surface_with_its_areas() -> None:
    fine = {**CUBE, "mesh": {**CUBE["mesh"], "cells": 2}}
    ((table, term),) = scene(fine, obstacle=[GROUND]).make().assemble().contact.shapes
    assert table.name == "ground"
    assert isinstance(term, HalfSpaceContact)
    assert len(term.elements) == 26  # of 27 vertices, one is inside
    assert term.weights.sum() == pytest.approx(6 * 0.2**2)


@pytest.mark.parametrize(
    ("law", "wanted"), [("barrier", Barrier(2e6, 0.01)), ("quadratic", Quadratic(1e6)), ("cubic", Cubic(2e8))]
)
def test_stiffness_is_a_pressure(law: str, wanted: Any) -> None:
    """Penalties press with it at their distance, the barrier with 1.19 of it at half its own."""
    ((_, term),) = scene(obstacle=[{**GROUND, "law": law, "stiffness": 2e4}]).make().assemble().contact.shapes
    assert term.law == wanted
    pressure = -term.law.slope(np.array([0.005 if law == "barrier" else -0.01]))[0]
    assert pressure == pytest.approx(2e4 * (1.1931 if law == "barrier" else 1.0), rel=1e-4)


def test_stiffness_may_be_a_force_on_every_vertex() -> None:
    ((_, term),) = scene(obstacle=[{**GROUND, "per": "vertex", "stiffness": 100.0}]).make().assemble().contact.shapes
    assert term.law == Barrier(1e4, 0.01)
    assert (term.weights == 1.0).all()


def test_several_obstacles_of_chosen_bodies() -> None:
    ball = {"name": "ball", "shape": "sphere", "centre": [0, 1, 0], "radius": 0.2, "bodies": "cube", "law": "cubic"}
    found = scene(CUBE, at(0.4, 0.05, 0.0), obstacle=[GROUND, {**ball, "friction": 0.3}]).make().assemble()
    ground, sphere = (term for _, term in found.contact.shapes)
    assert len(ground.elements) == 16
    assert len(sphere.elements) == 8
    assert isinstance(sphere, ObstacleContact)
    assert sphere.shape == SphereShape((0.0, 1.0, 0.0), 0.2)
    (friction,) = found.contact.friction
    assert isinstance(friction, Friction)
    assert friction in found.system.dissipation.terms


def test_a_rope_stands_on_the_ground() -> None:
    rope = {
        "mesh": {"shape": "rope", "segments": 4, "origin": [0, 0.02, 0]},
        "material": {"name": "hooke-spring", "stretch": 1e3},
        "mass": 0.1,
    }
    _, found = frames(scene(rope, obstacle=[GROUND], method="backward-euler"))
    assert 0.0 < found[-1].state.x[:, 1].min() < 0.01


def test_friction_is_the_mean_of_both_sides() -> None:
    ground = {**GROUND, "friction": 0.4}
    (friction,) = scene(CUBE, at(0.4, 0.05, 0.0, friction=0.8), obstacle=[ground]).make().assemble().contact.friction
    assert isinstance(friction, Friction)
    np.testing.assert_allclose(friction.mu, [0.4] * 8 + [0.6] * 8)


@pytest.mark.parametrize("law", ["barrier", "quadratic", "cubic"])
def test_a_dropped_cube_keeps_its_energy(law: str) -> None:
    body, found = frames(scene(obstacle=[{**GROUND, "law": law}]))
    totals = np.array([frame.ledger.energies.total for frame in found])
    ((_, term),) = body.contact.shapes
    gap = min(term.gaps(frame.state.x).min() for frame in found)
    assert np.abs(totals - totals[0]).max() <= 1e-12 * totals[0]
    assert found[-1].state.v[:, 1].mean() > -1.0  # it did land
    assert 0.3 * 0.01 < gap < 0.95 * 0.01 if law == "barrier" else -0.01 < gap < 0.0


# -- surfaces --------------------------------------------------------------------------------------------------------


def test_nothing_touches_unless_asked() -> None:
    found = scene(CUBE, at(0.4, 0.05, 0.0)).make().assemble()
    assert found.contact.terms == ()
    assert found.names == [("cube", 8), ("other", 8)]


def test_who_meets_whom() -> None:
    bodies = [CUBE, at(0.4, 0.05, 0.0, self_contact=False), at(0.8, 0.05, 0.0, name="third")]
    found = scene(*bodies, obstacle=[FLOOR, {**FLOOR, "name": "ceiling"}], contact={}).make().assemble()
    shell = found.contact.between.surface
    patches = shell.patches
    assert len(set(patches[:8])) == 8
    assert len(set(patches[8:16])) == 1
    assert len(set(patches[16:24])) == 8
    assert len(set(patches[24:])) == 1
    assert len(set(patches)) == 18


def test_an_obstacle_is_a_part_that_weighs_nothing() -> None:
    found = (
        scene(obstacle=[FLOOR], contact={"friction": 0.2}, damping=[{"name": "drag", "rate": 1.0}]).make().assemble()
    )
    assert found.names == [("cube", 8), ("floor", 4)]
    assert [body.name for body in found.bodies] == ["cube"]
    assert found.system.mass[8:].sum() < 1e-12
    assert found.system.motion.held(12).tolist() == [False] * 8 + [True] * 4
    (friction,) = found.contact.friction
    assert isinstance(friction, Friction)
    np.testing.assert_array_equal(friction.mu, 0.2)
    damped = found.system.dissipation.at(found.state.x, 0.0).gradient(np.ones((12, 3)))
    assert (damped[:8] > 0.0).all()
    np.testing.assert_array_equal(damped[8:], 0.0)


def test_a_moving_obstacle_carries_and_is_recorded(tmp_path: Path) -> None:
    lift = {**FLOOR, "motion": {"translate": {"velocity": [0.0, 0.3, 0.0]}, "stop": 0.1}}
    chosen = scene(at(-0.1, 0.006, -0.1), obstacle=[lift], contact={"distance": 0.01}, method="backward-euler")
    job = start_run(chosen, tmp_path / "run")
    last = list(job.frames())[-1]
    job.save()
    assert job.finish(RunStatus.FINISHED) == []
    assert last.state.x[:8, 1].min() > 0.03
    np.testing.assert_allclose(last.state.x[8:, 1], 0.03)
    assert last.ledger.external_work > 0.2**3 * 1000 * 9.81 * 0.02
    with open_animation(tmp_path / "run" / "animation.vtkhdf") as animation:
        assert animation.points(0).shape == (12, 3)


def test_two_cubes_keep_energy_and_momentum() -> None:
    bodies = [
        at(0, 0, 0, initial={"velocity": [1, 0, 0]}),
        at(0.22, 0.05, 0.03, initial={"velocity": [-1, 0, 0]}, name="b"),
    ]
    body, found = frames(scene(*bodies, world={"gravity": 0}, contact={"distance": 0.01}))
    H = np.array([frame.ledger.energies.total for frame in found])
    p = np.array([body.system.mass @ frame.state.v for frame in found])
    contact = body.contact.between
    assert contact is not None
    shell = contact.surface
    assert np.abs(H - H[0]).max() <= 1e-11 * H[0]
    assert np.abs(p).max() <= 1e-12 * 8.0
    assert not any(shell.intersects(shell.positions(frame.state.x)) for frame in found)
    gap = min(contact.smallest_gap(frame.state.x) for frame in found)
    assert 0.2 * 0.01 < gap < 0.9 * 0.01


# -- automatic choices --------------------------------------------------------------------------------------------------


def test_what_was_chosen_is_told() -> None:
    notes = scene(obstacle=[{"shape": "half-space"}], contact={}).make().assemble().notes
    assert notes[0].startswith("obstacle[0]: stiffness ")
    assert notes[0].endswith(" Pa and distance 0.002 m chosen")
    assert notes[1].startswith("contact: stiffness ")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"distance": 0.04}, "distance: warning: 0.04 m; bodies will float"),
        ({"distance": 1e-5}, "sensible values are 0.0002 to 0.02 m here"),
        ({"stiffness": 1.0}, "stiffness: warning: 1 Pa; gaps will close"),
        ({"stiffness": 1e12}, "impacts become spikes"),
    ],
)
def test_absurd_values_are_told(table: dict[str, Any], words: str) -> None:
    for tables in ({"contact": table}, {"obstacle": [{**GROUND, **table}]}):
        assert any(words in note for note in scene(**tables).make().assemble(overlapping=True).notes)
    usual = scene(contact={"distance": 0.004}, obstacle=[{**GROUND, "distance": 0.004}]).make().assemble()
    assert not any("warning" in note for note in usual.notes)


def test_a_gap_that_nearly_closes_is_told(tmp_path: Path) -> None:
    soft = {**GROUND, "distance": 0.01, "stiffness": 30.0}
    job = start_run(scene(obstacle=[soft], method="backward-euler"), tmp_path / "run")
    notes = [frame.note for frame in job.frames() if "smallest gap" in frame.note]
    job.save()
    job.finish(RunStatus.FINISHED)
    assert notes
    assert "gap to 'ground' is" in notes[0]
    assert "smallest gap" in (tmp_path / "run" / "log.txt").read_text()


# -- how it is written -----------------------------------------------------------------------------------------------


def test_a_scene_with_contact_loads_back() -> None:
    shapes = [
        GROUND,
        {"shape": "capsule", "start": [0, 0, 0], "end": [1, 0, 0], "radius": 0.1, "law": "quadratic"},
        {"shape": "box", "centre": [0, 2, 0], "size": [1, 1, 1]},
        {"shape": "stairs", "steps": 3},
        {**FLOOR, "motion": {"rotate": {"axis": [0, 1, 0], "centre": [0, 0, 0], "rate": 1.0}}},
    ]
    chosen = scene(at(3, 3, 3), obstacle=shapes, contact={"friction": 0.1})
    assert [o.name for o in chosen.obstacle] == ["ground", "obstacle1", "obstacle2", "obstacle3", "floor"]
    assert read_scene(tomllib.loads(dump_scene(chosen)), Path()) == chosen


def test_another_shape_by_override() -> None:
    data = {"time": {"step": 0.01}, "body": [CUBE], "obstacle": [{**GROUND, "normal": [0, 1, 0], "friction": 0.5}]}
    changed = read_scene(data, Path(), overrides=["obstacle[0].shape=stairs", "obstacle[0].origin=[2, 0, 0]"])
    (table,) = changed.obstacle
    assert (table.name, table.friction, table.distance) == ("ground", 0.5, 0.01)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (
            {"obstacle": [{"shape": "halfspace"}]},
            "obstacle[0].shape: unknown shape 'halfspace'; did you mean 'half-space'?",
        ),
        ({"obstacle": [{**GROUND, "law": "soft"}]}, "obstacle[0].law: unknown value"),
        (
            {"obstacle": [{**GROUND, "friction": -1}]},
            "obstacle[0].friction: input should be greater than or equal to 0",
        ),
        ({"obstacle": [{"shape": "sphere", "radius": 1.0}]}, "obstacle[0].centre: missing, but required"),
        ({"obstacle": [{**GROUND, "normal": [0, 0, 0]}]}, "obstacle[0].normal: found a zero vector"),
        ({"obstacle": [{**GROUND, "name": "cube"}]}, "obstacle: names must differ, found 'cube' more than once"),
        ({"obstacle": [{**FLOOR, "law": "barrier"}]}, 'obstacle[0]: law = "barrier" is for obstacles with a shape'),
        ({"contact": {"distance": 0}}, "contact.distance: input should be greater than 0"),
        ({"contact": {"stiffness": "hard"}}, "contact.stiffness: "),
    ],
)
def test_bad_tables(tables: dict[str, Any], words: str, complaints: Complaints) -> None:
    found = complaints({"time": {"step": 0.01}, "body": [CUBE], **tables})
    assert len(found) == 1
    assert words in found[0]


def test_an_obstacle_for_nobody() -> None:
    (problem,) = refused(scene(obstacle=[{**GROUND, "bodies": ["cub"]}]))
    assert problem == "obstacle[0].bodies: unknown body 'cub'; did you mean 'cube'? known: cube"


# -- bad starts ------------------------------------------------------------------------------------------------------


def test_bodies_in_each_other_are_named() -> None:
    first, *_, offer = refused(scene(CUBE, at(0.05, 0.1, 0.0), contact={}))
    assert first.startswith("body[0]: 'cube' and 'other' intersect at the start: triangle ")
    assert "of 'cube' and triangle" in first
    assert "--separate" in offer


def test_a_body_in_a_floor_is_named() -> None:
    first, *_ = refused(scene(at(0, -0.1, 0), obstacle=[FLOOR]))
    assert "'other' and 'floor' intersect" in first


def test_a_body_behind_the_ground_is_named() -> None:
    (first, _) = refused(scene(at(0, -0.1, 0), obstacle=[GROUND]))
    assert first == "body[0]: 'other': 4 vertices are in 'ground', the first is 0 at [0, -0.1, 0]"
    scene(at(0, -0.001, 0), obstacle=[{**GROUND, "law": "cubic"}]).make().assemble()  # a penalty may begin pressed


@pytest.mark.parametrize(
    "inner",
    [
        {"shape": "sphere", "centre": [0, 0.15, 0], "radius": 0.01},
        {"shape": "box", "centre": [0, 0.15, 0], "size": [0.02, 0.02, 0.02]},
        {"shape": "capsule", "start": [0, 0.15, 0], "end": [0, 0.16, 0], "radius": 0.01},
        {"mesh": {"shape": "cube", "cells": 1, "size": 0.02, "origin": [0, 0.15, 0]}},
    ],
)
def test_an_obstacle_inside_a_body_is_named(inner: dict[str, Any]) -> None:
    (first, _) = refused(scene(obstacle=[{"name": "seed", **inner}]))
    assert first == "body[0]: 'cube' has 'seed' inside"


@pytest.mark.parametrize(
    "origin", [(0.1, 0.08, -0.07), (0.1, 0.05, -0.1), (0.1, 0.25, 0.1)], ids=["face", "faces", "tip"]
)
def test_bodies_that_touch_are_named(origin: tuple[float, ...]) -> None:
    first, *_ = refused(scene(CUBE, at(*origin), contact={}))
    assert first.startswith("body[0]: 'cube' and 'other' intersect at the start")


def test_separate_moves_bodies_apart() -> None:
    chosen = scene(
        at(-0.1, -0.02, -0.1, name="cube"),
        at(0.0, 0.0, -0.05, initial={"position": ["X", "Y + 0.05", "Z"]}),
        obstacle=[GROUND],
        contact={"distance": 0.005},
    )
    moved, notes = apart(chosen)
    assert len(notes) == 2
    assert notes[0].startswith("--separate: 'cube' moved by [")
    x = moved.make().assemble().state.x
    assert x[:, 1].min() > 0.01
    np.testing.assert_allclose(np.ptp(x[:8], axis=0), 0.2)  # rigidly
    again, nothing = apart(moved)
    assert nothing == []
    assert again == moved
    assert read_scene(tomllib.loads(dump_scene(moved)), Path()) == moved


def test_separate_leaves_pinned_bodies_and_says_when_it_cannot() -> None:
    pinned = at(0.05, 0.1, 0.0, pin="top")
    moved, notes = apart(scene(CUBE, pinned, contact={}))
    assert len(notes) == 1
    assert moved.body[1] == scene(CUBE, pinned, contact={}).body[1]
    with pytest.raises(SceneError, match="cannot be moved apart"):
        apart(scene({**CUBE, "pin": "top"}, pinned, contact={}))


# -- methods ---------------------------------------------------------------------------------------------------------


OWN: dict[str, dict[str, Any]] = {
    "conserving-springs": {
        "mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2], "origin": [0, 0.05, 0]},
        "material": {"name": "hooke-spring", "stretch": 1e3},
        "mass": 0.1,
    },
    "corotational-reversible": {**CUBE, "material": {"name": "corotational", "young": 1e5, "poisson": 0.3}},
}
"""Methods for one kind of body, and such a body."""


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize(
    ("tables", "found"),
    [
        ({}, ""),
        ({"obstacle": [GROUND]}, "HalfSpaceContact"),
        ({"obstacle": [{**GROUND, "law": "cubic"}]}, "HalfSpaceContact"),
        ({"contact": {}}, "BarrierContact"),
    ],
    ids=["free", "barrier", "penalty", "surfaces"],
)
def test_methods_for_one_kind_of_body_refuse_all_contact(name: str, tables: dict[str, Any], found: str) -> None:
    said = INTEGRATORS[name]().refuses(scene(OWN[name], **tables).make().assemble().system)
    assert f"found {found};" in said if found else said == ""


@pytest.fixture(scope="module")
def touching() -> tuple[System, ...]:
    """A cube that meets a barrier, a penalty, other surfaces, and a penalty with friction."""
    tables: tuple[dict[str, Any], ...] = (
        {"obstacle": [GROUND]},
        {"obstacle": [{**GROUND, "law": "cubic"}]},
        {"contact": {}},
        {"obstacle": [{**GROUND, "law": "cubic", "friction": 0.3}]},
    )
    return tuple(scene(**table).make().assemble().system for table in tables)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - OWN.keys()))
def test_methods_that_cannot_meet_a_barrier_say_so(name: str, touching: tuple[System, ...]) -> None:
    method = INTEGRATORS[name]()
    barrier, penalty, surfaces, rubbing = touching
    assert (method.refuses(barrier) == "") == (Need.BARRIER in method.meets)
    assert method.refuses(penalty) == ""
    assert (method.refuses(surfaces) == "") == (method.meets >= {Need.BARRIER, Need.SURFACES})
    assert (method.refuses(rubbing) == "") == (Need.FRICTION in method.meets)


@pytest.mark.parametrize("budget", [False, True])
def test_the_refusal_comes_before_the_run(tmp_path: Path, budget: bool) -> None:
    chosen = scene(obstacle=[GROUND], integrator={"name": "midpoint", "budget": budget})
    with pytest.raises(SuppleError, match=r"integrator: midpoint cannot end its steps before a barrier; take avf"):
        start_run(chosen, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_nothing_tunnels_through_a_thin_floor() -> None:
    """1.3 m a step, against a sheet without thickness."""
    shot = at(-0.1, 0.5, -0.1, initial={"velocity": [0, -40, 0]})
    body, found = frames(scene(shot, h=1 / 30, obstacle=[FLOOR], contact={"distance": 0.01}, method="backward-euler"))
    contact = body.contact.between
    assert contact is not None
    for frame in found:
        assert not contact.surface.intersects(contact.surface.positions(frame.state.x))
        assert frame.state.x[:8, 1].min() > 0.0
