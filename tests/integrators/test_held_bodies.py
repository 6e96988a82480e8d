"""Bodies without a free vertex: nothing is solved, and no step is an exception."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from methods import METHODS
from supple.errors import SuppleError
from supple.linalg.factors.factorisation import analyse
from supple.loop import Frame, simulate
from supple.progress import begin
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools

EVERY = {"groups": {"every": {"expression": "X > -1"}}}
BLOCK: dict[str, Any] = {
    "mesh": {"shape": "bar", "cells": [1, 1, 1], "size": [0.2, 0.1, 0.1]},
    "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
    **EVERY,
}
BODIES = [
    {**BLOCK, "pin": "every"},
    {**BLOCK, "motion": [{"group": "every", "translate": {"velocity": [0.1, 0.0, 0.0]}}]},
]
OF_OTHER_MATERIALS = ("conserving-springs", "corotational-reversible")


def frames(integrator: dict[str, Any], linear: str = "auto") -> list[Frame]:
    """Of a block that is pinned, and of one that a script moves."""
    bodies = BODIES[: 1 if integrator["name"].startswith("adaptive-") else 2]
    tables = {"time": {"step": 0.01}, "integrator": integrator, "solver": {"linear": linear}, "body": bodies}
    setup = read_scene(tables, Path()).make()
    model = setup.assemble()
    tools = StepTools(model.system, setup.solver)
    progress = begin(model.system, setup.method, model.state, tools)
    return list(simulate(model.system, setup.method, progress, setup.h, 2, tools))


def demand_plain_steps(found: list[Frame]) -> None:
    assert found[-1].step >= 2
    assert not any(frame.exceptional for frame in found)
    assert np.abs(found[-1].state.v[:8]).max() == 0.0


@pytest.mark.parametrize("name", sorted(set(METHODS) - {"yoshida"}))
def test_every_method_steps_over_held_bodies(name: str) -> None:
    rule = {"rule": "elastic"} if name.startswith("adaptive-") else {}
    if name in OF_OTHER_MATERIALS:
        with pytest.raises(SuppleError, match=" is for "):
            frames({"name": name})
    else:
        demand_plain_steps(frames({"name": name, **rule}))


@pytest.mark.parametrize("rule", ["acceleration", "elastic", "phase", "poses"])
def test_step_rules_of_held_bodies(rule: str) -> None:
    demand_plain_steps(frames({"name": "adaptive-reversible", "rule": rule}))


@pytest.mark.parametrize("linear", ["direct", "amg", "ic", "cg"])
def test_linear_systems_of_held_bodies(linear: str) -> None:
    demand_plain_steps(frames({"name": "si"}, linear))


@pytest.mark.parametrize("backend", ["pardiso", "cholmod", "superlu"])
def test_factors_of_an_empty_matrix(backend: str) -> None:
    factors = analyse("cholesky", np.zeros(1, np.int32), np.zeros(0, np.int32), backend)
    factors.factor(np.zeros(0))
    assert factors.solve(np.zeros(0)).shape == (0,)
    factors.close()
