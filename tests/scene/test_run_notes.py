"""Notes of a run at its start and during it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import BoxShape, Capsule, SphereShape
from supple.contact.obstacles.stairs import Stairs
from supple.errors import StepFailed
from supple.loop import simulate
from supple.recording.history import read_history
from supple.runs.notes.body_lines import body_lines
from supple.runs.notes.fall_watch import landing
from supple.runs.notes.stability import fastest_mode, stability_note, stable_step
from supple.runs.notes.undamped import undamped_note
from supple.runs.notes.units import unit_notes
from supple.runs.run import start_run
from supple.scene.tables.setup import Setup
from supple.scene.text.load import read_scene
from supple.solvers.modes import lowest_modes

CUBE = {"shape": "cube", "cells": 2, "size": 0.1}
RUBBER = {"name": "stable-neo-hookean", "young": 1e5, "poisson": 0.4}
GROUND = {"name": "ground", "shape": "half-space"}
CLOTH = {
    "mesh": {"shape": "cloth", "cells": [4, 4]},
    "thickness": 1e-3,
    "material": {"name": "stvk-membrane", "young": 1e5},
}


def scene(body: dict[str, Any] | None = None, **tables: Any) -> Any:
    cube = {"name": "cube", "mesh": CUBE, "material": RUBBER, **(body or {})}
    data = {"time": {"step": 0.01, "duration": 0.1}, "solver": {"threads": 1}, "body": [cube], **tables}
    return read_scene(data, Path())


def notes_of(loaded: Any, folder: Path) -> list[str]:
    """All notes of a run."""
    job = start_run(loaded, folder)
    said = [*job.notes, *(frame.note for frame in job.frames() if frame.note)]
    job._recorder.finish(job.folder.status)
    job.folder.close()
    return said


def test_a_line_says_what_a_body_is() -> None:
    assert body_lines(scene({"name": "jelly", "density": 1100.0}).make().assemble()) == [
        "jelly: 0.1 x 0.1 x 0.1 m, 1.1 kg, 27 vertices, 40 tets, stable-neo-hookean (young 1e+05 Pa, poisson 0.4)"
    ]


def test_many_equal_bodies_share_a_line() -> None:
    one = {"mesh": CUBE, "material": RUBBER}
    bodies = [{**one, "initial": {"translate": [float(k), 0.0, 0.0]}} for k in range(3)]
    (line,) = body_lines(read_scene({"time": {"step": 0.01}, "body": bodies}, Path()).make().assemble())
    assert line.startswith("body0 to body2, 3 bodies, each 0.1 x 0.1 x 0.1 m")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            {"mesh": {**CUBE, "size": 300.0}, "material": {**RUBBER, "young": 1e9}},
            "millimetres, give lengths times 0.001",
        ),
        (
            {"mesh": {**CUBE, "size": 30.0}, "material": {**RUBBER, "young": 1e8}},
            "centimetres, give lengths times 0.01",
        ),
        ({"mesh": {**CUBE, "size": 1e-4}}, "give lengths in metres"),
        ({"density": 1.1}, "if that is in g/cm^3, set density = 1100"),
        ({"mass": 1e-6}, "make 0.001 kg/m^3, water has 1000"),
        ({"density": 1e6, "material": {**RUBBER, "young": 1e9}}, "denser than any metal"),
        ({"material": {**RUBBER, "young": 0.1}}, "if that is in MPa, set young = 100000 (in kPa: 100)"),
        ({"material": {**RUBBER, "young": 2e14}}, "harder than diamond"),
    ],
)
def test_figures_in_another_unit_are_reported_with_the_remedy(body: dict[str, Any], words: str) -> None:
    found = unit_notes(scene(body).make().assemble())
    assert len(found) == 1
    assert words in found[0]
    assert found[0].startswith("body[0].")


def undamped_note_of(setup: Setup) -> str:
    return undamped_note(setup.assemble(overlapping=True), setup.method, setup.h)


def stability_note_of(setup: Setup) -> str:
    return stability_note(setup.assemble(), setup.method, setup.h, setup.duration)


def test_cloth_and_contact_without_damping_are_reported() -> None:
    damped = {"name": "rayleigh", "stiffness": 1e-3}
    cases = [
        (scene(), False),
        (scene(obstacle=[GROUND]), True),
        (scene(obstacle=[GROUND], damping=[damped]), False),
        (scene(obstacle=[GROUND], damping=[{"name": "drag", "rate": 1.0}]), True),
        (scene(obstacle=[GROUND], damping=[{"name": "rayleigh", "mass": 1.0}]), True),
        (scene(obstacle=[GROUND], integrator={"name": "backward-euler"}), False),
        (scene(obstacle=[GROUND], integrator={"name": "simo-tarnow"}), True),
        (scene(CLOTH), True),
        (scene(CLOTH, damping=[damped]), False),
        (scene(CLOTH, integrator={"name": "tr-bdf2"}), False),
    ]
    notes = [undamped_note_of(loaded.make()) for loaded, _ in cases]
    assert [bool(note) for note in notes] == [told for _, told in cases]
    assert "stiffness = 0.0013" in notes[1]
    assert "nothing damps 'cube', and avf" in notes[1]
    # drag damps the motion: only its vibrations stay
    assert "nothing damps the strain of 'cube' (other damping only slows its motion), and avf" in notes[3]


def test_a_note_on_swinging_claims_no_conservation() -> None:
    held = {"pin": "left", "density": 1000.0}
    for method in ("avf", "verlet", "newmark"):
        note = undamped_note_of(scene(held, integrator={"name": method}).make())
        assert f"nothing damps 'cube', nor does {method}: it keeps swinging" in note


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_the_ground_faces_up(up: str) -> None:
    loaded = scene(world={"up": up}, obstacle=[GROUND, {**GROUND, "name": "wall", "normal": [1.0, 1.0, 0.0]}])
    ground, wall = (table.make().shape for table in loaded.obstacle)
    assert ground.unit.tolist() == [float(axis == up) for axis in "xyz"]
    assert wall.normal == (1.0, 1.0, 0.0)


UP = np.array([0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("shape", "bottom"),
    [
        (SphereShape((1.0, 2.0, 3.0), 0.5), 1.5),
        (BoxShape((0.0, 1.0, 0.0), (4.0, 0.2, 4.0)), 0.9),
        (BoxShape((0.0, 1.0, 0.0), (2.0, 2.0, 2.0), (0.0, 0.0, np.pi / 4)), 1.0 - np.sqrt(2.0)),
        (Capsule((0.0, 1.0, 0.0), (1.0, 2.0, 0.0), 0.1), 0.9),
        (HalfSpace(), -np.inf),
        (HalfSpace(normal=(1.0, 1.0, 0.0)), -np.inf),
        (HalfSpace(normal=(0.0, -1.0, 0.0)), None),
        (HalfSpace(normal=(1.0, 0.0, 0.0)), None),
    ],
)
def test_where_a_shape_ends(shape: Any, bottom: float | None) -> None:
    found = landing(shape, UP)
    assert (found is None) == (bottom is None)
    if found is not None and bottom is not None:
        assert found.bottom == pytest.approx(bottom, abs=1e-4)


def test_parts_of_stairs_end_where_they_stand() -> None:
    ends = [landing(part, UP) for part in Stairs().parts]
    assert all(found is not None for found in ends)


def test_a_body_that_falls_past_everything_is_reported_once(tmp_path: Path) -> None:
    ball = {"name": "ball", "shape": "sphere", "centre": [0.5, -0.05, 0.0], "radius": 0.02}
    said = notes_of(scene(obstacle=[ball], time={"step": 0.01, "duration": 0.3}), tmp_path / "run")
    assert len([note for note in said if "'cube' is below everything that it could land on" in note]) == 1


@pytest.mark.parametrize("body", [{"initial": {"translate": [0.0, 0.05, 0.0]}}, {"pin": "top", "initial": {}}])
def test_a_body_on_the_ground_or_on_a_pin_is_not(tmp_path: Path, body: dict[str, Any]) -> None:
    obstacle = [GROUND] if "pin" not in body else [{"shape": "sphere", "centre": [0.0, 5.0, 0.0], "radius": 0.1}]
    said = notes_of(scene(body, obstacle=obstacle, time={"step": 0.01, "duration": 0.2}), tmp_path / "run")
    assert not [note for note in said if "below everything" in note]


def test_crushed_elements_are_counted_and_reported(tmp_path: Path) -> None:
    body = {"material": {"name": "stvk", "young": 1e5, "poisson": 0.3}, "initial": {"stretch": [1.0, 0.05, 1.0]}}
    said = notes_of(scene(body, time={"step": 1e-4, "duration": 2e-4}), tmp_path / "run")
    found = [note for note in said if "40 tets have less than 10% of their volume (of 40)" in note]
    assert len(found) == 1
    assert "use stable-neo-hookean instead of stvk" in found[0]
    history = read_history(tmp_path / "run/history.csv")
    assert history["crushed_elements"][0] == 40
    assert history["inverted_elements"][0] == 0


def test_the_fastest_mode_is_that_of_the_whole_spectrum() -> None:
    built = scene().make().assemble()
    omega, rate = fastest_mode(built.system, built.state)
    assert omega == pytest.approx(np.sqrt(lowest_modes(built.system, built.state.x, 81).values[-1]), rel=1e-2)
    assert rate == 0.0
    delta = 1e-4
    damped = scene(damping=[{"name": "rayleigh", "stiffness": delta}]).make().assemble()
    omega, rate = fastest_mode(damped.system, damped.state)
    assert rate == pytest.approx(delta * omega**2, rel=2e-2)


@pytest.mark.parametrize(("name", "limit"), [("verlet", 2.0), ("symplectic-euler", 2.0), ("rk4", 2.83)])
def test_limits_of_explicit_methods(name: str, limit: float) -> None:
    method = scene(integrator={"name": name}).integrator.make()
    assert 50.0 * stable_step(method, 50.0, 0.0, 10.0, 1.0) == pytest.approx(limit, rel=0.05)
    damped = 50.0 * stable_step(method, 50.0, 20.0, 10.0, 1.0)
    assert 0.5 < damped < 3.5


def test_an_explicit_method_names_a_step_that_holds(tmp_path: Path) -> None:
    fall = {"initial": {"velocity": [0.0, -1.0, 0.0], "translate": [0.0, 0.01, 0.0]}}
    tables = {"integrator": {"name": "verlet"}, "obstacle": [{**GROUND, "law": "quadratic"}]}
    loaded = scene(fall, **tables)
    note = stability_note_of(loaded.make())
    assert "too long for verlet" in note
    h = float(note.split("time.step = ")[1].split(" ")[0])
    with pytest.raises(StepFailed, match=r"not finite.*use time\.step"):
        notes_of(scene(fall, **tables, time={"step": 0.01, "duration": 2.0}), tmp_path / "long")
    fine = loaded.model_copy(update={"time": loaded.time.model_copy(update={"step": h, "duration": 0.1})})
    assert stability_note_of(fine.make()) == ""
    frames = list(
        simulate(
            fine.make().assemble().system, fine.integrator.make(), fine.make().assemble().state, h, fine.time.steps
        )
    )
    assert frames[-1].ledger.energies.total < 2.0 * abs(frames[0].ledger.energies.total)
    assert stability_note_of(scene().make()) == ""


def test_the_solver_of_a_scene_holds_in_a_loop_of_ones_own() -> None:
    loaded = scene({"pin": "left"}, solver={"max_iterations": 1, "max_halvings": 0, "threads": 1})
    built = loaded.make().assemble()
    with pytest.raises(StepFailed):
        list(simulate(built.system, loaded.integrator.make(), built.state, 0.1, 5))
