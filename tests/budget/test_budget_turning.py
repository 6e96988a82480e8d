"""A body that gets energy back at its turning point turns, instead of standing still with the right energy."""

import math

import numpy as np
import pytest

from builders import hold, run
from supple.budget.energy_budget import EnergyBudget
from supple.budget.quadratic import stride
from supple.constraints.motion import Motion
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.springs.springs import HookeSprings
from supple.integrators.implicit.backward_euler import BackwardEuler


@pytest.mark.parametrize("steps", [20, 60, pytest.param(200, marks=pytest.mark.study)])
def test_a_mass_on_a_spring_swings_on(steps: int) -> None:
    """Ten periods of backward Euler with so many steps each: both ends of the swing are reached, again and again."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    springs = HookeSprings(X, np.array([[0, 1]]), 1.0)
    system = build_system(X, np.ones(2), [springs], Motion((hold([0], X),)))
    start = State(0.0, 1.3 * X, np.zeros((2, 3)))
    frames = run((system, start), EnergyBudget(BackwardEuler()), 2 * math.pi / steps, 10 * steps)
    energy = np.array([[f.ledger.energies.kinetic, f.ledger.energies.total] for f in frames])
    np.testing.assert_allclose(energy[:, 1], energy[0, 1], rtol=1e-12)
    assert 0.4 < (energy[:, 0] / energy[:, 1]).mean() < 0.65
    length = np.array([f.state.x[1, 0] for f in frames])
    turns = np.flatnonzero(np.diff(np.sign(length - 1.0)) != 0)
    assert 14 <= len(turns) <= 22  # twice a period


def test_the_way_that_is_taken() -> None:
    """Q = 1: roots of s^2/2 + P s + R. Shorter, unless both are nearly alike and the force turns the motion soon."""
    assert stride(0.5, 1.0, -0.1) == pytest.approx(0.5 * (math.sqrt(1.8) - 1.0))
    assert stride(-0.5, 1.0, -0.1, soon=10.0) == pytest.approx(-0.5 * (math.sqrt(1.8) - 1.0))
    assert stride(-0.1, 1.0, -0.5, soon=10.0) == pytest.approx(0.1 + math.sqrt(1.01))
    assert stride(-0.1, 1.0, -0.5, soon=1.0) == pytest.approx(0.1 - math.sqrt(1.01))
