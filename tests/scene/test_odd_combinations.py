"""Scenes that random combinations have found: each runs, or is refused in a sentence."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import read_scene
from supple.scene.text.shipped import shipped_scenes
from supple.solvers import modes

TIME = {"step": 0.01, "duration": 0.02}
SHEET: dict[str, Any] = {
    "mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2]},
    "thickness": 1e-3,
    "density": 100.0,
}
SPRINGS = {"name": "hooke-spring", "stretch": 1e3}
BLOCK = {
    "mesh": {"shape": "bar", "cells": [1, 1, 1], "size": [0.03, 0.1, 0.1]},
    "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
    "density": 100.0,
}
FLOOR = {"name": "floor", "shape": "half-space"}


def carried_out(tables: dict[str, Any], folder: Path, name: str = "run") -> dict[str, Any]:
    """The history of a whole run."""
    job = start_run(read_scene(tables, folder), folder / name)
    status = RunStatus.FAILED
    try:
        for _ in job.frames():
            pass
        status = RunStatus.FINISHED
    finally:
        job.finish(status)
    return read_history(folder / name / "history.csv")


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (
            {"body": [BLOCK], "obstacle": [{"name": "stairs", "shape": "stairs", "steps": 10**9}]},
            r"steps: .*1000000000.* from 1 to 1,000",
        ),
        (
            {"body": [SHEET | {"mesh": {"shape": "cloth", "cells": [1, 2]}, "material": "paper"}]},
            r"bending rigidity: .* finer mesh",
        ),
        (
            {
                "body": [
                    {"mesh": {"shape": "rope", "segments": 1}, "material": SPRINGS, "pin": ["start", "end"], "mass": 1}
                ],
                "constraint": [{"kind": "rods", "vertices": "body0"}],
            },
            r"act on no free vertex",
        ),
        (
            {
                "body": [BLOCK],
                "integrator": {"name": "adaptive-naive", "rule": "elastic", "h_min": 1e3, "budget": True},
            },
            r"adaptive-naive\.h_min: found 1000 s, longer than time\.step = 0\.01 s",
        ),
        (
            {"body": [BLOCK], "integrator": {"name": "avf", "adaptive": {"h_min": 1.0}}},
            r"adaptive\.h_min: found 1 s, above the default h_max of 16 time\.step = 0\.16 s",
        ),
        (
            {
                "body": [BLOCK],
                "obstacle": [{"shape": "implicit", "equation": "y + 1 - 0.05*sin(8*x)", "distance": 2.0}],
            },
            r"obstacle\[0\]\.distance: 2 m exceeds the longest side of the smallest body, 0\.1 m",
        ),
        (
            {
                "world": {"gravity": 0.0},
                "body": [SHEET | {"material": SPRINGS}],
                "obstacle": [{"shape": "half-space", "law": "cubic"}],
            },
            r'obstacle\[0\]\.stiffness: found "auto", which follows from gravity.* give a stiffness above 0 \[Pa\]',
        ),
        (
            {"world": {"gravity": 0.0}, "body": [SHEET | {"material": SPRINGS}], "contact": {"distance": 0.01}},
            r'contact\.stiffness: found "auto"',
        ),
        ({"body": [BLOCK | {"mesh": {"file": "x" * 5000}}]}, r"body\[0\]\.mesh\.file: no file can be opened"),
        (
            {
                "body": [SHEET | {"material": SPRINGS}],
                "integrator": {"name": "mpm", "cell": 0.05},
                "direction": {"settle": 1e-3},
            },
            r"mpm moves material points, and this system has none",
        ),
        (
            {
                "body": [BLOCK],
                "constraint": [{"kind": "surface", "vertices": "body0.left", "equation": "1/x"}],
            },
            r"4 of 4 constraints have no finite value at the start; give equations that are defined there: constraint\[0\]",
        ),
        (
            {"body": [BLOCK], "obstacle": [{"shape": "implicit", "equation": "sqrt(y + 0.001)"}]},
            r"body\[0\]: no point of the surface of 'obstacle0' was found from the vertices of 'body0'",
        ),
        (
            {"body": [BLOCK], "obstacle": [{"shape": "implicit", "equation": "exp(1e5*(y + 0.001)) - 1"}]},
            r"give an equation that is defined and not steep around the bodies",
        ),
    ],
    ids=[
        "many steps of stairs",
        "a sheet that cannot bend",
        "constraints of held vertices",
        "a shortest step beyond the longest",
        "the same with error control",
        "a barrier wider than the body",
        "a stiffness for nothing that presses",
        "the same between surfaces",
        "a long name",
        "settling by points",
        "a constraint that is not defined",
        "a shape by an expression that is not defined inside",
        "a shape by an expression that overflows",
    ],
)
def test_refused(tables: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(SuppleError, match=words):
        carried_out({"time": TIME} | tables, tmp_path)
    assert not (tmp_path / "run").exists()


def test_constants_that_leave_their_bounds_name_the_body(tmp_path: Path) -> None:
    material = {"name": "stvk", "young": "1e4 - 1e6*t", "poisson": 0.3}
    with pytest.raises(SuppleError, match=r"body0\.material at t = 0\.01 s: young: .*greater than 0, found 0"):
        carried_out({"time": TIME, "body": [BLOCK | {"material": material}]}, tmp_path)


def test_columns_are_found_by_the_names_of_bodies(tmp_path: Path) -> None:
    name = 'half, "whole"'
    body = BLOCK | {"name": name, "stiffness": "1 + t", "initial": {"stretch": [1.1, 1.0, 1.0]}}
    history = carried_out({"time": TIME, "body": [body]}, tmp_path)
    works = [column for column in history if column.startswith("work.")]
    assert len(works) == 1
    assert name in works[0]
    assert np.allclose(history[works[0]], history["external_work"], rtol=1e-12)
    assert history["external_work"][-1] > 0.0


def test_contact_is_made_for_gravity_that_fades_in(tmp_path: Path) -> None:
    """At the start there is none, and springs have no Young's modulus: the barrier had no stiffness."""
    tables = {
        "time": {"step": 0.01, "duration": 0.3},
        "world": {"gravity": "9.81*min(1, 20*t)"},
        "body": [SHEET | {"material": SPRINGS, "initial": {"translate": [0.0, 0.03, 0.0]}}],
        "obstacle": [FLOOR],
    }
    history = carried_out(tables, tmp_path)
    assert history["other"].max() > 0.0
    assert np.abs(history["residual"]).max() < 1e-10 * history["total"].max()


