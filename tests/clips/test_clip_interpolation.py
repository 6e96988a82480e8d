"""Between frames positions and velocities are continuous, velocities are derivatives, and frames are hit exactly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.clips.interpolation import Frames

RNG = np.random.default_rng(3)
TIMES = np.array([0.0, 0.1, 0.25, 0.3, 0.5, 0.6])
VALUES = RNG.standard_normal((6, 4, 3))


def frames(rest_first: bool = False, values: np.ndarray = VALUES, times: np.ndarray = TIMES) -> Frames:
    return Frames(times, lambda k: values[k], rest_first)


def test_frames_are_hit_exactly() -> None:
    clip = frames()
    for k, t in enumerate(TIMES.tolist()):
        np.testing.assert_array_equal(clip.at(t)[0], VALUES[k])


@pytest.mark.parametrize("rest_first", [False, True])
@settings(max_examples=40, deadline=None)
@given(t=st.floats(-0.2, 0.8).filter(lambda t: min(abs(t - c) for c in TIMES) > 1e-4))
def test_velocity_is_the_derivative_of_position(rest_first: bool, t: float) -> None:
    clip, eps = frames(rest_first), 1e-6
    slope = (clip.at(t + eps)[0] - clip.at(t - eps)[0]) / (2 * eps)
    np.testing.assert_allclose(clip.at(t)[1], slope, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("rest_first", [False, True])
def test_velocities_are_continuous_at_frames(rest_first: bool) -> None:
    clip, eps = frames(rest_first), 1e-9
    for t in TIMES.tolist()[0 if rest_first else 1 :]:
        np.testing.assert_allclose(clip.at(t - eps)[1], clip.at(t + eps)[1], rtol=0, atol=1e-4)
        np.testing.assert_allclose(clip.at(t - eps)[0], clip.at(t + eps)[0], rtol=0, atol=1e-6)


def test_values_are_held_outside_with_zero_velocity() -> None:
    for clip in (frames(), frames(True)):
        np.testing.assert_array_equal(clip.at(-1.0)[0], VALUES[0])
        np.testing.assert_array_equal(clip.at(9.0)[0], VALUES[-1])
        assert not clip.at(-1.0)[1].any()
        assert not clip.at(9.0)[1].any()


def test_parabolas_are_met_away_from_the_end() -> None:
    curve = TIMES[:, None, None] ** 2 * np.ones((1, 2, 3)) - 0.3 * TIMES[:, None, None]
    clip = frames(values=curve)
    for t in (0.02, 0.17, 0.28, 0.45):
        np.testing.assert_allclose(clip.at(t)[0], t * t - 0.3 * t, rtol=0, atol=1e-14)
        np.testing.assert_allclose(clip.at(t)[1], 2 * t - 0.3, rtol=0, atol=1e-13)


def test_one_frame_is_held() -> None:
    clip = frames(times=TIMES[:1])
    np.testing.assert_array_equal(clip.at(0.4)[0], VALUES[0])
    assert not clip.at(0.4)[1].any()


def test_few_frames_are_in_memory() -> None:
    read = []
    clip = Frames(np.arange(1000.0), lambda k: read.append(k) or np.full((1, 3), float(k)))
    for t in np.linspace(0, 999, 5000).tolist():
        clip.at(t)
    assert len(clip._kept) <= 8
    assert len(read) == 1000  # each was read once on the way
