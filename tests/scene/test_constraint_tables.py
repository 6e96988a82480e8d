"""`[[constraint]]` tables: their equations, and messages for invalid ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.constraints.links import FixedLengths
from supple.errors import SceneError, SuppleError
from supple.formulas.implicit import Implicit
from supple.runs.run import start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene

ROPE = {
    "name": "rope",
    "mesh": {"shape": "rope", "segments": 2, "length": 1.0},
    "material": {"name": "stvk-spring", "stretch": 10.0},
    "mass": 1.0,
}
CLOTH = {
    "name": "cloth",
    "mesh": {"shape": "cloth", "cells": [2, 1], "size": [1.0, 1.0], "origin": [0.0, -1.0, 0.0]},
    "material": {"name": "stvk-spring", "stretch": 10.0},
    "mass": 1.0,
}


def scene(*tables: dict[str, Any], **changes: Any) -> Scene:
    data = {"time": {"step": 0.01}, "body": [ROPE, CLOTH], "constraint": list(tables), **changes}
    return read_scene(data, Path())


def test_each_kind_gives_its_equations() -> None:
    system = (
        (
            scene(
                {"kind": "rods", "vertices": "cloth"},
                {"kind": "rods", "vertices": "rope.start", "to": "cloth"},
                {"kind": "plane", "vertices": "rope", "normal": [0, 0, 1]},
                {"kind": "sphere", "vertices": "rope.end", "centre": [1.0, 0.0, 2.0], "radius": 2.0},
                {"kind": "surface", "vertices": "rope.end", "equation": "y - (x - 1) ^ 3"},
                {"kind": "curve", "vertices": "rope.start", "equations": ["x - sin(z)", "y"]},
            )
        )
        .make()
        .assemble()
        .system
    )
    kinds = system.constraints.kinds
    # only sides of cells are rods, neither diagonals nor springs against bending
    assert [len(kind.vertices) for kind in kinds] == [7, 1, 3, 1, 1, 1, 1]
    assert isinstance(kinds[1], FixedLengths)
    assert kinds[1].vertices.tolist() == [[0, 3]]
    assert system.constraints.label(7) == "constraint[1][0] (vertices 0, 3)"


def test_parallel_planes_and_a_given_one() -> None:
    given = {"kind": "plane", "vertices": "rope", "normal": [0, 2, 0], "point": [5.0, 0.25, 1.0]}
    own, one = (
        scene({k: v for k, v in given.items() if k in keys}).make().assemble()
        for keys in (set(given) - {"point"}, given)
    )
    assert np.abs(own.system.constraints.values(own.state.x)).max() == 0.0
    np.testing.assert_allclose(one.system.constraints.values(one.state.x), -0.25)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"kind": "rods", "vertices": "string"}, r"constraint\[0\].vertices: unknown body 'string'"),
        ({"kind": "rods", "vertices": "rope.start"}, r"constraint\[0\]: no edges between these vertices"),
        ({"kind": "rods", "vertices": "rope", "to": "rope"}, r"constraint\[0\]: 3 of 3 name a vertex twice"),
        (
            {"kind": "ring", "vertices": "rope"},
            r"constraint\[0\].kind: unknown kind 'ring'; known: curve, plane, rods, sphere, surface",
        ),
        ({"kind": "surface", "vertices": "rope", "equation": "abs(x)"}, r"'abs\(x\)' cannot stand in the equation"),
        ({"kind": "surface", "vertices": "rope", "equation": "x - t"}, r"'t' cannot stand in the equation"),
        (
            {"kind": "curve", "vertices": "rope", "equations": ["x"]},
            r"constraint\[0\].equations: input should have at least 2",
        ),
    ],
)
def test_wrong_tables_are_told(table: dict[str, Any], words: str) -> None:
    with pytest.raises(SceneError, match=words):
        scene(table).make().assemble()


def test_a_start_off_its_surface_is_refused_before_the_folder_is_made(tmp_path: Path) -> None:
    wrong = scene({"kind": "surface", "vertices": "rope.end", "equation": "y + 0.5 * x"})
    with pytest.raises(SuppleError, match=r"violated at the start: constraint\[0\]\[0\] \(vertex 2\) by 0.4[0-9]* m"):
        start_run(wrong, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_velocities_off_their_surface_are_noted(tmp_path: Path) -> None:
    moving = [{**ROPE, "initial": {"velocity": [0.0, 3.0, 1.0]}}]
    job = start_run(scene({"kind": "plane", "vertices": "rope", "normal": [0, 1, 0]}, body=moving), tmp_path / "run", 1)
    frames = list(job.frames())
    assert "initial velocities changed by up to 3 m/s" in frames[0].note
    assert np.abs(frames[-1].state.x[:, 1]).max() < 1e-15


def test_expressions_have_derivatives() -> None:
    """Against differences, with powers of negative numbers and of expressions."""
    surface = Implicit("(x - 2) ^ 3 * z + 2 ^ y / x - -tan(z) * pi + cos(x * y)")
    p = np.array([[0.7, -0.4, 0.3], [1.1, 0.2, -0.6]])
    e = 1e-6 * np.eye(3)
    for whole, part in ((surface.values, surface.gradients), (surface.gradients, surface.hessians)):
        slope = np.stack([(whole(p + d) - whole(p - d)) / 2e-6 for d in e], axis=-1)
        np.testing.assert_allclose(part(p), slope, atol=1e-7)