def test_exponential_steps_without_a_slow_mode(tmp_path: Path) -> None:
    tables = {
        "time": {"step": "1/30", "duration": "1/30"},
        "integrator": {"name": "sbdf2-ere"},
        "body": [BLOCK | {"pin": "left"}],
        "direction": {"settle": 1e-3},
    }
    assert len(carried_out(tables, tmp_path)["step"]) == 2


def test_a_budget_of_a_triangle_without_hinges(tmp_path: Path) -> None:
    corners = "v 0 0 0\nv 0.2 0 0\nv 0 0 0.2\nf 1 2 3\n"
    (tmp_path / "triangle.obj").write_text(corners, encoding="utf-8")
    body = {
        "mesh": {"file": "triangle.obj"},
        "material": {"name": "stvk-membrane", "young": 1e4},
        "thickness": 1e-3,
        "bending": {"model": "formula", "energy": "k*d^2", "k": 1e-3},
        "initial": {"stretch": [1.1, 1.0, 1.0]},
    }
    tables = {"time": TIME, "integrator": {"name": "tr-bdf2", "budget": True}, "body": [body]}
    assert len(carried_out(tables, tmp_path)["step"]) == 3


@pytest.mark.parametrize("refresh", ["step", "interval", "residual"])
def test_modes_of_a_body_that_is_pinned_everywhere_are_kept(refresh: str, tmp_path: Path) -> None:
    tables = {
        "time": TIME,
        "integrator": {"name": "bdf2-ere", "refresh": refresh},
        "body": [BLOCK | {"pin": ["left", "right"]}],
    }
    assert len(carried_out(tables, tmp_path)["step"]) == 3


def test_a_single_point_above_a_floor(tmp_path: Path) -> None:
    body = BLOCK | {
        "mesh": {"shape": "bar", "cells": [1, 1, 1], "size": [0.4, 0.4, 0.004]},
        "points": {"per_cell": 1, "jitter": 0.5, "seed": 1},
        "initial": {"translate": [0.0, 0.1, 0.0]},
    }
    mpm = {"name": "mpm", "cell": 0.1}
    history = carried_out(
        {"time": TIME, "integrator": mpm, "body": [body], "obstacle": [FLOOR | {"law": "quadratic"}]}, tmp_path
    )
    assert history["total"][-1] == pytest.approx(history["total"][0], rel=1e-2)


def test_settling_where_friction_holds_every_vertex(tmp_path: Path) -> None:
    mesh = SHEET["mesh"] | {"origin": [-0.1, 0.52, -0.1]}
    body = SHEET | {"mesh": mesh, "material": {"name": "stvk-membrane", "young": 5e4}}
    tables = {
        "time": TIME,
        "world": {"gravity": 9.81},
        "body": [body],
        "obstacle": [FLOOR | {"friction": 0.3}],
        "direction": {"settle": 1.0},
    }
    assert carried_out(tables, tmp_path)["step"][-1] >= 2


def test_a_ring_that_is_torn_away_fails_a_step(tmp_path: Path) -> None:
    """A vertex moves by 1e18 m: searches for contact along its way give up, and so does the step."""
    tables = copy.deepcopy(tomllib.loads(shipped_scenes()["curtain"].read_text(encoding="utf-8")))
    del tables["expect"]
    tables["time"]["duration"] = 0.05
    tables["body"][0]["mesh"]["cells"] = [6, 2]
    tables["body"][0]["motion"][-1]["keyframes"][-1]["offset"][2] = 10**18
    with pytest.raises(SuppleError, match="step"):
        carried_out(tables, tmp_path)


def test_settling_a_slack_net(tmp_path: Path) -> None:
    """Thousands of its modes have no stiffness: Lanczos took minutes to separate them."""
    net = {"shape": "cloth", "cells": [40, 40], "size": [20.0, 20.0], "plane": "xy", "shear": "one"}
    body = {"mesh": net, "material": {"name": "stvk-spring", "stretch": 20.0, "bend": 10.0}, "mass": 1.0}
    tables = {"world": {"gravity": 0.0}, "direction": {"settle": 1e-3}, "body": [body | {"pin": ["corner_01"]}]}
    solves = []

    def count(units: int) -> None:
        solves.append(units)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modes, "spend", count)
        carried_out({"time": TIME} | tables, tmp_path)
    assert 0 < len(solves) < 500


@pytest.mark.parametrize("resumed", [False, True])
def test_steps_on_the_command_line_obey_the_limit(resumed: bool, tmp_path: Path) -> None:
    tables = {"time": TIME, "limits": {"steps": 4}, "body": [BLOCK]}
    scene = read_scene(tables, tmp_path)
    if resumed:
        carried_out(tables, tmp_path)
    with pytest.raises(SuppleError, match=r"about 5 steps, but limits\.steps allows 4"):
        _ = resume_run(tmp_path / "run", 5) if resumed else start_run(scene, tmp_path / "run", 5)
    assert (tmp_path / "run").exists() == resumed
