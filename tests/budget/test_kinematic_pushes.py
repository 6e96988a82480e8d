"""Impulses of obstacles that act without forces: what a part gained besides its weight, of a still one the normal part."""

import numpy as np
import pytest

import supple as sp
from supple.budget.parts import find_parts
from supple.budget.pushes import Pushes, find_pushes
from supple.progress import begin
from supple.solvers.tools import StepTools

H = 0.01


def pushed(obstacle: sp.Obstacle, velocity: tuple[float, float, float]) -> tuple[sp.Model, Pushes, np.ndarray]:
    """The pushes of the step in which a ball meets an obstacle just below it, and the momentum that it gained then."""
    ball = sp.Body(
        sp.Ball(radius=0.1, centre=(0.0, 0.1005, 0.0), resolution=2), sp.StableNeoHookean.from_young(1e4, 0.3),
        density=1000.0, initial=sp.Initial(velocity=velocity),
    )  # fmt: skip
    model = sp.assemble(sp.World([ball], obstacles=[obstacle]))
    system, method, tools = model.system, sp.Verlet(), StepTools(model.system)
    progress = begin(system, method, model.state, tools)
    new, _, report = method.advance(system, progress.state, progress.memory, H, tools)
    assert report.contacts is not None
    assert len(report.contacts)
    pushes = find_pushes(system, find_parts(system), progress.state, new, report, np.zeros(1, np.int32))
    assert pushes.touching.all()
    return model, pushes, system.mass @ (new.v - progress.state.v)


def test_a_moving_obstacle_transfers_all_that_was_gained() -> None:
    """It has no normal here: the momentum itself is all that is known about it."""
    rising = sp.Moves(translate=sp.Translation((0.0, 2.0, 0.0)))
    model, pushes, gained = pushed(sp.Obstacle(sp.HalfSpace(), law="projection", motion=rising), (0.3, 0.0, 0.0))
    weight = model.system.mass.sum() * H * np.array([0.0, -9.81, 0.0])
    assert gained[1] > 0.1
    np.testing.assert_allclose(pushes.impulse[0], gained - weight, atol=1e-9)


def test_a_still_one_transfers_the_normal_part() -> None:
    floor = sp.Obstacle(sp.HalfSpace(), law="projection", friction=0.5)
    model, pushes, gained = pushed(floor, (1.0, -2.0, 0.0))
    weight = model.system.mass.sum() * H * 9.81
    assert gained[0] < -0.01
    assert pushes.impulse[0] == pytest.approx([0.0, gained[1] + weight, 0.0], abs=1e-9)
