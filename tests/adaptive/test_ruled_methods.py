"""Reversible and symplectic step control keep the energy where naive control drifts."""

from functools import cache
from typing import Any, Literal

import numpy as np
import pytest
from swinging import RULES, base_step, drift, one, pendulum, steps_of, three_masses

from builders import four_nodes
from supple.adaptive.middle import MiddleEquation
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.place import Place, multiplied
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule, PhaseRule, SwitchingRule
from supple.adaptive.symplectic import LEVEL, AdaptiveExplicit, AdaptiveSymplectic
from supple.dynamics.invariants import energies
from supple.dynamics.state import State
from supple.energies.springs.anchor import Anchors
from supple.errors import SuppleError
from supple.integrators.explicit.symplectic import SymplecticEuler, Verlet
from supple.integrators.implicit.midpoint import Midpoint
from supple.progress import begin
from supple.solvers.tools import StepTools

SOFT = ElasticRule(np.sqrt(20 / 3))
"""1/(1 + W/10) for the three masses."""
ONE = [pytest.param(name, marks=() if name == "poses" else pytest.mark.study) for name in RULES]


@cache
def naive_drift(name: str, at: Literal["start", "end"]) -> float:
    return drift(pendulum(), AdaptiveNaive(RULES[name], at=at), base_step(RULES[name]), 250)


@pytest.mark.parametrize("name", ONE)
def test_the_pendulum_keeps_its_energy_with_reversible_steps(name: str) -> None:
    h = base_step(RULES[name])
    assert abs(drift(pendulum(), AdaptiveReversible(RULES[name]), h, 400)) <= 5e-4
    assert abs(naive_drift(name, "start")) >= 5e-3


def test_the_pendulum_keeps_its_energy_with_symplectic_steps() -> None:
    assert abs(drift(pendulum(), AdaptiveSymplectic(RULES["poses"]), base_step(RULES["poses"]), 600)) <= 5e-4


@pytest.mark.study
@pytest.mark.parametrize("method", [AdaptiveReversible, AdaptiveSymplectic, AdaptiveNaive])
@pytest.mark.parametrize("name", RULES)
def test_the_pendulum_for_6000_steps(name: str, method: Any) -> None:
    """Slopes over the whole run: with the acceleration rule symplectic control swings by 1e-3 with a period of 1100 steps."""
    found = abs(drift(pendulum(), method(RULES[name]), base_step(RULES[name]), 6000))
    assert found >= 5e-3 if method is AdaptiveNaive else found <= 5e-4


def test_explicit_symplectic_steps_are_off_by_the_square_of_the_step() -> None:
    rule = RULES["poses"]
    h = base_step(rule)
    off = []
    for parts in (2, 4):
        E = [f.ledger.energies.total for f in steps_of(pendulum(), AdaptiveExplicit(rule), h / parts, 900 * parts)]
        off.append(1.0 - np.mean(E) / E[0])
    assert off[0] / off[1] == pytest.approx(4.0, abs=0.5)
    naive = steps_of(pendulum(), AdaptiveNaive(rule, of=SymplecticEuler()), h, 400)
    assert naive[-1].ledger.energies.total < 0.8 * naive[0].ledger.energies.total


def test_explicit_steps_off_their_level_are_symplectic() -> None:
    """The map of positions and velocities for a given level of the energy. From the second step on, energies differ from it."""
    system, start = three_masses()
    method, tools = AdaptiveExplicit(SOFT), StepTools(system)
    memory = begin(system, method, start, tools).memory
    level = energies(system, start).total - 5.0

    def step(u: np.ndarray) -> np.ndarray:
        x, v = u.reshape(2, -1, 3)
        new, _, _ = method.advance(system, State(0.0, x, v), {**memory, LEVEL: np.array(level)}, 0.1, tools)
        return np.concatenate([new.x.ravel(), new.v.ravel()])

    u = np.concatenate([start.x.ravel(), start.v.ravel()])
    n, d = len(u) // 2, 1e-5
    J = np.stack([(step(u + d * e) - step(u - d * e)) / (2 * d) for e in np.eye(2 * n)], axis=1)
    form = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    assert np.abs(J.T @ form @ J - form).max() < 1e-6
    assert np.abs(J - np.eye(2 * n)).max() > 0.1


def test_skeel_switching_grows_as_it_should() -> None:
    spring = one(Anchors(np.zeros((1, 3)), 1.0), 1.0)
    frames = steps_of(spring, AdaptiveNaive(SwitchingRule(), of=Verlet()), 0.7, 1000)
    grown = [frames[k].ledger.energies.total / 0.5 for k in (200, 500, 1000)]
    assert grown == pytest.approx([10.958, 485.73, 2.2188e5], rel=1e-4)


