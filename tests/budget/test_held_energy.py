"""Energy held by a group of parts after some was spent: the sum is exact, shares are proportional to held energy, or to mass."""

import numpy as np
import pytest

from supple.budget.rebound import _less

MASS = np.array([1.0, 3.0])


@pytest.mark.parametrize("held", [[2.0, 6.0], [-1.0, -3.0], [5.0, -4.9], [0.0, 0.0]])
@pytest.mark.parametrize("spent", [-9.0, -0.1, 0.05, 1.0, 20.0])
def test_nothing_is_lost(held: list[float], spent: float) -> None:
    assert _less(np.array(held), MASS, spent).sum() == pytest.approx(sum(held) - spent, abs=1e-12)


def test_a_smaller_amount_is_taken_from_each_by_what_it_holds() -> None:
    np.testing.assert_allclose(_less(np.array([6.0, 2.0]), MASS, 2.0), [4.5, 1.5], rtol=1e-15)
    np.testing.assert_allclose(_less(np.array([-6.0, -2.0]), MASS, -2.0), [-4.5, -1.5], rtol=1e-15)


def test_more_than_all_is_taken_by_mass() -> None:
    np.testing.assert_allclose(_less(np.array([6.0, 2.0]), MASS, 12.0), [3.0, -7.0], rtol=1e-15)


def test_all_of_it_leaves_zeros() -> None:
    assert _less(np.array([0.1, 0.2]), MASS, 0.30000000000000004).tolist() == [0.0, 0.0]
