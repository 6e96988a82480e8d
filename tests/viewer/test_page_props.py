"""Obstacles that move on the page: the place and turn of their handles."""

from types import SimpleNamespace

import numpy as np
import pytest

from supple.constraints.scripts import Rotate
from supple.viewer.page.props import Props, quaternion


@pytest.mark.parametrize("angle", [0.0, 1.0, 3.0, np.pi, 4.0, 2.0 * np.pi])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, -2.0, 0.5)])
def test_a_handle_is_where_the_script_says(angle: float, axis: tuple[float, float, float]) -> None:
    script, handle = Rotate(axis, (0.3, 0.1, -0.2), 1.0), SimpleNamespace()
    Props([(script, handle)]).show(angle)
    w, *v = handle.wxyz
    points = np.random.default_rng(1).random((5, 3))
    turned = points + 2.0 * np.cross(v, np.cross(v, points) + w * points)
    np.testing.assert_allclose(handle.position + turned, script.position(points, angle), atol=1e-12)
    assert np.linalg.norm(handle.wxyz) == pytest.approx(1.0)


def test_no_turn_is_no_turn() -> None:
    np.testing.assert_allclose(quaternion(np.eye(3)), [1.0, 0.0, 0.0, 0.0])