@pytest.mark.parametrize("method", [AdaptiveReversible, AdaptiveSymplectic])
def test_momenta_are_kept(method: Any) -> None:
    system, start = three_masses()
    frames = steps_of((system, start), method(SOFT), 0.02, 40)
    L = [np.cross(f.state.x, f.state.v).sum(axis=0)[2] for f in frames]
    P = [f.state.v.sum(axis=0) for f in frames]
    assert np.ptp(L) <= 1e-11
    assert np.ptp(P, axis=0).max() <= 1e-12
    assert np.ptp([f.h for f in frames[1:]]) > 0.005


def test_a_step_back_undoes_a_step() -> None:
    system, start = three_masses()
    method, tools = AdaptiveReversible(PhaseRule(1.0, 0.05), h_min=0.005, h_max=0.05), StepTools(system)
    progress = begin(system, method, start, tools)
    there, memory, report = method.advance(system, progress.state, progress.memory, 0.04, tools)
    back, _, undone = method.advance(system, there, memory, -0.04, tools)
    assert report.h == pytest.approx(-undone.h, rel=1e-12)
    assert report.h < 0.04
    np.testing.assert_allclose(back.x, start.x, rtol=0, atol=1e-13)
    np.testing.assert_allclose(back.v, start.v, rtol=0, atol=1e-12)
    naive = AdaptiveNaive(method.rule)
    memory = naive.start(system, start)
    there, memory, _ = naive.advance(system, start, memory, 0.04, tools)
    back, _, _ = naive.advance(system, there, memory, -0.04, tools)
    assert np.abs(back.x - start.x).max() > 1e-5


@pytest.mark.parametrize("symplectic", [False, True])
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_the_jacobian_is_the_derivative_of_the_residual(damping: float, symplectic: bool) -> None:
    """Without its omitted part: for a given rule, lam times the rule's second derivatives."""
    system, start = four_nodes(damping)
    E = energies(system, start).total
    level = E if symplectic else None
    pace = AdaptiveReversible(PhaseRule(2.0, 0.1)).pace(0.05)
    equation = MiddleEquation(system, start, pace, E, level)
    x = equation.start + 0.01 * np.random.default_rng(0).standard_normal(start.x.shape)
    if level is not None:  # lam = 0 at x
        equation = MiddleEquation(system, start, pace, E, equation.taken(x)[2] - equation.work(x) / 2)
    d = np.random.default_rng(1).standard_normal(x.shape)
    J = equation.jacobian(x)
    product = J.diagonal[:, None] * d + multiplied(system, J.symmetric, d)
    product += sum(a * float((b * d).sum()) for a, b in J.products)
    ahead, behind = (equation.residual(x + s * 1e-6 * d).vector for s in (1, -1))
    np.testing.assert_allclose(product, (ahead - behind) / 2e-6, rtol=0, atol=1e-7 * np.abs(product).max())


def test_a_constant_rule_is_the_plain_method() -> None:
    system, start = four_nodes()
    for method, plain in ((AdaptiveReversible(), Midpoint()), (AdaptiveExplicit(), SymplecticEuler())):
        ours, theirs = (steps_of((system, start), m, 0.01, 3)[-1].state for m in (method, plain))
        assert np.array_equal(ours.x, theirs.x)
        assert np.array_equal(ours.v, theirs.v)


@pytest.mark.parametrize("name", ONE)
def test_naive_steps_from_the_new_position_drift_the_other_way(name: str) -> None:
    start, end = naive_drift(name, "start"), naive_drift(name, "end")
    assert abs(end) >= 5e-3
    assert start * end < 0.0


def test_a_step_from_the_new_position_has_the_length_that_its_end_asks_for() -> None:
    rule = RULES["poses"]
    frames = steps_of(pendulum(), AdaptiveNaive(rule, at="end"), base_step(rule), 50)
    system, energy = pendulum()[0], frames[0].ledger.energies.total
    asked = [base_step(rule) * rule.value(Place(system, f.state.x, energy)) for f in frames[1:]]
    assert [f.h for f in frames[1:]] == pytest.approx(asked, rel=1e-9)
    assert np.ptp(asked) > 0.01


def test_the_end_of_a_step_takes_no_rule_that_jumps() -> None:
    with pytest.raises(SuppleError, match=r'adaptive-naive.at: "end" needs a continuous rule, found .*switching'):
        AdaptiveNaive(SwitchingRule(), of=Verlet(), at="end")
