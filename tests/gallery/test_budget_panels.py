"""Panels on energy budgets: what they measure with."""

import numpy as np
import pytest

from supple.gallery.budgets.shared import bounces, swing
from supple.gallery.budgets.spring_systems import SYSTEMS, course
from supple.integrators.springs.conserving_springs import ConservingSprings


def test_bounces_are_tops_over_the_drop() -> None:
    y = np.array([1.0, 0.5, 0.0, 0.4, 0.7, 0.4, 0.0, 0.3, 0.2])
    np.testing.assert_allclose(bounces(y, 0.0), [0.7, 0.3])
    np.testing.assert_allclose(bounces(y, -1.0), [0.85, 0.65])


def test_swing_is_a_range_over_a_range() -> None:
    t = np.linspace(0.0, 10.0, 1001)
    assert swing(np.exp(-t) * np.cos(20.0 * t), t, 1.0) == pytest.approx(np.exp(-9.0), rel=0.2)
    assert swing(np.cos(20.0 * t), t, 1.0) == pytest.approx(1.0, rel=0.01)


def test_courses_end_where_they_explode() -> None:
    normal = course(SYSTEMS["tetrahedron"](), None, 400)
    assert len(normal.energy) < 400
    assert abs(normal.energy[-1] - 1.0) > 10.0
    assert len(course(SYSTEMS["tetrahedron"](), ConservingSprings(), 100).energy) == 101
