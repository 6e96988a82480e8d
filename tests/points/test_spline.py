"""Weights: the identities on which everything else rests, at cell borders too."""

import numpy as np
import pytest

from supple.errors import StepFailed
from supple.points.grid import FAR, lay_grid
from supple.points.spline import Degree, Gradient, Spline

RNG = np.random.default_rng(3)
BORDERS = 0.2 * (np.arange(-6, 6)[:, None] * 0.5 + np.zeros(3))
POINTS = np.concatenate([RNG.uniform(-1.0, 1.0, (1000, 3)), BORDERS, np.nextafter(BORDERS, np.inf)])


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("gradient", ["mls", "spline"])
def test_identities(degree: Degree, gradient: Gradient) -> None:
    spline = Spline(degree, 0.2)
    grid = lay_grid(spline, POINTS, gradient)
    assert np.abs(grid.w.sum(axis=1) - 1.0).max() < 1e-14
    assert (grid.w >= 0.0).all()
    assert np.abs(np.einsum("pk,pki->pi", grid.w, grid.r)).max() < 1e-15
    moment = np.einsum("pk,pki,pkj->pij", grid.w, grid.r, grid.r)
    assert np.abs(moment - spline.D * np.eye(3)).max() < 1e-15
    assert np.abs(np.einsum("pki,pkj->pij", grid.r, grid.grad) - np.eye(3)).max() < 1e-14
    assert np.abs(grid.grad.sum(axis=1)).max() < 1e-13


@pytest.mark.parametrize("degree", [2, 3])
def test_slopes_are_derivatives(degree: Degree) -> None:
    spline, x, e = Spline(degree, 0.2), RNG.uniform(0.02, 0.08, (50, 3)), 1e-7
    slopes = (spline.at(x + e).weights - spline.at(x - e).weights) / (2.0 * e)
    assert np.abs(slopes - spline.at(x).slopes).max() < 1e-7


def test_particles_that_leave_the_grid_end_the_run() -> None:
    with pytest.raises(StepFailed, match="2 particles have left the grid, the first is particle 1"):
        lay_grid(Spline(2, 0.1), np.array([[0.0, 0, 0], [np.nan, 0, 0], [FAR, 0, 0]]))
