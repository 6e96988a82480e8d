"""`[[damping]]` and `integrator.budget` in scenes: damped bodies, notation, refusals."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas import scene_schema
from supple.budget.energy_budget import EnergyBudget
from supple.damping import DAMPINGS
from supple.damping.viscosity import Viscous
from supple.dynamics.state import State
from supple.errors import SceneError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.recording.folder import RunStatus
from supple.recording.history import COLUMNS, read_history
from supple.runs.run import resume_run, start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, parse_toml, read_scene, scene_hash
from supple.types import Array

Complaints = Callable[[dict[str, Any]], list[str]]

TWO = """
[world]
gravity = 0
[time]
step = 0.01
duration = 0.1
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [2, 1, 1], size = [1.0, 0.5, 0.5] }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
initial = { stretch = [1.1, 1.0, 1.0], velocity = [1.0, 0.0, 0.0] }
[[body]]
name = "rope"
mesh = { shape = "rope", segments = 4, origin = [0, 2, 0] }
material = { name = "hooke-spring", stretch = 1000.0 }
mass = 0.5
initial = { stretch = [1.1, 1.0, 1.0], velocity = [1.0, 0.0, 0.0] }
"""
OPTIONS = {
    "aerodynamic": {"density": 1000.0, "drag": 0.5},
    "drag": {"rate": 2.0},
    "rayleigh": {"stiffness": 1e-3},
    "viscosity": {"shear": 10.0},
    "dashpot": {"c": 1.0},
    "structure-preserving": {"tau": 1e-3},
    "formula": {
        "dissipation": "eta*(Edot11^2 + Edot22^2 + Edot33^2) + c*(Edot11 + Edot22 + Edot33)^4",
        "eta": 10,
        "c": 0.1,
    },
}
ON_ROPES, ON_BARS = ("dashpot",), ("viscosity", "formula")


@pytest.fixture
def two() -> dict[str, Any]:
    return tomllib.loads(TWO)


def damped(data: dict[str, Any], *tables: dict[str, Any], **integrator: Any) -> Scene:
    return read_scene({**data, "damping": list(tables), "integrator": {"name": "avf", **integrator}}, Path())


def frames(scene: Scene) -> list[Frame]:
    body = scene.make().assemble()
    return list(simulate(body.system, scene.integrator.make(), body.state, scene.time.step, scene.time.steps))


def forces(body: Model, v: Array) -> Array:
    """Effect of the dampers on moving vertices: forces, or the impulses of one step."""
    system = body.system
    still = system.force(State(0.0, body.state.x, np.zeros_like(v)))
    return np.asarray(system.force(State(0.0, body.state.x, v)) - still)


def test_every_kind_is_here() -> None:
    assert set(OPTIONS) == set(DAMPINGS.load())


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_a_kind_takes_energy_and_books_it(two: dict[str, Any], name: str) -> None:
    bodies = {"bodies": ["rope"]} if name in ON_ROPES else {"bodies": ["bar"]} if name in ON_BARS else {}
    *_, last = frames(damped(two, {"name": name, **OPTIONS[name], **bodies}))
    assert last.ledger.dissipated > 1e-4 * last.ledger.initial
    assert abs(last.ledger.residual) <= 1e-11 * last.ledger.initial


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_it_can_be_written_down_and_read_again(two: dict[str, Any], tmp_path: Path, name: str) -> None:
    scene = damped(two, {"name": name, **OPTIONS[name], "bodies": ["bar"]})
    (tmp_path / "again.toml").write_text(dump_scene(scene), encoding="utf-8")
    again = read_scene(parse_toml(tmp_path / "again.toml"), tmp_path)
    assert again == scene
    assert scene_hash(again) == scene_hash(scene) != scene_hash(damped(two))


def test_only_the_bodies_that_are_named(two: dict[str, Any]) -> None:
    body = damped(two, {"name": "drag", "rate": 2.0, "bodies": "rope"}).make().assemble()
    count = body.bodies[0].mesh.n
    v = np.ones((body.system.n, 3))
    found = forces(body, v)
    assert not found[:count].any()
    np.testing.assert_allclose(found[count:], -2.0 * body.system.mass[count:, None] * v[count:], rtol=1e-12)


def test_several_at_once_add_up(two: dict[str, Any]) -> None:
    tables = [
        {"name": "drag", "rate": 2.0},
        {"name": "drag", "rate": 3.0, "bodies": ["bar"]},
        {"name": "viscosity", "shear": 5.0, "bodies": ["bar"]},
        {"name": "dashpot", "c": 1.0, "bodies": ["rope"]},
    ]
    v = np.random.default_rng(3).normal(size=(damped(two).make().assemble().system.n, 3))
    whole = forces(damped(two, *tables).make().assemble(), v)
    np.testing.assert_allclose(
        whole, sum(forces(damped(two, table).make().assemble(), v) for table in tables), atol=1e-12
    )


def test_wind_is_a_field_of_place_and_time(two: dict[str, Any]) -> None:
    wind = [0.5, "sin(t) * x", "where(y > 1, 2 * z + 1, 0)"]
    body = damped(two, {"name": "drag", "rate": 2.0, "wind": wind}).make().assemble()
    x, t = body.state.x, 0.7
    w = np.stack([np.full(len(x), 0.5), np.sin(t) * x[:, 0], np.where(x[:, 1] > 1, 2 * x[:, 2] + 1, 0)], axis=1)
    gradient = body.system.dissipation.at(x, t).gradient(np.zeros_like(x))
    np.testing.assert_allclose(gradient, -2.0 * body.system.mass[:, None] * w, rtol=1e-12, atol=1e-14)


def test_a_body_is_carried_along_by_the_wind(two: dict[str, Any]) -> None:
    two["time"]["duration"] = 1.0
    *_, last = frames(damped(two, {"name": "drag", "rate": 20.0, "wind": [0.0, 3.0, 0.0], "bodies": ["rope"]}))
    rope = last.state.v[-5:]
    np.testing.assert_allclose(rope.mean(axis=0), [0.0, 3.0, 0.0], atol=1e-6)


@pytest.mark.parametrize(
    ("table", "starts"),
    [
        ({"name": "viscos", "shear": 1.0}, "damping[0].name: unknown name 'viscos'; did you mean 'viscosity'? known: "),
        ({"shear": 1.0}, "damping[0].name: missing, but required; known: aerodynamic, dashpot, drag"),
        (
            {"name": "viscosity", "shaer": 1.0},
            "damping[0].shaer: unknown key; did you mean 'shear'? known: name, shear",
        ),
        (
            {"name": "viscosity", "shear": -1.0},
            "damping[0].shear: input should be greater than or equal to 0, found -1",
        ),
        (
            {"name": "drag", "rate": 1.0, "bodies": []},
            "damping[0].bodies: input should have at least 1 entries, found 0",
        ),
        ({"name": "drag", "rate": 1.0, "wind": [0, 0, "X"]}, "damping[0].wind[2]: unknown name 'X'; did you mean 'x'?"),
        (
            {"name": "drag", "rate": 1.0, "wind": [0, 0]},
            "damping[0].wind: input should have at least 3 entries, found 2",
        ),
        (
            {"name": "drag", "rate": 1.0, "wind": [0, 0, True]},
            'damping[0].wind[2]: input should be a finite number or an expression such as "0.1 * x", found true',
        ),
    ],
)
def test_mistakes(two: dict[str, Any], complaints: Complaints, table: dict[str, Any], starts: str) -> None:
    (found,) = complaints({**two, "damping": [table]})
    assert found.startswith(starts)


def test_unknown_bodies_are_named_all_at_once(two: dict[str, Any]) -> None:
    scene = damped(two, *({"name": "drag", "rate": 1.0, "bodies": bodies} for bodies in (["bra", "rope"], ["x"])))
    with pytest.raises(SceneError) as caught:
        scene.make().assemble()
    assert caught.value.problems == [
        "damping[0].bodies: unknown body 'bra'; did you mean 'bar'? known: bar, rope",
        "damping[1].bodies: unknown body 'x'; known: bar, rope",
    ]


def test_bodies_that_do_not_suit_are_named_all_at_once(two: dict[str, Any]) -> None:
    tables = [{"name": "viscosity", "shear": 1.0}, {"name": "drag", "rate": 1.0}, {"name": "dashpot", "c": 1.0}]
    with pytest.raises(SceneError) as caught:
        damped(two, *tables).make().assemble()
    assert [line.partition(": damps")[0] for line in caught.value.problems] == [
        "damping[0]: viscosity",
        "damping[2]: dashpot",
    ]


def test_set(two: dict[str, Any]) -> None:
    two["damping"] = [{"name": "structure-preserving", "tau": 0.02, "bodies": ["bar"]}]
    scene = read_scene(two, Path(), overrides=["damping[0].tau=0.01"])
    assert scene.damping[0].make().tau == 0.01
    # another kind has other options, but the bodies stay
    other = read_scene(two, Path(), overrides=["damping[0].shear=3", "damping.0.name=viscosity"])
    (term,) = other.make().assemble().system.dissipation.terms
    assert isinstance(term, Viscous)
    assert other.damping[0].bodies == ("bar",)
    assert read_scene(two, Path(), overrides=["damping=[]"]).damping == ()


def test_the_schema_has_it() -> None:
    schema = scene_schema()
    assert set(schema["properties"]["damping"]["items"]["discriminator"]["mapping"]) == set(OPTIONS)
    assert {"rate", "wind", "bodies"} <= set(schema["$defs"][DAMPINGS["drag"].__name__]["properties"])
    budget = schema["$defs"]["AVFIntegrator"]["properties"]["budget"]["anyOf"]
    assert [kind.get("type", kind.get("$ref")) for kind in budget] == ["boolean", "#/$defs/EnergyBudget"]
    assert "of" not in schema["$defs"]["EnergyBudget"]["properties"]


@pytest.mark.parametrize(
    ("budget", "made"),
    [
        (True, EnergyBudget(BackwardEuler())),
        (False, BackwardEuler()),
        ({}, EnergyBudget(BackwardEuler())),
        ({"restore": 0.8, "cap": 0.1}, EnergyBudget(BackwardEuler(), restore=0.8, cap=0.1)),
    ],
)
def test_budgets(two: dict[str, Any], tmp_path: Path, budget: Any, made: Any) -> None:
    scene = damped(two, name="backward-euler", budget=budget)
    assert scene.integrator.make() == made
    assert scene.integrator.label == ("backward-euler + budget" if budget is not False else "backward-euler")
    (tmp_path / "again.toml").write_text(dump_scene(scene), encoding="utf-8")
    again = read_scene(parse_toml(tmp_path / "again.toml"), tmp_path)
    assert again.integrator.make() == made
    assert scene_hash(again) == scene_hash(scene)


@pytest.mark.parametrize("written", [None, True, False, {"cap": 0.5}])
def test_options_of_a_budget_can_be_set(two: dict[str, Any], written: Any) -> None:
    if written is not None:
        two["integrator"] = {"name": "backward-euler", "budget": written}
    made = read_scene(two, Path(), overrides=["integrator.budget.restore=0.5"]).integrator.make()
    assert isinstance(made, EnergyBudget)
    assert made.restore == 0.5
    assert made.cap == (0.5 if isinstance(written, dict) else None)


def test_the_budget_stays_when_the_method_changes(two: dict[str, Any]) -> None:
    two["integrator"] = {"name": "newmark", "beta": 0.3, "budget": {"restore": 0.9}}
    scene = read_scene(two, Path(), overrides=["integrator.name=avf"])
    assert scene.integrator.make() == EnergyBudget(AVF(), restore=0.9)
    assert read_scene(two, Path(), overrides=["integrator.budget=false"]).integrator.make().beta == 0.3


@pytest.mark.parametrize(
    ("integrator", "starts"),
    [
        ({"budget": 3}, "integrator.budget: input should be true, false or a table such as { restore = 0.8 }, found 3"),
        ({"budget": {"restor": 1}}, "integrator.budget.restor: unknown key; did you mean 'restore'? known: restore, "),
        ({"budget": {"restore": 2}}, "integrator.budget.restore: input should be less than or equal to 1, found 2"),
        ({"budget": {"of": "avf"}}, "integrator.budget.of: unknown key"),
        ({"name": "quasi-static", "budget": True}, "integrator: energy-budget.of: found 'quasi-static'"),
        ({"name": "yoshida", "of": {"name": "avf", "budget": True}}, "integrator.of.budget: unknown key"),
    ],
)
def test_budget_mistakes(two: dict[str, Any], complaints: Complaints, integrator: dict[str, Any], starts: str) -> None:
    (found,) = complaints({**two, "integrator": {"name": "avf", **integrator}})
    assert found.startswith(starts)


def test_a_resumed_run_remembers_its_budget(two: dict[str, Any], tmp_path: Path) -> None:
    tables = [{"name": "rayleigh", "stiffness": 1e-3}, {"name": "structure-preserving", "tau": 1e-3}]
    scene = damped(two, *tables, name="bdf2", budget={"cap": 0.05, "dissipation": 0.5})

    def finish(job: Any, steps: int) -> None:
        for frame in job.frames():
            if frame.step == steps:
                break
        job.save()
        assert job.finish(RunStatus.FINISHED) == []

    finish(start_run(scene, tmp_path / "one"), 10)
    finish(start_run(scene, tmp_path / "two"), 4)
    finish(resume_run(tmp_path / "two", 10), 10)
    one, other = (read_history(tmp_path / name / "history.csv") for name in ("one", "two"))
    for column in COLUMNS:
        if column != "wall_seconds":
            np.testing.assert_array_equal(one[column], other[column], err_msg=column)


def test_another_method_on_the_live_page_keeps_damping_and_budget(two: dict[str, Any]) -> None:
    from dataclasses import replace

    from supple.viewer.session import Session
    from supple.viewer.settings import settings_of

    tables = [{"name": "structure-preserving", "tau": 1e-3}, {"name": "viscosity", "shear": 10.0, "bodies": ["bar"]}]
    scene = damped(two, *tables, name="backward-euler", budget=True)
    session = Session(scene)
    settings = settings_of(scene.make())
    assert settings.integrator == "backward-euler"
    for changed in (settings, replace(settings, integrator="bdf2"), replace(settings, damping=0.5, stiffness=2.0)):
        session.change(changed)
        before = session.ledger
        for _ in range(3):
            session.step()
        assert session.ledger.dissipated > before.dissipated
        assert abs(session.ledger.residual - before.residual) <= 1e-11 * session.ledger.energies.scale
    session.close()
