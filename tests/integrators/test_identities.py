"""Methods that are the same under two names, and common properties of symmetric methods."""

from typing import Any

import numpy as np
import pytest

from builders import Setup, accepted, four_nodes, run, spring_sheet, twisted_bar
from methods import METHODS
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.newmark import GeneralizedAlpha, Newmark
from supple.progress import begin
from supple.solvers.tools import StepTools

MIDPOINT, TRAPEZOID, TR_BDF2 = METHODS["midpoint"](), METHODS["trapezoid"](), METHODS["tr-bdf2"]()
PAIRS = {
    "generalized-alpha(1) = midpoint": (GeneralizedAlpha(rho=1.0), MIDPOINT),
    "newmark(1/4, 1/2) = trapezoid": (Newmark(beta=0.25, gamma=0.5), TRAPEZOID),
    "avf gauss-1 = midpoint": (AVF(rule="gauss-1"), MIDPOINT),
    "avf lobatto-2 = trapezoid": (AVF(rule="lobatto-2"), TRAPEZOID),
    "avf simpson = gauss-2 on quartic energies": (AVF(rule="simpson"), AVF(rule="gauss-2")),
    "avf auto = gauss-2 on quartic energies": (AVF(), AVF(rule="gauss-2")),
    "avf lobatto-5 = gauss-3 on quartic energies": (AVF(rule="lobatto-5"), AVF(rule="gauss-3")),
    "bathe = tr-bdf2": (METHODS["bathe"](), TR_BDF2),
}
SETUPS: dict[str, Any] = {"springs": four_nodes, "damped springs": lambda: four_nodes(0.3), "sheet": spring_sheet}


def largest_difference(setup: Setup, a: Any, b: Any, h: float, steps: int) -> float:
    """Positions and velocities relative to their sizes."""
    one, two = (run(setup, method, h, steps, tolerance=1e-14)[-1].state for method in (a, b))
    return max(float(np.abs(p - q).max() / max(np.abs(p).max(), 1.0)) for p, q in ((one.x, two.x), (one.v, two.v)))


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("pair", PAIRS)
def test_identity(pair: str, setup: str) -> None:
    assert largest_difference(SETUPS[setup](), *PAIRS[pair], h=1 / 60, steps=8) <= 1e-12


@pytest.mark.parametrize("pair", [p for p in PAIRS if "avf" not in p or "quartic" in p])
def test_identity_on_a_solid(pair: str) -> None:
    assert largest_difference(twisted_bar(), *PAIRS[pair], h=1 / 120, steps=2) <= 1e-12


@pytest.mark.parametrize("name", sorted(name for name in METHODS if METHODS[name]().facts.symmetric))
def test_symmetric_methods_return_when_time_runs_backwards(name: str) -> None:
    system, start = accepted(METHODS[name](), four_nodes, lambda: four_nodes(hooke=True))
    h = 1 / 100
    there = run((system, start), METHODS[name](), h, 10, tolerance=1e-14)[-1].state
    back = run((system, State(0.0, there.x, -there.v)), METHODS[name](), h, 10, tolerance=1e-14)[-1].state
    assert np.abs(there.x - start.x).max() > 1e-2
    np.testing.assert_allclose(back.x, start.x, rtol=0, atol=1e-11)
    np.testing.assert_allclose(-back.v, start.v, rtol=0, atol=1e-10)


def test_backward_euler_does_not_return() -> None:
    system, start = four_nodes()
    there = run((system, start), METHODS["backward-euler"](), 1 / 100, 10)[-1].state
    back = run((system, State(0.0, there.x, -there.v)), METHODS["backward-euler"](), 1 / 100, 10)[-1].state
    assert np.abs(back.x - start.x).max() > 1e-3


@pytest.mark.parametrize("name", METHODS)
def test_a_step_leaves_its_arguments_alone(name: str) -> None:
    method = METHODS[name]()
    system, start = accepted(method, lambda: spring_sheet(3), lambda: spring_sheet(3, hooke=True))
    tools = StepTools(system)
    progress = begin(system, method, start, tools)
    state, memory, _ = method.step(system, progress.state, progress.memory, 0.01, tools)
    kept = [state.x.copy(), state.v.copy(), {k: v.copy() for k, v in memory.items()}]
    first = method.step(system, state, memory, 0.01, tools)
    assert np.array_equal(state.x, kept[0])
    assert np.array_equal(state.v, kept[1])
    assert all(np.array_equal(memory[k], v) for k, v in kept[2].items())
    second = method.step(system, state, memory, 0.01, tools)
    assert np.array_equal(first[0].x, second[0].x)
    assert np.array_equal(first[0].v, second[0].v)
    assert first[0].t == pytest.approx(0.02)


@pytest.mark.parametrize("name", METHODS)
def test_facts_are_stated(name: str) -> None:
    facts = METHODS[name]().facts
    assert facts.order in {0, 1, 2, 3, 4}
    assert all((facts.stability, facts.damping, facts.choose))


@pytest.mark.parametrize("rule", ["simson", "gauss", "gauss-0", "lobatto-1", "gauss-x", "gauss-65", "gauss-\u00b2"])
def test_unknown_rules_are_refused(rule: str) -> None:
    with pytest.raises(SuppleError, match=rf"avf.rule: found '{rule}'; known: auto, simpson, gauss-2"):
        AVF(rule=rule)


def test_rules_of_thousands_of_digits_are_refused() -> None:
    with pytest.raises(SuppleError, match=r"avf.rule: found 'gauss-9{100}.*'; known: auto, simpson, gauss-2"):
        AVF(rule="gauss-" + "9" * 5000)
