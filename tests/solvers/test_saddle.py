"""Matrices of stages with constraints: every way to solve gives a solution, old factors and new ones, bands and last resorts."""

import numpy as np
import pytest

from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.saddle.banded import banded
from supple.solvers.saddle.entries import Entries
from supple.solvers.saddle.factors import Saddle

N, J = 120, 15


def saddle_point(skew: float, wide: bool = True) -> tuple[Entries, np.ndarray, np.ndarray]:
    """Entries, their numbers and the whole matrix: [H G^T; G' 0] with G' a little different from G."""
    rng = np.random.default_rng(3)
    reach = N if wide else 2
    near = np.array([(i, j) for i in range(N) for j in range(N) if abs(i - j) < reach])
    H = rng.standard_normal((N, N))
    H = H @ H.T + N * np.eye(N)
    j = np.repeat(np.arange(J), 4)
    i = (8 * j + np.tile(np.arange(4), J)).astype(np.int64)
    G = rng.standard_normal(len(j)) + 2.0
    entries = Entries(N + J, [(near[:, 0], near[:, 1]), (i, N + j), (N + j, i)])
    values = entries.sum([H[near[:, 0], near[:, 1]], G, G * (1.0 + skew * rng.standard_normal(len(j)))])
    whole = np.zeros((N + J, N + J))
    whole[np.repeat(np.arange(N + J), np.diff(entries.indptr)), entries.indices] = values
    return entries, values, whole


@pytest.mark.parametrize("backend", ["auto", "superlu"])
@pytest.mark.parametrize("skew", [0.0, 0.1, 3.0])
def test_a_solution_solves(skew: float, backend: str) -> None:
    entries, values, whole = saddle_point(skew)
    rhs = np.random.default_rng(4).standard_normal(N + J)
    solver = Saddle(entries, N, SolverOptions(backend=backend))
    y = solver.solve(values, rhs, 1e-9, SolveReport())
    assert np.linalg.norm(whole @ y - rhs) <= 2e-9 * np.linalg.norm(rhs)
    solver.close()


def test_old_factors_serve_as_long_as_they_lead_there() -> None:
    entries, values, whole = saddle_point(0.05)
    rhs = np.random.default_rng(4).standard_normal(N + J)
    solver, report = Saddle(entries, N, SolverOptions(reuse="always")), SolveReport()
    solver.solve(values, rhs, 1e-8, report)
    kept = solver.factored is not None  # without PARDISO there is nothing to keep
    y = solver.solve(1.02 * values, rhs, 1e-8, report)
    assert report.factorisations == (1 if kept else 2)
    assert np.linalg.norm(1.02 * whole @ y - rhs) <= 2e-8 * np.linalg.norm(rhs)
    other = saddle_point(3.0)[1] * np.random.default_rng(5).uniform(0.01, 9.0, len(values))
    y = solver.solve(other, rhs, 1e-8, report)
    assert report.factorisations > (1 if kept else 2)
    solver.close()


def test_a_band_is_found_and_solved() -> None:
    entries, values, whole = saddle_point(0.3, wide=False)
    band = banded(entries.indptr, entries.indices)
    assert band is not None
    assert band.width < 12
    rhs = np.random.default_rng(4).standard_normal(N + J)
    np.testing.assert_allclose(band.solve(values, rhs), np.linalg.solve(whole, rhs), rtol=1e-9)
    crowded = saddle_point(0.3)[0]
    assert banded(crowded.indptr, crowded.indices) is None
