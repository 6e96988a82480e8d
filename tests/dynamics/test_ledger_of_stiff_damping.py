"""Dampers in still air never generate energy in the ledger: it would hide the energy that a method creates."""

from itertools import pairwise
from pathlib import Path

import pytest

from supple.loop import Frame, simulate
from supple.progress import begin
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools


def frames(method: str, viscosity: float) -> list[Frame]:
    """Of a stretched bar that is released."""
    bar = {
        "mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]},
        "material": {"name": "stable-neo-hookean", "young": 1e4, "poisson": 0.3},
        "density": 10.0,
        "pin": "left",
        "initial": {"stretch": [1.2, 1.0, 1.0]},
    }
    damping = [{"name": "viscosity", "shear": viscosity}]
    setup = read_scene(
        {"time": {"step": 0.02}, "integrator": {"name": method}, "body": [bar], "damping": damping}, Path()
    ).make()
    model = setup.assemble()
    tools = StepTools(model.system, setup.solver)
    progress = begin(model.system, setup.method, model.state, tools)
    return list(simulate(model.system, setup.method, progress, setup.h, 6, tools))


@pytest.mark.parametrize("method", ["generalized-alpha", "newmark", "trapezoid", "bathe", "sdirk", "sdirk4", "bdf2"])
@pytest.mark.parametrize("viscosity", [10.0, 1e4])
def test_dissipated_energy_never_falls(method: str, viscosity: float) -> None:
    heat = [frame.ledger.dissipated for frame in frames(method, viscosity)]
    assert all(after >= before for before, after in pairwise(heat))


def test_energy_created_by_velocities_that_alternate_is_doubtful() -> None:
    """The first step raises 0.5 J to 200 J; negative heat of 200 J balanced this."""
    found = frames("generalized-alpha", 1e4)
    assert found[1].ledger.energies.total > 100.0 * found[0].ledger.energies.total
    assert found[1].doubtful
