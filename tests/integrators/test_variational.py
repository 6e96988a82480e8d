"""Variational integrators: the same as methods known by other names, orders, the Lilyan, and momenta with damping."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

from builders import Setup, four_nodes, run, spring_sheet, stretched_bar, twisted_bar
from supple.dynamics.invariants import momenta
from supple.dynamics.stage import StageObjective
from supple.dynamics.state import State
from supple.integrators import INTEGRATORS
from supple.integrators.variational.rule import ActionRule, discrete_energy
from supple.integrators.variational.steps import Variational
from supple.loop import Frame
from supple.materials.linear import Linear
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

METHODS = INTEGRATORS.load()
TRAPEZOIDAL = Variational(rule="trapezoidal")
SETUPS: dict[str, Any] = {"springs": four_nodes, "held sheet": spring_sheet, "solid": twisted_bar}


def difference(a: State, b: State) -> float:
    """Positions and velocities relative to their sizes."""
    return max(float(np.abs(p - q).max() / max(np.abs(p).max(), 1.0)) for p, q in ((a.x, b.x), (a.v, b.v)))


def last(setup: Setup, method: Any, h: float, steps: int) -> State:
    return run(setup, method, h, steps, tolerance=1e-14)[-1].state


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize(
    ("method", "name"),
    [(Variational(), "midpoint"), (TRAPEZOIDAL, "verlet"), (Variational(alpha=0), "symplectic-euler")],
)
def test_known_methods_by_another_name(method: Variational, name: str, setup: str) -> None:
    h = 1 / 120 if name == "midpoint" else 1 / 500
    assert difference(last(SETUPS[setup](), method, h, 6), last(SETUPS[setup](), METHODS[name](), h, 6)) <= 1e-12


def test_damped_one_point_at_one_half_is_the_midpoint_rule() -> None:
    one, two = (last(four_nodes(0.3), method, 1 / 60, 8) for method in (Variational(), METHODS["midpoint"]()))
    assert difference(one, two) <= 1e-12


def test_the_other_symplectic_euler() -> None:
    """x1 = x0 + h v0, v1 = v0 + h a(x1)."""
    system, start = four_nodes()
    h, x, v = 1 / 500, start.x, start.v
    for k in range(8):
        x = x + h * v
        v = v + h * system.acceleration(State(k * h, x, v))
    assert difference(last((system, start), Variational(alpha=1), h, 8), State(8 * h, x, v)) <= 1e-12


@pytest.mark.parametrize(("rule", "alpha"), [("symmetric", 0.0), ("symmetric", 1.0)])
def test_symmetric_rule_with_nodes_at_the_ends_is_trapezoidal(rule: Any, alpha: float) -> None:
    setup = four_nodes(0.3)
    one, two = (last(setup, m, 1 / 200, 8) for m in (Variational(alpha=alpha, rule=rule), TRAPEZOIDAL))
    assert difference(one, two) <= 1e-13


@pytest.mark.parametrize("reinject", [False, True])
@pytest.mark.parametrize("rule", ["one-point", "symmetric"])
@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.75])
def test_minimiser_of_the_lilyan_is_the_root_of_the_equation(alpha: float, rule: Any, reinject: bool) -> None:
    """The equations of the rule, written out and solved by a method without stages."""
    system, start = stretched_bar(cells=(2, 1, 1), stretch=(1.2, 0.9, 0.9))
    h, m = 0.02, system.mass[:, None]
    nodes = [(1.0, alpha)] if rule == "one-point" else [(0.5, alpha), (0.5, 1 - alpha)]

    def kick(v: Array, end: bool) -> Array:
        """h sum_i w_i (1 - a_i) grad W(q_i), or with a_i for the end."""
        q = [system.potential.gradient(start.x + a * h * v) for _, a in nodes]
        return h * sum(w * (a if end else 1 - a) * g for (w, a), g in zip(nodes, q, strict=True))

    def missed(flat: Array) -> Array:
        v = flat.reshape(-1, 3)
        return (m * v + kick(v, False) - m * start.v).ravel()

    v = root(missed, start.v.ravel(), tol=1e-13).x.reshape(-1, 3)
    assert np.abs(missed(v.ravel())).max() <= 1e-12
    wanted = State(h, start.x + h * v, v - kick(v, True) / m)
    found = last((system, start), Variational(alpha=alpha, rule=rule, reinject=reinject), h, 1)
    assert np.abs(wanted.x - start.x).max() > 1e-2
    assert difference(found, wanted) <= 1e-9


@cache
def fine(damping: float) -> State:
    """An end that is right to 1e-10."""
    return run(four_nodes(damping), METHODS["rk4"](), 0.5 / 250, 250)[-1].state


@pytest.mark.parametrize("damping", [0.0, 0.3])
@pytest.mark.parametrize(
    "method",
    [
        Variational(alpha=0),
        Variational(alpha=0.25),
        Variational(alpha=0.8),
        Variational(alpha=1),
        Variational(alpha=0.2, rule="symmetric"),
        TRAPEZOIDAL,
        Variational(reinject=True, tolerance=1e-8, solver="modified"),
    ],
    ids=lambda m: f"{m.rule} {m.alpha} {m.solver}",
)
def test_orders(method: Variational, damping: float) -> None:
    gold = fine(damping)
    order = 2 if method.rule != "one-point" or method.alpha == 0.5 else 1
    coarse, found = 20 if order == 2 else 40, []
    for steps in (coarse, 2 * coarse):
        end = run(four_nodes(damping), method, 0.5 / steps, steps, tolerance=1e-12)[-1].state
        found.append([np.abs(end.x - gold.x).max(), np.abs(end.v - gold.v).max()])
    assert method.facts.order == order
    np.testing.assert_allclose(np.log2(np.divide(*found)), order, rtol=0, atol=0.15)


@pytest.mark.parametrize("method", [Variational(), Variational(alpha=0.3), TRAPEZOIDAL], ids=["1/2", "0.3", "ends"])
def test_the_ledger_knows_the_work_of_damping(method: Variational) -> None:
    """The remainder is the method's error, of its order; the work itself is not small."""
    residuals = []
    for steps in (50, 100):
        end = run(four_nodes(0.3), method, 0.5 / steps, steps, tolerance=1e-12)[-1].ledger
        assert end.dissipated > 0.1
        residuals.append(abs(end.residual) / end.dissipated)
    assert method.facts.order == 1 or residuals[1] <= 2e-4
    assert np.log2(residuals[0] / residuals[1]) == pytest.approx(method.facts.order, abs=0.15)


