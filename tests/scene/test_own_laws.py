"""Formulas of membranes, springs, bending and dampers in scenes: hostile texts, round trips, resumed runs, the schema."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas import scene_schema
from supple.errors import SceneError
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import read_scene
from supple.scene.text.shipped import shipped_scenes
from work import little_work

HOSTILE = [
    "",
    "   ",
    "().__class__",
    "k.__class__",
    "__import__('os').system('true')",
    "(lambda: k)()",
    "[k][0]",
    "k if k else k",
    "(k := 3)",
    "f'{k}'",
    "'k'",
    "k*__class__",
    "exec(k)",
    "k*\u03bb",
    "1/0",
    "exp(1000)",
    "log(-1)",
    "9^9^9^9",
    "k*1e999",
    "k" + "*k" * 10_000,
    "(" * 300 + "k" + ")" * 300,
    "+".join(["k*sin(k)"] * 200),
    "k and k",
    "true",
]
SHEET = {"shape": "cloth", "cells": [2, 2]}


def scene(place: str, text: Any) -> dict[str, Any]:
    """A text in the place of one of the formulas."""
    body: dict[str, Any] = {
        "mesh": SHEET,
        "material": {"name": "stvk-membrane", "young": 1e4},
        "thickness": 1e-3,
        "mass": 0.1,
    }
    data: dict[str, Any] = {"time": {"step": 0.01, "duration": 0.1}, "body": [body]}
    if place == "membrane":
        body["material"] = {"name": "formula-membrane", "energy": text, "k": 1.0}
    elif place == "spring":
        body["material"] = {"name": "formula-spring", "energy": text, "k": 1.0}
    elif place == "bending":
        body["bending"] = {"model": "formula", "energy": text, "k": 1.0}
    else:
        data["damping"] = [{"name": "formula", "dissipation": text, "k": 1.0}]
    return data


@pytest.mark.parametrize("place", ["membrane", "spring", "bending", "damping"])
@pytest.mark.parametrize("text", [*HOSTILE, 3, ["k"]], ids=lambda text: str(text)[:20] or "empty")
def test_texts_of_strangers_are_refused_in_a_moment(place: str, text: Any, tmp_path: Path) -> None:
    with little_work(), pytest.raises(SceneError) as found:
        read_scene(scene(place, text), tmp_path).make().assemble()
    assert ("damping[0]" if place == "damping" else "body[0]") in str(found.value)


def test_formulas_that_would_take_long_are_refused(tmp_path: Path) -> None:
    entries = ("11", "22", "33", "12", "13", "23")
    terms = [f"{v}{a}^2" for v in ("Edot", "D", "E") for a in entries] * 2
    text = "k*(" + "+".join(f"{a}*{b}" for a, b in zip(terms, reversed(terms), strict=True)) + ")"
    sentence = "too many operations for a formula of 18 variables; write a shorter one"
    with little_work(), pytest.raises(SceneError, match=sentence):
        read_scene(scene("damping", text), tmp_path)


def test_the_shipped_scene_survives_a_round_trip(tmp_path: Path) -> None:
    setup = read_scene(tomllib.loads(shipped_scenes()["own-laws"].read_text(encoding="utf-8")), tmp_path).make()
    again = read_scene(tomllib.loads(setup.world.to_toml()), tmp_path).make()
    assert again.world.bodies == setup.world.bodies
    assert again.world.damping == setup.world.damping


def small(steps: int) -> dict[str, Any]:
    data = scene("damping", "k*(D11^2 + D22^2 + D33^2)^2")
    data["time"] = {"step": 0.01, "duration": 0.01 * steps}
    sheet = {**data["body"][0], "material": {"name": "formula-membrane", "energy": "k*(I1 + 1/I2 - 3)", "k": 1e4}}
    sheet["bending"] = {"model": "formula", "energy": "k*d^2", "k": 1e-3}
    sheet["initial"] = {"velocity": ["X", "sin(9 * X * Z)", 0]}
    rope = {
        "name": "rope",
        "mesh": {"shape": "rope", "segments": 4},
        "material": {"name": "formula-spring", "energy": "k*l0^2*e^2", "k": 50},
        "mass": 0.1,
        "initial": {"velocity": ["X", "9*X*X", 0]},
    }
    bar = {
        "name": "bar",
        "mesh": {"shape": "bar", "cells": [1, 1, 1]},
        "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
    }
    bar["initial"] = {"velocity": ["X", 0, "3*X*Y"]}
    data["damping"][0]["bodies"] = ["bar"]
    return {**data, "body": [sheet, rope, bar], "integrator": {"name": "simo-tarnow"}}


def finish(job: Any, steps: int) -> None:
    for frame in job.frames():
        if frame.step == steps:
            break
    job.save()
    assert job.finish(RunStatus.FINISHED) == []


def test_a_resumed_run_has_the_same_bits(tmp_path: Path) -> None:
    scene = read_scene(small(8), tmp_path)
    finish(start_run(scene, tmp_path / "whole"), 8)
    finish(start_run(scene, tmp_path / "broken"), 4)
    finish(resume_run(tmp_path / "broken", 8), 8)
    first, second = (read_history(tmp_path / name / "history.csv") for name in ("whole", "broken"))
    for column in ("total", "dissipated", "kinetic", "elastic"):
        np.testing.assert_array_equal(first[column], second[column], err_msg=column)
    assert first["dissipated"][-1] > 0.0
    assert 'energy = "k*(I1 + 1/I2 - 3)"' in (tmp_path / "whole" / "scene.toml").read_text(encoding="utf-8")


def test_the_schema_allows_further_keys() -> None:
    definitions = scene_schema()["$defs"]
    for name in ("OwnMembrane", "OwnSpring", "OwnDamping", "Bending"):
        assert definitions[name]["additionalProperties"] == {"type": "number"}, name
        assert "values" not in definitions[name]["properties"]
    assert definitions["StVKMembrane"]["additionalProperties"] is False
