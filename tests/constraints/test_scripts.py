"""Scripts of prescribed vertices: the velocity is the derivative of the position, and all hold still outside their time."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.constraints.scripts import Keyframes, Rotate, Translate, Window, rotated

X = np.random.default_rng(0).standard_normal((5, 3))
KEYS = ((0.0, 0.4, 1.5), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.5), (0.0, -2.0, 0.0)))
SCRIPTS = {
    "hold": Hold(),
    "translate": Translate((1.0, -2.0, 0.5)),
    "translate in a window": Translate((1.0, -2.0, 0.5), Window(0.3, 0.9)),
    "rotate": Rotate((1.0, 2.0, 2.0), (0.1, 0.2, 0.3), 3.0),
    "rotate in a window": Rotate((0.0, 0.0, 5.0), (0.1, 0.2, 0.3), -2.0, Window(0.3, 0.9)),
    "keyframes": Keyframes(*KEYS),
    "smooth keyframes": Keyframes(*KEYS, interpolation="smooth"),
}
CORNERS = (0.0, 0.3, 0.4, 0.9, 1.5)
"""Times at which the velocity of some script jumps."""


@pytest.mark.parametrize("name", SCRIPTS)
@settings(max_examples=30, deadline=None)
@given(t=st.floats(-0.5, 2.0).filter(lambda t: min(abs(t - c) for c in CORNERS) > 1e-4))
def test_velocity_is_the_derivative_of_position(name: str, t: float) -> None:
    script, eps = SCRIPTS[name], 1e-5
    slope = (script.position(X, t + eps) - script.position(X, t - eps)) / (2 * eps)
    np.testing.assert_allclose(script.velocity(X, t), slope, rtol=0, atol=1e-7)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_starts_where_the_vertices_are(name: str) -> None:
    np.testing.assert_allclose(SCRIPTS[name].position(X, 0.0), X, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", ["translate in a window", "rotate in a window"])
def test_nothing_moves_outside_the_window(name: str) -> None:
    script = SCRIPTS[name]
    assert np.array_equal(script.position(X, 0.9), script.position(X, 7.0))
    for t in (0.0, 0.29, 0.9, 5.0):
        assert np.array_equal(script.velocity(X, t), np.zeros_like(X))


def test_keyframes_hit_their_keys_and_rest_outside() -> None:
    for script in (SCRIPTS["keyframes"], SCRIPTS["smooth keyframes"]):
        for time, offset in zip(*KEYS, strict=True):
            np.testing.assert_allclose(script.position(X, time), X + offset, rtol=0, atol=1e-15)
        np.testing.assert_allclose(script.position(X, 9.0), X + KEYS[1][-1], rtol=0, atol=1e-15)
        assert np.array_equal(script.velocity(X, 9.0), np.zeros_like(X))


@settings(max_examples=30, deadline=None)
@given(angle=st.floats(-10, 10))
def test_rotation_keeps_distances_and_the_axis(angle: float) -> None:
    axis, centre = np.array([1.0, 2.0, -0.5]), np.array([0.3, 0.1, 0.2])
    Y = rotated(X, axis, centre, angle)
    np.testing.assert_allclose(np.linalg.norm(Y - Y[0], axis=1), np.linalg.norm(X - X[0], axis=1), rtol=0, atol=1e-13)
    np.testing.assert_allclose((Y - X) @ axis, 0.0, rtol=0, atol=1e-13)
    np.testing.assert_allclose(rotated(Y, axis, centre, -angle), X, rtol=0, atol=1e-13)


def test_rotation_turns_the_right_way() -> None:
    turned = rotated(np.array([[1.0, 0.0, 0.0]]), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), math.pi / 2)
    np.testing.assert_allclose(turned, [[0.0, 1.0, 0.0]], rtol=0, atol=1e-15)


def test_motion_places_and_drives_only_its_vertices() -> None:
    held = Prescribed(np.array([1], np.int32), X[[1]], Hold())
    led = Prescribed(np.array([3, 4], np.int32), X[[3, 4]], SCRIPTS["translate"])
    motion = Motion((held, led))
    assert motion.moves
    assert not Motion((held,)).moves
    assert motion.held(5).tolist() == [False, True, False, True, True]
    wild = np.full_like(X, 9.0)
    x, v = motion.place(wild, 0.5), motion.drive(wild, 0.5)
    assert (wild == 9.0).all()
    assert (x[[0, 2]] == 9.0).all()
    assert (v[[0, 2]] == 9.0).all()
    assert np.array_equal(x[1], X[1])
    assert np.array_equal(v[1], np.zeros(3))
    np.testing.assert_allclose(x[3:], X[3:] + np.array([0.5, -1.0, 0.25]))
    np.testing.assert_allclose(v[3:], [[1.0, -2.0, 0.5]] * 2)


def test_nothing_prescribed_changes_nothing() -> None:
    assert Motion().place(X, 1.0) is X
    assert Motion().drive(X, 1.0) is X
    assert not Motion().moves
