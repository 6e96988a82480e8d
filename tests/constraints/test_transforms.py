"""Keyframes of transforms: exact velocities, rigid where the scale is 1, continuous where they promise it, all turns counted."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.constraints.motion import Script
from supple.constraints.rotations import nearest, quaternion, shortest, turned_by
from supple.constraints.scripts import Keyframes, Rotate, Translate
from supple.constraints.tracks import Interpolation, Track
from supple.errors import SuppleError
from supple.model.motion import Moves, Rotation, Translation
from supple.model.moving.keyframe import Keyframe
from supple.model.moving.orientation import AxisAngle
from supple.types import Array

X = np.random.default_rng(0).standard_normal((6, 3))
TIMES = (0.1, 0.4, 0.9, 1.5)
INTERPOLATIONS: tuple[Interpolation, ...] = ("linear", "smooth", "spline")
PIVOT = (0.1, 0.2, 0.3)
TURNS = ((0.0, 0.0, 0.0), (30.0, 40.0, -70.0), AxisAngle((1.0, 1.0, 0.0), 120.0), (0.0, 90.0, 10.0))
OFFSETS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.5), None, (0.0, -2.0, 0.0))
SCALES = (1.0, None, (1.5, 0.5, 2.0), 2.0)


def moves(interpolation: Interpolation, *channels: str, **more: object) -> Moves:
    """Keyframes with some of the channels; not every keyframe has each of them."""
    every = {"offset": OFFSETS, "rotation": TURNS, "scale": SCALES}
    rows = [(time, {c: every[c][k] for c in channels}) for k, time in enumerate(TIMES)]
    keys = tuple(Keyframe(time, **row) for time, row in rows if any(v is not None for v in row.values()))  # type: ignore[arg-type]
    pivot = None if channels == ("offset",) else PIVOT
    return Moves(keyframes=keys, interpolation=interpolation, pivot=pivot, **more)  # type: ignore[arg-type]


SPIN = Rotation((1.0, 2.0, 2.0), (0.4, 0.0, 0.1), 3.0)
MOVES: dict[str, Callable[[Interpolation], Moves]] = {
    "offset": lambda i: moves(i, "offset"),
    "rotation": lambda i: moves(i, "rotation"),
    "scale": lambda i: moves(i, "scale"),
    "rigid": lambda i: moves(i, "offset", "rotation"),
    "all": lambda i: moves(i, "offset", "rotation", "scale"),
    "all and more": lambda i: moves(
        i, "offset", "rotation", "scale", rotate=SPIN, translate=Translation((0.0, 1.0, 2.0))
    ),
}


def slope(script: Script, t: float, e: float = 1e-4) -> Array:
    """Derivative of positions by differences of fourth order."""
    near, far = (script.position(X, t + k * e) - script.position(X, t - k * e) for k in (1, 2))
    return np.asarray((8.0 * near - far) / (12.0 * e))


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
@pytest.mark.parametrize("name", MOVES)
@settings(max_examples=10, deadline=None)
@given(t=st.floats(-0.5, 2.0).filter(lambda t: min(abs(t - c) for c in (0.0, *TIMES)) > 3e-4))
def test_velocity_is_the_derivative_of_position(name: str, interpolation: Interpolation, t: float) -> None:
    script = MOVES[name](interpolation).script(X)
    np.testing.assert_allclose(script.velocity(X, t), slope(script, t), rtol=0, atol=1e-8)


@pytest.mark.parametrize("interpolation", ["smooth", "spline"])
@pytest.mark.parametrize("name", list(MOVES)[:-1])
def test_velocity_has_no_jumps(name: str, interpolation: Interpolation) -> None:
    script = MOVES[name](interpolation).script(X)
    for t in TIMES:
        before, at, after = (script.velocity(X, t + e) for e in (-1e-9, 0.0, 1e-9))
        np.testing.assert_allclose(before, at, rtol=0, atol=1e-5)
        np.testing.assert_allclose(after, at, rtol=0, atol=1e-5)
        if t in (TIMES[0], TIMES[-1]) or (interpolation == "smooth" and name == "rotation"):
            np.testing.assert_allclose(at, 0.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
@pytest.mark.parametrize("name", ["rotation", "rigid"])
@settings(max_examples=10, deadline=None)
@given(t=st.floats(-0.5, 2.0))
def test_distances_are_kept_where_nothing_scales(name: str, interpolation: Interpolation, t: float) -> None:
    Y = MOVES[name](interpolation).script(X).position(X, t)
    np.testing.assert_allclose(
        np.linalg.norm(Y[:, None] - Y, axis=2), np.linalg.norm(X[:, None] - X, axis=2), rtol=0, atol=1e-13
    )
    assert np.linalg.det(Y[1:4] - Y[0]) == pytest.approx(np.linalg.det(X[1:4] - X[0]))  # no mirror image


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
def test_keys_are_hit(interpolation: Interpolation) -> None:
    script, p = MOVES["all"](interpolation).script(X), np.asarray(PIVOT)
    x, y, z = (turned_by(math.radians(a) * e) for a, e in zip((30.0, 40.0, -70.0), np.eye(3), strict=True))
    # the second key has no scale, which is on its way from 1 to that of the third
    scale = Track(np.array([0.1, 0.9, 1.5]), np.array([[1.0] * 3, [1.5, 0.5, 2.0], [2.0] * 3]), interpolation, True)
    wanted = (scale.at(0.4)[0] * (X - p)) @ (z @ y @ x).T + p + np.array([1.0, 0.0, 0.5])
    np.testing.assert_allclose(script.position(X, 0.4), wanted, rtol=0, atol=1e-14)
    last = (2.0 * (X - p)) @ (turned_by(np.radians(10.0) * np.eye(3)[2]) @ turned_by(np.radians(90.0) * np.eye(3)[1])).T
    for t in (1.5, 7.0):
        np.testing.assert_allclose(script.position(X, t), last + p + np.array([0.0, -2.0, 0.0]), rtol=0, atol=1e-14)
    for t in (0.0, 0.1):
        np.testing.assert_allclose(script.position(X, t), X, rtol=0, atol=1e-15)


def angle_at(keys: tuple[Keyframe, ...], interpolation: Interpolation, times: Array) -> Array:
    """Angle of a point that turns about z [degrees], without jumps."""
    script = Moves(keyframes=keys, interpolation=interpolation, pivot=(0.0, 0.0, 0.0)).script()
    points = [script.position(np.array([[1.0, 0.0, 0.0]]), t)[0] for t in times]
    return np.degrees(np.unwrap([math.atan2(y, x) for x, y, _ in points]))


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
@pytest.mark.parametrize(
    "written", [(0.0, 0.0, 720.0), AxisAngle((0.0, 0.0, 3.0), 720.0), AxisAngle((0.0, 0.0, -1.0), -720.0)]
)
def test_several_turns_are_turned(interpolation: Interpolation, written: AxisAngle | tuple[float, ...]) -> None:
    keys = (
        Keyframe(0.0, rotation=(0.0, 0.0, 0.0)),
        Keyframe(1.0, rotation=written),
        Keyframe(2.0, rotation=(0.0, 0.0, 360.0)),
    )
    angles = angle_at(keys, interpolation, np.linspace(0.0, 2.0, 201))
    np.testing.assert_allclose(angles[[0, 100, 200]], [0.0, 720.0, 360.0], atol=1e-9)


def test_turns_about_one_of_three_axes_count_beside_the_others() -> None:
    keys = (Keyframe(0.0, rotation=(20.0, 30.0, 0.0)), Keyframe(1.0, rotation=(20.0, 30.0, 900.0)))
    script = Moves(keyframes=keys, pivot=PIVOT).script()
    speeds = [np.linalg.norm(script.velocity(X, t), axis=1) for t in (0.1, 0.5, 0.9)]
    start = script.position(X, 0.0) - PIVOT
    for found in speeds:
        np.testing.assert_allclose(found, math.radians(900.0) * np.linalg.norm(start[:, :2], axis=1), rtol=1e-12)
    for k in (0, 1):
        keys = tuple(
            Keyframe(t, rotation=tuple(np.array([20.0, 30.0, 40.0]) + 900.0 * t * np.eye(3)[k])) for t in (0.0, 1.0)
        )
        script = Moves(keyframes=keys, pivot=PIVOT, interpolation="spline").script()
        whole = Moves(keyframes=(keys[1],), pivot=PIVOT).script()
        np.testing.assert_allclose(script.position(X, 1.0 - 1e-12), whole.position(X, 0.0), atol=1e-9)
        assert np.linalg.norm(script.velocity(X, 0.5)) > 10.0


def test_the_shortest_way_between_axes() -> None:
    keys = (Keyframe(0.0, rotation=AxisAngle((0, 0, 1), 350.0)), Keyframe(1.0, rotation=AxisAngle((1, 0, 0), 10.0)))
    script = Moves(keyframes=keys, pivot=PIVOT).script()
    speed = np.linalg.norm(script.velocity(X, 0.5), axis=1) / np.linalg.norm(X - PIVOT, axis=1)
    assert speed.max() < math.radians(20.0)
    with pytest.raises(
        SuppleError, match=r"keyframes\[1\].rotation: between two keyframes only a rotation about one axis"
    ):
        Moves(keyframes=(keys[0], Keyframe(1.0, rotation=AxisAngle((1, 0, 0), 370.0))))


def test_equal_keys_hold_in_a_spline() -> None:
    keys = tuple(
        Keyframe(t, (x, 0.0, 0.0), (0.0, 0.0, 90.0 * x), 1.0 + x)
        for t, x in ((0, 0.0), (1, 0.0), (2, 1.0), (3, 1.0), (4, 0.0))
    )
    script = Moves(keyframes=keys, interpolation="spline", pivot=PIVOT).script()
    for t in (0.5, 2.3, 2.9):
        assert np.array_equal(script.velocity(X, t), np.zeros_like(X))
    assert np.abs(script.velocity(X, 1.5)).max() > 0.5


@settings(max_examples=50, deadline=None)
@given(values=st.lists(st.floats(0.01, 100.0), min_size=2, max_size=6), seed=st.integers(0, 100))
def test_a_bounded_spline_never_leaves_its_keys(values: list[float], seed: int) -> None:
    times = np.cumsum(np.random.default_rng(seed).uniform(0.05, 1.0, len(values)))
    track = Track(times, np.array(values)[:, None], "spline", bounded=True)
    for k in range(len(values) - 1):
        low, high = sorted(values[k : k + 2])
        found = np.array([track.at(t)[0][0] for t in np.linspace(times[k], times[k + 1], 30)])
        assert (found >= low * (1 - 1e-12)).all()
        assert (found <= high * (1 + 1e-12)).all()


def test_the_pivot_goes_along_and_is_the_centroid_if_not_given() -> None:
    keys = (Keyframe(0.0, (0, 0, 0), (0, 0, 0), 1.0), Keyframe(1.0, (3, 0, 0), (0, 180, 30), 0.5))
    script, middle = Moves(keyframes=keys).script(X), X.mean(axis=0)
    for t in (0.0, 0.3, 1.0):
        np.testing.assert_allclose(script.position(X, t).mean(axis=0), middle + np.array([3.0 * t, 0, 0]), atol=1e-14)
    with pytest.raises(SuppleError, match=r"motion.pivot: a shape has no vertices"):
        Moves(keyframes=keys).script()


def test_a_wheel_rolls() -> None:
    """The axis of a rotation goes along with the translation: the lowest point of a rolling wheel stands still."""
    roll = Moves(rotate=Rotation((0.0, 0.0, -1.0), (0.0, 0.5, 0.0), 2.0), translate=Translation((1.0, 0.0, 0.0)))
    rim = np.array([[0.5 * math.sin(a), 0.5 + 0.5 * math.cos(a), 0.0] for a in np.linspace(0.0, 2.0 * math.pi, 721)])
    for t in (0.0, 0.7, 3.1):
        x, v = roll.script().position(rim, t), roll.script().velocity(rim, t)
        np.testing.assert_allclose(x[:-1].mean(axis=0), [t, 0.5, 0.0], atol=1e-12)
        lowest = x[:, 1].argmin()
        assert np.linalg.norm(v[lowest]) < 0.01
        assert np.linalg.norm(v, axis=1).max() == pytest.approx(2.0, rel=1e-4)


def test_old_words_make_the_scripts_that_they_made() -> None:
    velocity, keys = (1.0, 0.0, 2.0), (Keyframe(0.0, (0, 0, 0)), Keyframe(1.0, (1, 0, 0)))
    assert Moves(translate=Translation(velocity)).script() == Translate(velocity)
    assert Moves(rotate=SPIN).script() == Rotate(SPIN.axis, SPIN.centre, SPIN.rate)
    for interpolation in ("linear", "smooth"):
        script = Moves(keyframes=keys, interpolation=interpolation).script(X)  # type: ignore[arg-type]
        assert script == Keyframes((0.0, 1.0), ((0, 0, 0), (1, 0, 0)), interpolation)  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(w=st.tuples(*[st.floats(-20.0, 20.0)] * 3))
def test_logarithms_invert_rotations(w: tuple[float, ...]) -> None:
    turn = turned_by(np.asarray(w))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(turned_by(shortest(turn)), turn, atol=1e-12)
    assert np.linalg.norm(shortest(turn)) <= math.pi + 1e-9
    np.testing.assert_allclose(turned_by(nearest(turn, np.asarray(w))), turn, atol=1e-12)
    if math.remainder(float(np.linalg.norm(w)), 2.0 * math.pi) > 0.1:
        np.testing.assert_allclose(nearest(turn, np.asarray(w)), w, atol=1e-9)


def test_no_turn_is_no_turn() -> None:
    np.testing.assert_allclose(quaternion(np.eye(3)), [1.0, 0.0, 0.0, 0.0])
    assert np.array_equal(shortest(np.eye(3)), np.zeros(3))
    np.testing.assert_allclose(nearest(np.eye(3), np.array([0.0, 12.0, 0.0])), [0.0, 4.0 * math.pi, 0.0])
