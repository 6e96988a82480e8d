"""Energy and momenta of free bodies, around every integrator."""

from typing import Any

import numpy as np
import pytest
from spinning import Kept, measured, spinning_bar, spinning_springs

from builders import four_nodes, run
from methods import METHODS
from supple.budget.energy_budget import EnergyBudget
from supple.energies.gravity import Gravity
from supple.errors import SuppleError

TIMED = sorted(name for name in METHODS if METHODS[name]().facts.order > 0)
EXACT = 1e-12


def is_exact(kept: Kept) -> bool:
    return max(kept.energy, kept.linear, kept.angular) <= EXACT


@pytest.mark.parametrize("name", TIMED)
def test_every_integrator_keeps_a_spinning_bar(name: str) -> None:
    method = METHODS[name]()
    h = 0.02 if method.facts.solves else 0.004
    try:
        kept = measured(spinning_bar(drift=(0.2, 0.0, 0.1)), EnergyBudget(method), h, 15)
    except SuppleError as problem:
        if "spring" not in str(problem):
            raise
        kept = measured(spinning_springs(), EnergyBudget(method), h, 15)
    assert is_exact(kept), kept
    assert kept.notes == []


@pytest.mark.parametrize("name", ["backward-euler", "symplectic-euler"])
def test_along_the_motion(name: str) -> None:
    method = METHODS[name]()
    h = 0.02 if method.facts.solves else 0.004
    kept = measured(spinning_bar(drift=(0.2, 0.0, 0.1)), EnergyBudget(method, along="motion"), h, 50)
    assert is_exact(kept), kept
    forces = measured(spinning_bar(drift=(0.2, 0.0, 0.1)), EnergyBudget(method), h, 50)
    assert np.abs(kept.frames[-1].state.v - forces.frames[-1].state.v).max() > 1e-3


def test_the_bare_methods_do_not() -> None:
    """The property above would otherwise show nothing."""
    bare = measured(spinning_bar(), METHODS["backward-euler"](), 0.02, 50)
    assert bare.energy > 0.05
    assert bare.angular > 0.01


@pytest.mark.parametrize("inner", [METHODS["verlet"](), METHODS["midpoint"]()], ids=lambda m: m.name)
def test_around_a_wrapper(inner: Any) -> None:
    method = EnergyBudget(METHODS["yoshida"](inner))
    kept = measured(spinning_bar(), method, 0.004, 25)
    assert is_exact(kept), kept
    assert set(method.start(*spinning_bar())) >= {"owed", "told"}


def test_springs() -> None:
    bare = measured(spinning_springs(), METHODS["forward-euler"](), 0.004, 300)
    kept = measured(spinning_springs(), EnergyBudget(METHODS["forward-euler"]()), 0.004, 300)
    assert bare.energy > 0.01
    assert is_exact(kept), kept


@pytest.mark.parametrize("name", ["backward-euler", "bdf2", "avf"])
def test_a_falling_body_falls_and_spins_as_it_should(name: str) -> None:
    """The exact parabola, constant angular momentum about the centre of mass, constant energy."""
    g = np.array([0.0, -9.8, 0.0])
    system, start = spinning_bar(extra=[lambda mass: Gravity(mass, g)])
    frames = run((system, start), EnergyBudget(METHODS[name]()), 0.01, 40)
    mass = system.mass[:, None]
    rest = (mass * start.x).sum(axis=0) / mass.sum()
    for frame in frames:
        x, v = frame.state.x, frame.state.v
        V = (mass * v).sum(axis=0) / mass.sum()
        centre = (mass * x).sum(axis=0) / mass.sum()
        np.testing.assert_allclose(V, g * frame.state.t, rtol=0, atol=1e-12)
        np.testing.assert_allclose(centre, rest + g * frame.state.t**2 / 2, rtol=0, atol=1e-12)
        spin = np.cross(x - centre, mass * v).sum(axis=0)
        if frame.step == 0:
            first = spin
        assert np.abs(spin - first).max() <= EXACT * np.abs(first).max()
    assert max(abs(f.ledger.residual) for f in frames) <= EXACT * max(f.ledger.energies.scale for f in frames)


@pytest.mark.parametrize(("name", "order"), [("bdf2", 2), ("verlet", 2), ("rk4", 4)])
def test_the_order_of_the_method_stays(name: str, order: int) -> None:
    """Over a factor of 8 in the step: single halvings scatter, as steps fall beside turning points or upon them. Methods of
    order 1 lose theirs, since there velocities change by the root of the error in energy."""
    gaps = []
    reference = run(four_nodes(), METHODS["rk4"](), 0.25 / 400, 400)[-1].state
    for steps in (25, 200):
        end = run(four_nodes(), EnergyBudget(METHODS[name]()), 0.25 / steps, steps, tolerance=1e-13)[-1].state
        gaps.append(max(np.abs(end.x - reference.x).max(), np.abs(end.v - reference.v).max()))
    assert np.log2(gaps[0] / gaps[1]) / 3 > order - 0.25
