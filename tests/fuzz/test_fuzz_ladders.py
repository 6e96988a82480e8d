"""A bounded piece of the ladders, and the parts that they are made of."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest

from child import environment
from fuzz.ladders.hosts import all_hosts
from fuzz.ladders.options import option_ladders
from fuzz.ladders.places import definitions, places, tables_of
from fuzz.ladders.report import sentence
from fuzz.ladders.rungs import rungs
from fuzz.mutations import MISSING

PIECE = [
    "Limits.vertices",
    pytest.param("Time.", marks=pytest.mark.study),
]
"""Ladders that are climbed: one in every run of the tests."""


@pytest.mark.parametrize("only", PIECE)
def test_a_ladder_without_a_bug(only: str, tmp_path: Path) -> None:
    """In a separate process, which may fork: the tests before have threads."""
    words = ["-m", "fuzz.ladders", "--only", only, "--keep", str(tmp_path)]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "refused" in done.stdout
    assert (tmp_path / "messages.txt").read_text(encoding="utf-8").startswith("[")
    # a limit changes no result, however often the scene runs
    assert only != PIECE[0] or (tmp_path / "without-effect.txt").read_text().startswith("Limits.vertices: as it is")


def test_every_table_of_the_schema_has_a_scene() -> None:
    """A new table needs a shipped scene, a trial or a tiny scene of its own."""
    assert sorted(definitions().keys() - all_hosts().keys()) == []


def test_tables_are_found_by_their_place() -> None:
    scene = {"body": [{"mesh": {"shape": "bar"}, "initial": {}}], "obstacle": [{"shape": "sphere"}], "contact": {}}
    found = dict(tables_of(scene))
    assert found[("body", 0, "mesh")] == "Bar"
    assert found[("obstacle", 0)] == "SphereShapeObstacle"
    assert {found[()], found[("contact",)], found[("body", 0, "initial")]} == {"Scene", "Contact", "Initial"}


def test_ladders_have_bounds_and_other_types() -> None:
    node = {"type": "number", "exclusiveMinimum": 0, "maximum": 3}
    values = [rung.value for rung in rungs(node, 1.0)]
    assert {0, 5e-324, 3, math.nextafter(3, 4), 1e300, math.inf} <= {v for v in values if isinstance(v, int | float)}
    assert MISSING in values
    assert [] in values
    assert {} in values
    parts = [rungs(node, 1.0, repeated=k) for k in range(1, 7)]
    assert sum(map(len, parts)) == len(values)


def test_all_keys_and_options_have_a_ladder() -> None:
    names = {place.name for place in places()}
    assert {"WorldTable.gravity", "BodyTable.density", "AVFIntegrator.rule", "Scene.damping"} <= names
    assert {"run --steps", "analyse order --reference", "render --camera"} <= set(option_ladders())


def test_messages_are_the_same_but_for_values() -> None:
    a = "body[0].density: input should be greater than 0, found -1"
    assert sentence(a) == sentence("body[12].mass: input should be greater than 0, found -1e-300")
    assert sentence(a) != sentence("body[0].density: input should be a finite number, found nan")
