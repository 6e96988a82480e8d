"""Factors that serve many Jacobians: the same roots as direct solves, fewer factorisations, the same bits after a checkpoint."""

from functools import cache

import numpy as np
import pytest

from builders import stretched_bar
from supple.energies.samples import one_sample
from supple.integrators.implicit.energy_momentum import EnergyMomentum, Gonzalez, SimoTarnow
from supple.linalg.factors.nearly_symmetric import Matrix, NearlySymmetric
from supple.linalg.krylov import preconditioned_gmres
from supple.linalg.pattern import SymmetricPattern, symmetric_pattern
from supple.linalg.square import both_halves, square_pattern
from supple.loop import Frame, simulate
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.progress import begin, restore
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools
from supple.types import Array

H, STEPS = 1 / 60, 4
METHODS = [SimoTarnow(), Gonzalez()]
SETUP = stretched_bar(StableNeoHookean.from_young(2000.0, 0.3), cells=(10, 4, 4), stretch=(1.1, 1.0, 1.0))
RNG = np.random.default_rng(6)


@cache
def taken(method: EnergyMomentum, reuse: str) -> tuple[list[Frame], list[tuple[dict, dict[str, Array]]]]:
    """Frames of a run and its checkpoints after each of them."""
    system, start = SETUP
    tools = StepTools(system, SolverOptions(reuse=reuse))
    progress, frames, saved = begin(system, method, start, tools), [], []
    for frame in simulate(system, method, progress, H, STEPS, tools):
        meta, arrays = progress.save(tools)
        frames.append(frame)
        saved.append((meta, {key: np.array(value) for key, value in arrays.items()}))
    tools.close()
    return frames, saved


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_kept_factors_give_the_steps_of_direct_solves(method: EnergyMomentum) -> None:
    kept, fresh = taken(method, "auto")[0], taken(method, "never")[0]
    assert 2 * sum(f.solve.factorisations for f in kept) < sum(f.solve.factorisations for f in fresh)
    assert sum(f.solve.cg_iterations for f in kept) > 10
    assert sum(f.solve.factorisations for f in fresh) == sum(f.solve.iterations for f in fresh) > 10
    for one, other in zip(kept, fresh, strict=True):
        np.testing.assert_allclose(one.state.x, other.state.x, rtol=0, atol=1e-12)
    assert max(abs(f.ledger.residual) for f in kept) <= 1e-14 * kept[0].ledger.energies.total


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_a_resumed_run_has_the_same_bits(method: EnergyMomentum) -> None:
    frames, saved = taken(method, "auto")
    for k in range(1, STEPS):
        meta, arrays = saved[k]
        assert any(key.endswith("factored") and value.size for key, value in arrays.items())
        tools = StepTools(SETUP[0], SolverOptions())
        goes_on = simulate(SETUP[0], method, restore(meta, arrays, tools), H, STEPS, tools)
        found = next(f for f in goes_on if f.step > meta["step"])
        assert np.array_equal(found.state.x, frames[k + 1].state.x)
        assert np.array_equal(found.state.v, frames[k + 1].state.v)
        assert found.solve.cg_iterations == frames[k + 1].solve.cg_iterations
        tools.close()


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_the_same_run_has_the_same_bits(method: EnergyMomentum) -> None:
    frames, _ = taken(method, "auto")
    again = list(simulate(*SETUP[:1], method, SETUP[1], H, STEPS, StepTools(SETUP[0], SolverOptions())))
    assert all(np.array_equal(a.state.x, b.state.x) for a, b in zip(again, frames, strict=True))


def small_matrix(turn: float, shift: float = 8.0) -> tuple[SymmetricPattern, Array]:
    """A chain of blocks: symmetric and diagonally heavy but for `turn`."""
    half = symmetric_pattern(30, [np.stack([np.arange(29), np.arange(1, 30)], axis=1).astype(np.int32)])
    square = square_pattern(half)
    symmetric = RNG.standard_normal(half.nnz)
    symmetric[half.diagonal] += shift
    whole = symmetric[both_halves(half)] + turn * RNG.standard_normal(square.nnz)
    return half, whole


@pytest.mark.parametrize(("turn", "shift", "kinds"), [(0.1, 8.0, {"cholesky"}), (3.0, 8.0, {"lu"}), (0.1, 0.0, {"lu"})])
def test_matrices_that_are_far_from_symmetric_or_indefinite_are_factorised_whole(
    turn: float, shift: float, kinds: set[str]
) -> None:
    half, whole = small_matrix(turn, shift)
    square, rhs = square_pattern(half), RNG.standard_normal(3 * half.n)
    solver, report = NearlySymmetric(half, "auto", reuses=True), SolveReport()
    p = solver.solve(Matrix(None, whole), rhs, 1e-10, report)
    assert np.linalg.norm(square.product(whole, p, 1) - rhs) <= 1.01e-10 * np.linalg.norm(rhs)
    assert {"cholesky" if int(solver.memory()["kind"]) == 0 else "lu"} == kinds
    made = report.factorisations
    solver.solve(Matrix(None, whole), rhs, 1e-6, report)
    assert report.factorisations == made
    solver.close()


def test_minimal_residuals_say_when_they_do_not_pay() -> None:
    half, whole = small_matrix(0.5)
    square, rhs = square_pattern(half), RNG.standard_normal(3 * half.n)
    exact = preconditioned_gmres(lambda p: square.product(whole, p, 2), lambda r: r / 8.0, rhs, 1e-8, 90)
    assert exact.x is not None
    assert np.linalg.norm(square.product(whole, exact.x, 1) - rhs) <= 1.01e-8 * np.linalg.norm(rhs)
    given_up = preconditioned_gmres(lambda p: square.product(whole, p, 2), lambda r: r / 8.0, rhs, 1e-14, 12)
    assert given_up.x is None
    assert given_up.iterations == 4
    assert preconditioned_gmres(lambda p: p, lambda r: r, np.zeros(3), 1e-8, 5).iterations == 0


def test_old_factors_are_given_up_where_they_mislead() -> None:
    system, start = SETUP
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(start.x), values)
    values[system.pattern.diagonal] += system.unknown_mass
    other = values.copy()
    other[system.pattern.diagonal] *= np.exp(3.0 * RNG.standard_normal(3 * system.pattern.n)) + 1.0
    solver, report, rhs = NearlySymmetric(system.pattern, "auto", True), SolveReport(), RNG.standard_normal(len(values))
    rhs = rhs[: 3 * system.pattern.n]
    for entries, factorisations in ((values, 1), (values, 1), (other, 2), (other, 2)):
        p = solver.solve(Matrix(entries, None), rhs, 1e-8, report)
        whole = square_pattern(system.pattern).product(entries[both_halves(system.pattern)], p, 1)
        assert np.linalg.norm(whole - rhs) <= 1e-7 * np.linalg.norm(rhs)
        assert report.factorisations == factorisations
    solver.close()


def test_gmres_gives_up_rather_than_grinding_on() -> None:
    rng = np.random.default_rng(6)
    A, rhs = rng.standard_normal((80, 80)), rng.standard_normal(80)
    found = preconditioned_gmres(lambda p: A @ p, lambda r: r.copy(), rhs, 1e-10, 30)
    assert found.x is None
    assert found.iterations <= 30
    found = preconditioned_gmres(lambda p: A @ p, lambda r: np.linalg.solve(A + 1e-3, r), rhs, 1e-10, 30)
    assert found.x is not None
    np.testing.assert_allclose(A @ found.x, rhs, atol=1e-8)
