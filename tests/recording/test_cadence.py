"""Which frames are recorded, and that the cubic between two steps is the right one."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.dynamics.invariants import Energies
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.loop import Frame
from supple.recording.cadence import Cadence, EveryStep, FramesPerSecond, between
from supple.solvers.report import SolveReport

LEDGER = Ledger(Energies(0.0, 0.0, 0.0, 0.0), 0.0)


def cubic(t: float) -> State:
    """A motion that a cubic follows exactly."""
    x = np.array([[1 + 2 * t - 3 * t**2 + 0.5 * t**3, t**3, -t]])
    v = np.array([[2 - 6 * t + 1.5 * t**2, 3 * t**2, -1.0]])
    return State(t, x, v)


def recorded(cadence: Cadence, pieces: list[tuple[float, bool]]) -> list[State]:
    """All that is recorded over steps of these lengths; the flag marks the end of a step."""
    found: list[State] = []
    before, t, whole_steps = cubic(0.0), 0.0, 0
    for step, (h, whole) in enumerate([(0.0, True), *pieces]):
        t += h
        whole_steps += whole and step > 0
        frame = Frame(step, cubic(t), h, LEDGER, SolveReport(), 0.0, whole)
        found += cadence.due(before, frame, whole_steps, len(found))
        before = frame.state
    return found


def test_the_cubic_is_exact_for_cubics() -> None:
    for t in (0.2, 0.35, 0.5):
        state = between(cubic(0.2), cubic(0.5), t)
        assert state.t == t
        np.testing.assert_allclose(state.x, cubic(t).x, atol=1e-15)
        np.testing.assert_allclose(state.v, cubic(t).v, atol=1e-14)


@pytest.mark.parametrize("every", [1, 2, 3, 7])
def test_every_nth_whole_step(every: int) -> None:
    pieces = [(0.1, True), (0.05, False), (0.05, True), *[(0.1, True)] * 5]
    found = recorded(EveryStep(every), pieces)
    assert len(found) == EveryStep(every).frames(7, 0.1)
    np.testing.assert_allclose([s.t for s in found], 0.1 * every * np.arange(len(found)))


@settings(deadline=None, max_examples=50)
@given(st.floats(1.0, 100.0), st.floats(1e-3, 0.2), st.integers(1, 30))
def test_frames_per_second_at_exact_times(fps: float, h: float, steps: int) -> None:
    found = recorded(FramesPerSecond(fps), [(h, True)] * steps)
    assert [s.t for s in found] == [k / fps for k in range(len(found))]
    assert len(found) == FramesPerSecond(fps).frames(steps, h)
    for state in found:
        np.testing.assert_allclose(state.x, cubic(state.t).x, atol=1e-5 * (1 + state.t**3))


def test_one_frame_a_step_takes_the_steps_as_they_are() -> None:
    h = 1 / 60
    found = recorded(FramesPerSecond(60.0), [(h, True)] * 600)
    assert len(found) == 601
    total = 0.0
    for state in found:
        np.testing.assert_array_equal(state.x, cubic(total).x)
        total += h


def test_substeps_are_seen() -> None:
    found = recorded(FramesPerSecond(40.0), [(0.05, False), (0.05, True)])
    np.testing.assert_allclose([s.t for s in found], np.arange(5) / 40, atol=1e-15)
    assert math.isclose(found[-1].t, 0.1)