@pytest.mark.parametrize(
    "method",
    [Variational(alpha=0.3), Variational(alpha=0.2, rule="symmetric"), TRAPEZOIDAL, Variational(alpha=1.0)],
    ids=lambda m: f"{m.rule} {m.alpha}",
)
def test_momenta_are_kept_at_any_alpha(method: Variational) -> None:
    system, start = stretched_bar(cells=(3, 1, 1), stretch=(1.05, 1.0, 1.0), spin=(0.5, 1.0, 3.0))
    start = State(0.0, start.x, start.v + np.array([0.7, -0.2, 0.4]))
    frames = run((system, start), method, 1 / 500, 50, tolerance=1e-13)
    first, end = (momenta(system, f.state) for f in (frames[0], frames[-1]))
    assert np.abs(frames[-1].state.x - start.x).max() > 0.05
    for a, b, allowed in zip(first, end, (1e-12, 1e-11), strict=True):
        assert np.abs(a - b).max() <= allowed * np.abs(a).max()


def spread(frames: list[Frame], energy: Callable[[State, State], float]) -> float:
    """Range of the discrete energies of a run, relative to the first."""
    found = [energy(a.state, b.state) for a, b in pairwise(frames)]
    return float(np.ptp(found) / found[0])


@pytest.mark.parametrize(
    "method",
    [Variational(), TRAPEZOIDAL, Variational(alpha=0.25, rule="symmetric")],
    ids=lambda m: f"{m.rule} {m.alpha}",
)
def test_discrete_energy_is_that_of_the_step_and_hardly_changes(method: Variational) -> None:
    """-dL^d/dh by differences, and its range along a run, which is of order 2."""
    setup = stretched_bar(cells=(2, 1, 1), stretch=(1.1, 0.95, 0.95))
    system, h, rule = setup[0], 1 / 400, method.quadrature
    frames, finer = (run(setup, method, h / k, 40 * k, tolerance=1e-13) for k in (1, 2))
    wide = spread(frames, lambda a, b: discrete_energy(system, rule, a.x, b.x, h))
    narrow = spread(finer, lambda a, b: discrete_energy(system, rule, a.x, b.x, h / 2))
    assert wide <= 2e-2
    assert wide / narrow == pytest.approx(4.0, abs=0.5)
    x0, x1, e = frames[0].state.x, frames[1].state.x, 1e-6

    def action(k: float) -> float:
        u = (x1 - x0) / k
        stored = sum(
            w * system.potential.by_group((1 - a) * x0 + a * x1)["elastic"]
            for w, a in zip(rule.weights, rule.nodes, strict=True)
        )
        return k * (0.5 * float(np.sum(system.mass[:, None] * u * u)) - stored)

    slope = (action(h + e * h) - action(h - e * h)) / (2 * e * h)
    assert -slope == pytest.approx(discrete_energy(system, rule, x0, x1, h), rel=1e-8)


