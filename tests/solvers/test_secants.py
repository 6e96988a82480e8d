"""Secant steps: a matrix is learnt from its products, and factors are renewed when that pays."""

import math

import numpy as np

from builders import stretched_bar
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.solvers.options import SolverOptions
from supple.solvers.secants import Age, Secants
from supple.solvers.tools import StepTools


def test_changes_that_span_all_unknowns_give_the_root_of_a_linear_equation() -> None:
    rng = np.random.default_rng(3)
    n = 8
    whole = rng.standard_normal((n, n)) + 6.0 * np.eye(n)
    guess = np.diag(np.diag(whole))
    wanted, x = rng.standard_normal(n), np.zeros(n)
    secants = Secants()
    r = whole @ (x - wanted)
    for _ in range(n + 1):
        p = secants.direction(r, np.linalg.solve(guess, r))
        change = whole @ p
        secants.learn(p, change, np.linalg.solve(guess, change))
        x, r = x + p, r + change
    np.testing.assert_allclose(x, wanted, rtol=0, atol=1e-10)


def test_without_changes_the_direction_is_that_of_the_factors() -> None:
    r, solved = np.arange(3.0), np.array([2.0, -1.0, 0.5])
    assert np.array_equal(Secants().direction(r, solved), -solved)


def test_what_is_known_already_is_not_learnt_twice() -> None:
    secants, r = Secants(), np.array([1.0, 2.0, 3.0])
    move, change = np.array([1.0, 0.5, 0.0]), np.array([2.0, 1.0, 0.25])
    secants.learn(move, change, 0.5 * change)
    once = secants.direction(r, 0.5 * r)
    secants.learn(3.0 * move, 3.0 * change, 1.5 * change)
    np.testing.assert_allclose(secants.direction(r, 0.5 * r), once, rtol=0, atol=1e-14)


def test_factors_are_renewed_once_the_wasted_iterations_cost_as_much() -> None:
    age = Age()
    age.learn(6, 12.0)
    assert not age.is_due(1.0)
    age.learn(9, 12.0)
    age.learn(10, 12.0)
    assert age.is_due(6.9)
    assert not age.is_due(7.0)
    other = Age()
    other.restore(age.memory())
    assert other.is_due(6.9)
    age.renew()
    assert not age.is_due(0.0)
    assert math.isinf(age.memory()[0])


def test_failures_are_followed_by_searches_without_secant_steps() -> None:
    age = Age()
    assert not age.waits()
    age.fail()
    assert [age.waits() for _ in range(2)] == [True, False]
    for _ in range(5):
        age.fail()
    assert sum(age.waits() for _ in range(20)) == 7


def test_steps_of_a_calm_body_need_few_factors() -> None:
    system, start = stretched_bar(StVK.from_young(2000.0, 0.3), cells=(10, 4, 4), stretch=(1.01, 1.0, 1.0))
    tools = StepTools(system, SolverOptions())
    frames = list(simulate(system, SimoTarnow(), start, 1 / 240, 6, tools))
    tools.close()
    steps = frames[1:]
    assert sum(f.solve.factorisations for f in steps) <= 2
    assert all(0 < f.solve.cg_iterations == f.solve.iterations for f in steps)
    total = frames[0].ledger.energies.total
    assert max(abs(f.ledger.residual) for f in steps) <= 1e-14 * total
