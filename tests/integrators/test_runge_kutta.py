"""Tableaus of implicit Runge-Kutta methods, and properties of their methods: stability, symmetry, invariants, damping."""

import math

import numpy as np
import pytest

from builders import at_rest, four_nodes, hold, run, stretched_bar, twisted_bar
from supple.constraints.motion import Motion
from supple.constraints.scripts import Rotate
from supple.damping.rayleigh import StiffnessDamping
from supple.dynamics.coupled import CoupledStages
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.integrators.implicit.dirk import Dirk
from supple.integrators.implicit.gauss import A, Gauss4
from supple.integrators.implicit.sdirk import SDIRK3, SDIRK4
from supple.integrators.implicit.tableau import Ratio, Tableau
from supple.integrators.implicit.tr_bdf2 import SDIRK2, TRBDF2
from supple.solvers.tools import StepTools

DIRK = [TRBDF2(), SDIRK2(), SDIRK3(), SDIRK4()]


@pytest.mark.parametrize("method", DIRK, ids=lambda m: m.name)
def test_l_stable(method: Dirk) -> None:
    R = method.tableau.amplification
    assert max(abs(R(1j * y)) for y in np.logspace(-3, 6, 400)) <= 1 + 1e-14
    assert abs(R(-1e9)) < 1e-8
    assert R(0.01) == pytest.approx(math.exp(0.01), abs=0.01 ** (method.facts.order + 1))


@pytest.mark.parametrize("method", DIRK, ids=lambda m: m.name)
def test_stages_by_values_are_those_of_the_tableau(method: Dirk) -> None:
    """On y' = z y both forms give the same stages."""
    a, z = method.tableau.matrix, -0.7 + 0.4j
    Y = np.linalg.solve(np.eye(len(a)) - z * a, np.ones(len(a)))[len(a) - len(method.tableau.stages) :]
    for i, row in enumerate(method.tableau.stages):
        assert row.c == pytest.approx(a[i + len(a) - len(Y)].sum(), abs=1e-14)
        known = 1 + sum(d * (Y[j] - 1) for j, d in enumerate(row.d)) + row.e * z
        assert known / (1 - row.k.value * z) == pytest.approx(Y[i], abs=1e-13)


@pytest.mark.parametrize(
    ("order", "a", "message"),
    [
        (2, ((0.5,), (0.5,)), "i entries in row i"),
        (1, ((1.0,), (1.0, 0.0)), "positive entry on the diagonal"),
        (2, ((1.0,),), "not of order 2: a condition is missed by 5.0e-01"),
        (5, ((1.0,),), "implemented up to 4, found 5"),
    ],
)
def test_a_tableau_checks_itself(order: int, a: tuple[tuple[float, ...], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tableau(order, a)
    assert Tableau(1, ((1.0,),)).stages[0].k == Ratio(1.0)


@pytest.mark.parametrize("method", [Gauss4()], ids=lambda m: m.name)
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_a_step_back_undoes_a_step(method: Gauss4, damping: float) -> None:
    system, start = four_nodes(damping)
    tools = StepTools(system)
    there, _, _ = method.step(system, start, {}, 0.02, tools)
    back, _, _ = method.step(system, there, {}, -0.02, tools)
    assert np.abs(there.x - start.x).max() > 1e-3
    np.testing.assert_allclose(back.x, start.x, rtol=0, atol=1e-13)
    np.testing.assert_allclose(back.v, start.v, rtol=0, atol=1e-11)


def test_the_jacobian_of_coupled_stages_is_the_derivative() -> None:
    """With damping and vertices that follow a script."""
    system, start = four_nodes(0.3)
    motion = Motion((hold([0], start.x, Rotate((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 2.0)),))
    terms, dampers = system.potential.terms, system.dissipation.terms
    system = build_system(start.x, system.mass, terms, motion, dampers)
    stages = CoupledStages(system, State(0.0, start.x, start.v), 0.1, A)
    rng = np.random.default_rng(0)
    x, p = stages.place(stages.start + 0.01 * rng.standard_normal((2, 4, 3))), rng.standard_normal((2, 4, 3))
    p[:, 0] = 0.0
    eps = 1e-6
    wanted = (stages.residual(x + eps * p).vector - stages.residual(x - eps * p).vector) / (2 * eps)
    found = system.mass[:, None] * p
    for weights, values in stages.jacobian(x).parts:
        upper = np.zeros((9, 9))
        for row in range(9):
            span = slice(system.pattern.indptr[row], system.pattern.indptr[row + 1])
            upper[row, system.pattern.indices[span]] = values[span]
        whole = upper + np.triu(upper, 1).T
        along = np.stack([(whole @ each[1:].ravel()).reshape(3, 3) for each in p])
        found[:, 1:] += np.tensordot(weights, along, axes=1)
    assert np.abs(wanted).max() > 0.1
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8)


def test_gauss_is_more_accurate_than_two_orders_less() -> None:
    fine = run(twisted_bar(), Gauss4(), 1 / 1920, 128)[-1].state
    gauss, tr_bdf2 = (run(twisted_bar(), method, 1 / 480, 32)[-1].state for method in (Gauss4(), TRBDF2()))
    assert np.abs(gauss.x - fine.x).max() < 0.02 * np.abs(tr_bdf2.x - fine.x).max()


@pytest.mark.parametrize("method", [SDIRK3(), SDIRK4(), Gauss4()], ids=lambda m: m.name)
def test_damping_that_depends_on_the_configuration_limits_the_order_to_two(method: Dirk) -> None:
    """Rayleigh's K(x) is frozen in the middle of the step."""
    bare, start = stretched_bar(cells=(1, 1, 1), stretch=(1.1, 1.0, 1.0))
    damping = StiffnessDamping(bare.potential.terms[0], 0.02)
    system = build_system(start.x, bare.mass, bare.potential.terms, dissipation=[damping])
    ends = [run((system, start), method, 0.1 / n, n, tolerance=1e-13)[-1].state.x for n in (20, 40, 80)]
    assert math.log2(np.abs(ends[0] - ends[1]).max() / np.abs(ends[1] - ends[2]).max()) == pytest.approx(2.0, abs=0.2)


def test_a_body_at_rest_stays_at_rest() -> None:
    system, start = stretched_bar(cells=(1, 1, 1), stretch=(1.0, 1.0, 1.0), spin=(0.0, 0.0, 0.0))
    for method in (SDIRK3(), SDIRK4(), Gauss4()):
        end = run((system, at_rest(start.x)), method, 0.1, 3)[-1].state
        assert np.abs(end.x - start.x).max() < 1e-14
