"""Obstacles that move on the page: the place and turn of their handles."""

from types import SimpleNamespace

import numpy as np
import pytest

from supple.constraints.scripts import Rotate
from supple.model.motion import Moves, Translation
from supple.model.moving.keyframe import Keyframe
from supple.viewer.page.props import Props


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


@pytest.mark.parametrize("t", [0.0, 0.3, 1.0, 1.7])
def test_a_handle_follows_keyframes_with_rotations(t: float) -> None:
    keys = (
        Keyframe(0.0, (0, 0, 0), (0, 0, 0)),
        Keyframe(1.0, (1, 2, 0), (20, 40, 80)),
        Keyframe(1.5, rotation=(0, 0, 9)),
    )
    moves = Moves(keyframes=keys, pivot=(0.1, 0.2, 0.3), interpolation="spline", translate=Translation((0, 0, 1)))
    script, handle = moves.script(), SimpleNamespace()
    Props([(script, handle)]).show(t)
    w, *v = handle.wxyz
    points = np.random.default_rng(1).random((5, 3))
    turned = points + 2.0 * np.cross(v, np.cross(v, points) + w * points)
    np.testing.assert_allclose(handle.position + turned, script.position(points, t), atol=1e-12)