def test_the_midpoint_rule_keeps_the_energy_of_linear_bodies() -> None:
    system, start = stretched_bar(Linear(500.0, 10.0), cells=(2, 1, 1), stretch=(1.1, 1.0, 1.0))
    frames = run((system, start), Variational(), 1 / 60, 60, tolerance=1e-13)
    H = np.array([f.ledger.energies.total for f in frames])
    assert np.abs(H / H[0] - 1).max() <= 1e-11


def test_the_stage_is_the_lilyan() -> None:
    """h^2 E(v) and the stage's objective differ by a constant."""
    system, start = stretched_bar(cells=(1, 1, 1), stretch=(1.1, 0.9, 1.0))
    method, h, m = Variational(alpha=0.3), 0.02, system.mass[:, None]
    objective = StageObjective(system, method._stage(system, start, {}, h))

    def lilyan(v: Array) -> float:
        W = system.potential.by_group(start.x + 0.3 * h * v)["elastic"]
        return float(np.sum(m * (0.5 * v * v - start.v * v))) + 0.7 / 0.3 * W

    rng = np.random.default_rng(1)
    guesses = [start.v + rng.normal(size=start.v.shape) for _ in range(3)]
    offsets = [objective.evaluate(start.x + h * v).value - h * h * lilyan(v) for v in guesses]
    sizes = [h * h * lilyan(v) for v in guesses]
    assert np.ptp(sizes) > 1e-4
    assert np.ptp(offsets) <= 1e-12


@pytest.mark.parametrize(("nodes", "weights"), [((0.5,), (0.5,)), ((0.5, 1.0), (1.0,)), ((-0.1, 1.1), (0.5, 0.5))])
def test_rules_that_are_none(nodes: tuple[float, ...], weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError):
        ActionRule(nodes, weights)


def test_a_stage_may_bring_its_own_tolerance() -> None:
    """The residual that Newton's method leaves is below it, and above that of the solver without a tolerance."""
    system, start = stretched_bar(cells=(2, 1, 1))
    left = []
    for tolerance in (None, 1e-2):
        tools = StepTools(system, SolverOptions())
        Variational(tolerance=tolerance).step(system, start, {}, 0.02, tools)
        left.append(float(np.linalg.norm(tools.report.residual)))
    predicted = start.v + 0.01 * system.acceleration(start)
    p = float(np.linalg.norm(system.mass[:, None] * predicted))
    assert left[0] < 1e-6 * 0.02 * p
    assert left[0] < left[1] <= 1e-2 * 0.02 * p
