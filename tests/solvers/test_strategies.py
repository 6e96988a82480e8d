"""Strategies of the linear solver: the same solutions, honest shifts, ladders that climb, announcements."""

import numpy as np
import pytest

from builders import run, stretched_bar, twisted_bar
from supple.dynamics.stage import Sample, Stage, StageObjective
from supple.errors import NotPositiveDefinite
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.linalg import announcements
from supple.linalg.announcements import announced, listening
from supple.linalg.krylov import symmetric_product
from supple.linalg.precond.breadth import breadth
from supple.linalg.precond.diagonal import DiagonalBlocks
from supple.solvers.linear import LinearSolver
from supple.solvers.options import Linear, SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.strategies import choice
from supple.solvers.strategies.choice import EASY
from supple.solvers.strategies.kept import Kept
from supple.solvers.strategies.matrix import Matrix
from supple.solvers.strategies.strategy import Strategy
from supple.types import Array

CHOICES = ["auto", "direct", "amg", "ic", "cg"]


def prepared(choice: Linear, inertia: float = 1.0, squeeze: float = 1.0) -> tuple[LinearSolver, Array]:
    """A solver with the matrix of a bar, squeezed to be indefinite on request, and a gradient."""
    system, state = twisted_bar()
    linear = LinearSolver(system, SolverOptions(linear=choice, reuse="always", tolerance=1e-9))
    x = state.x * np.array([squeeze, 1.0, 1.0])
    h = 1 / 30 if squeeze == 1.0 else 1.0
    stage = Stage(0.0, x, (Sample(h * h),), x, x, inertia=inertia)
    linear.assemble(StageObjective(system, stage), x)
    gradient = np.zeros_like(x)
    gradient[system.free] = np.random.default_rng(5).standard_normal((len(system.free), 3))
    return linear, gradient


@pytest.mark.parametrize("choice", CHOICES)
def test_definite_systems_have_the_same_solution(choice: str) -> None:
    report = SolveReport()
    exact = prepared("direct")[0].newton(prepared("direct")[1], 1e-13, SolveReport())
    linear, gradient = prepared(choice)
    for solve in (linear.newton, linear.descent):
        p = solve(gradient, 1e-10, report)
        assert np.abs(p - exact).max() < 1e-8 * np.abs(exact).max()
    assert linear.shift == 0.0
    linear.close()


@pytest.mark.parametrize("choice", CHOICES)
def test_indefinite_systems_are_shifted_for_descent_and_solved_as_they_are_for_newton(choice: str) -> None:
    linear, gradient = prepared(choice, squeeze=0.3)
    free = linear._system.free
    p = linear.newton(gradient, 1e-10, SolveReport())
    pattern = linear._system.pattern
    residual = (
        symmetric_product(pattern.indptr, pattern.indices, linear.values, p[free].ravel()) + gradient[free].ravel()
    )
    assert np.linalg.norm(residual) < 1e-7 * np.linalg.norm(gradient)
    q = linear.descent(gradient, 1e-6, SolveReport())
    assert (q * gradient).sum() < 0.0
    linear.close()


@pytest.mark.parametrize("choice", CHOICES)
def test_entries_that_are_not_finite_are_told_apart_from_indefinite_ones(choice: str) -> None:
    linear, gradient = prepared(choice)
    linear.values[linear.values.size // 2] = np.nan
    with pytest.raises(FloatingPointError):
        linear.descent(gradient, 1e-6, SolveReport())


def test_energy_is_kept_whatever_solves() -> None:
    for name in ("direct", "amg", "ic"):
        last = run(stretched_bar(), AVF(), 1 / 60, 6, linear=name, reuse="always")[-1]
        assert abs(last.ledger.residual) < 1e-11 * last.ledger.energies.scale


class Refusing(DiagonalBlocks):
    """Looks at no matrix as definite."""

    may_err = True

    def renew(self, values: Array, places: Array) -> None:
        raise NotPositiveDefinite("never")


def test_a_refusal_counts_only_if_the_rung_above_refuses_as_well() -> None:
    linear, gradient = prepared("cg")
    pattern, matrix = linear._system.pattern, linear._matrix
    rhs = gradient[linear._system.free].ravel()
    ladder = Strategy([Kept("unsure", Refusing(pattern), 50), Kept("sure", DiagonalBlocks(pattern), 500)])
    assert ladder.solve_anew(matrix, 0.0, rhs, 1e-3, SolveReport()) is not None
    assert ladder.name == "sure"
    alone = Strategy([Kept("unsure", Refusing(pattern), 50), Kept("unsure too", Refusing(pattern), 50)])
    with pytest.raises(NotPositiveDefinite):
        alone.solve_anew(matrix, 0.0, rhs, 1e-3, SolveReport())
    assert alone.name == "unsure"


def test_slow_rungs_are_left_for_good_and_remembered() -> None:
    linear, gradient = prepared("auto")
    linear.newton(gradient, 1e-12, SolveReport())
    assert linear.strategy != "ic"
    memory, (other, _) = linear.memory(), prepared("auto")
    other.restore(memory)
    assert other.strategy == linear.strategy
    a, b = (solver.newton(gradient, 1e-6, SolveReport()) for solver in (linear, other))
    assert np.array_equal(a, b)


def test_short_steps_need_incomplete_factors_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "MANY", 0)  # small bodies have no such rung
    frames = run(twisted_bar(), BackwardEuler(), 1e-4, 3, linear="auto", reuse="always")
    assert sum(f.solve.factorisations for f in frames) == 0
    assert 0 < max(f.solve.cg_iterations / max(f.solve.iterations, 1) for f in frames) <= EASY


def test_worn_preconditioners_are_renewed_after_as_much_waste_as_a_renewal_costs() -> None:
    linear, gradient = prepared("cg")
    pattern, matrix, report = linear._system.pattern, linear._matrix, SolveReport()

    class Lasting(DiagonalBlocks):
        renewal = 25.0

    rhs, kept = gradient[linear._system.free].ravel(), Kept("lasting", Lasting(pattern), 1000)
    assert kept.solve(matrix, rhs, 1e-3, report) is None
    kept.solve_anew(matrix, 0.0, rhs, 1e-3, report)
    other = Matrix(pattern, matrix.mass)
    other.values[:] = matrix.values
    other.values[pattern.diagonal] *= np.where(np.arange(pattern.unknowns) % 2, 50.0, 1.0)
    solved = 0
    while kept.ready and solved < 100:
        kept.solve(other, rhs, 1e-3, report)
        solved += 1
    assert 1 <= solved < 100


def test_breadth_is_a_cut_across_the_body() -> None:
    from supple.linalg.pattern import symmetric_pattern
    from supple.linalg.precond.blocks import Blocks

    chain = np.stack([np.arange(49), np.arange(1, 50)], axis=1).astype(np.int32)
    blocks = Blocks(symmetric_pattern(50, [chain]))
    assert breadth(blocks.first, blocks.column) == pytest.approx(3.0)


def test_long_work_is_announced_to_the_listener_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "LONG", 1)
    heard: list[str] = []
    with announced("analysing", 12_000):
        pass
    with listening(heard.append):
        linear, gradient = prepared("direct")
        linear.newton(gradient, 1e-6, SolveReport())
    assert [line.split()[0] for line in heard if line] == ["analysing", "factorising"]
    assert heard[-1] == ""
