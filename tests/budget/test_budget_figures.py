"""The figures of the spinning bar over 300 steps, with the budget and without, and limits of the correction."""

import numpy as np
import pytest
from spinning import measured, spinning_bar

from builders import run
from supple.budget.energy_budget import EnergyBudget
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS

METHODS = INTEGRATORS.load()
EXACT = 1e-12

# name, step, changes of energy and angular momentum by the bare method in 300 steps
FIGURES = [
    ("backward-euler", 0.01, 0.2008, 0.0960),
    pytest.param("backward-euler", 0.03, 0.7116, 0.430, marks=pytest.mark.study),
    pytest.param("symplectic-euler", 0.004, 6.08e-4, 0.0, marks=pytest.mark.study),
    ("symplectic-euler", 0.01, 1.757e-3, 0.0),
    ("forward-euler", 0.004, 0.1678, 0.01752),
    pytest.param("bdf2", 0.01, 1.967e-3, 1.506e-4, marks=pytest.mark.study),
    ("bdf2", 0.03, 0.02082, 1.341e-3),
    pytest.param("siere", 0.01, 0.04453, 0.01204, marks=pytest.mark.study),
    ("siere", 0.03, 0.2886, 0.1349),
]


@pytest.mark.parametrize(("name", "h", "energy", "angular"), FIGURES)
def test_three_hundred_steps(name: str, h: float, energy: float, angular: float) -> None:
    bare = measured(spinning_bar(), METHODS[name](), h, 300)
    assert bare.energy == pytest.approx(energy, rel=0.02)
    assert bare.angular == pytest.approx(angular, rel=0.02, abs=1e-12)
    kept = measured(spinning_bar(), EnergyBudget(METHODS[name]()), h, 100)
    assert max(kept.energy, kept.linear, kept.angular) <= EXACT
    assert kept.notes == []


def test_forward_euler_far_beyond_its_step_is_not_rescued_and_says_so() -> None:
    with pytest.raises(SuppleError, match="unstable"):
        run(spinning_bar(), METHODS["forward-euler"](), 0.02, 300)
    kept = measured(spinning_bar(), EnergyBudget(METHODS["forward-euler"]()), 0.02, 300)
    assert kept.energy > 0.1
    assert max(kept.linear, kept.angular) <= EXACT
    assert "are in excess and cannot be removed" in kept.notes[0]
    assert "take a smaller time.step" in kept.notes[0]
    assert 3 <= len(kept.notes) <= 20  # when it doubles, not in every step


def test_forward_euler_at_a_hundredth_of_a_second_is_never_silently_wrong() -> None:
    """Blows up after 117 steps by itself; with the budget it drifts sooner or later, and every large residual was reported."""
    frames = run(spinning_bar(), EnergyBudget(METHODS["forward-euler"]()), 0.01, 1500)
    share = np.array([abs(f.ledger.residual) / f.ledger.energies.scale for f in frames])
    assert share[:300].max() <= EXACT
    assert share.max() < 0.5
    told = np.array([bool(f.note) for f in frames])
    assert told[np.flatnonzero(share > 1.01e-3)[:1]].all()
    assert told.any() == bool((share > 1e-3).any())


def test_a_start_without_deformation_velocity_owes_for_two_steps() -> None:
    """Forward Euler's first step gains the energy of the deformation; removing all of it would stop the body."""
    system, start = spinning_bar()
    rigid = State(0.0, start.x, np.cross([0.3, 1.0, 2.0], start.x))
    frames = measured((system, rigid), EnergyBudget(METHODS["forward-euler"]()), 0.004, 100).frames
    gap = np.abs([f.ledger.residual for f in frames]) / frames[0].ledger.energies.scale
    assert 1e-6 < gap[1] < 1e-4
    assert gap[4:].max() <= EXACT
