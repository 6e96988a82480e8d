"""Sums and extremes over arrays: a NaN anywhere is never lost."""

from __future__ import annotations

import numpy as np
import pytest

from supple.linalg.fields import inertia
from supple.linalg.reduce import add_masked, largest


@pytest.mark.parametrize("place", [0, 4, 8])
def test_a_nan_stays_whatever_follows_it(place: int) -> None:
    a = np.arange(9.0).reshape(3, 3)
    assert largest(a) == 8.0
    a.flat[place] = np.nan
    assert np.isnan(largest(a))
    assert np.isnan(add_masked(a, np.ones((3, 1)), np.zeros((3, 3))))
    assert np.isnan(inertia(a, np.zeros((3, 3)), np.ones((3, 1)), np.ones((3, 1)), np.empty((3, 3)))[1])
