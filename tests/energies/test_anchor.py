"""Anchors: derivatives, points that move, and no cost without stiffness."""

import numpy as np
import pytest

from builders import dense
from supple.dynamics.system import build_system
from supple.energies.samples import one_sample
from supple.energies.springs.anchor import Anchors
from supple.errors import SuppleError

RNG = np.random.default_rng(5)
POINTS, X, D = RNG.standard_normal((3, 4, 3))
STIFFNESS = np.array([0.0, 2.0, 3.5, 10.0])


def test_values() -> None:
    term = Anchors(np.zeros((2, 3)), 4.0)
    x = np.array([[1.0, 2.0, -3.0], [0.5, 0.0, 0.0]])
    np.testing.assert_allclose(term.element_values(x), [28.0, 0.5])


def test_derivatives() -> None:
    term = Anchors(POINTS, STIFFNESS)
    slope = (term.element_values(X + 1e-4 * D) - term.element_values(X - 1e-4 * D)) / 2e-4
    gradient = term.element_gradients(X)[:, 0]
    assert np.abs(gradient[1:]).min() > 0
    np.testing.assert_allclose(slope, (gradient * D).sum(axis=1), rtol=1e-8, atol=1e-12)
    change = (term.element_gradients(X + D) - term.element_gradients(X - D))[:, 0] / 2
    np.testing.assert_allclose(change, np.einsum("mij,mj->mi", term.element_hessians(X), D), rtol=1e-12)


def test_it_may_be_tightened_in_a_system() -> None:
    term = Anchors(POINTS)
    system = build_system(X, np.ones(4), [term])
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(X), values)
    assert not values.any()
    assert not system.potential.gradient(X).any()
    term.stiffness[2] = 7.0
    term.points[2] = X[2] + [0.0, 1.0, 0.0]
    system.potential.add_hessian(one_sample(X), values)
    np.testing.assert_allclose(np.diag(dense(system, values)), np.repeat([0.0, 0.0, 7.0, 0.0], 3))
    np.testing.assert_allclose(system.potential.gradient(X)[2], [0.0, -7.0, 0.0])
    assert system.potential.by_group(X)["other"] == pytest.approx(3.5)


@pytest.mark.parametrize("stiffness", [-1.0, np.nan, [1.0, 1.0, 1.0, np.inf]])
def test_a_stiffness_that_makes_no_sense(stiffness: object) -> None:
    with pytest.raises(SuppleError, match="not negative"):
        Anchors(POINTS, stiffness)
