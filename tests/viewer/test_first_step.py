"""The live page simulates the same steps as a run: the first step of every shipped scene has the same bits."""

import numpy as np
import pytest

from supple.loop import simulate
from supple.scene.text.load import load_scene
from supple.scene.text.shipped import shipped_scenes
from supple.solvers.tools import StepTools
from supple.viewer.session import Session

LARGE = (
    "four-sheets", "swaying-tree", "layered-cube", "cracked-bar", "hanging-cloth", "liver-with-veins", "potted-plant",
    "cheese-wheel", "slab-with-holes", "thin-sheet", "snowball", "figure-on-stairs", "winding-muscle", "figure-on-its-feet",
    "pulled-ears", "pile", "bouncing-figure",
)  # fmt: skip
"""Scenes that take most of the time, and whose methods, bodies and contacts smaller ones have too."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.study if name in LARGE else []) for name in shipped_scenes()]
)
def test_the_first_step_is_that_of_a_run(name: str) -> None:
    scene = load_scene(name)
    setup = scene.make()
    model = setup.assemble()
    tools = StepTools(model.system, setup.solver)
    *_, last = simulate(model.system, setup.method, model.state, setup.h, 1, tools)
    tools.close()
    session = Session(scene)
    session.step()
    assert session.state.t == last.state.t
    np.testing.assert_array_equal(session.state.x, last.state.x)
    np.testing.assert_array_equal(session.state.v, last.state.v)
    session.close()
