"""Other backends, and incomplete factors of other threads, round differently: how many digits agree (docs/determinism.md)."""

import numpy as np
import pytest

from determinism.kinds import KINDS, frames, made
from supple.dynamics.state import State

SMOOTH = ("conserving", "two steps", "collocation", "exponential", "constraints", "friction", "budget", "kept factors")
DIGITS = 1e-12
"""Of the extent of the body, after the steps of the kind."""


def last(name: str, *more: str) -> State:
    scene = KINDS[name].load(*more)
    model, tools = made(scene)
    *_, frame = frames(scene, model, tools)
    tools.close()
    return frame.state


@pytest.mark.parametrize("name", SMOOTH)
def test_superlu_agrees_with_the_default(name: str) -> None:
    one, two = last(name), last(name, "solver.backend=superlu")
    assert np.abs(one.x - two.x).max() <= DIGITS * np.ptp(one.x, axis=0).max()


def test_incomplete_factors_of_two_threads_agree_with_those_of_one() -> None:
    """Their layout belongs to the number of threads."""
    one, two = last("incomplete factors"), last("incomplete factors", "solver.threads=2")
    assert np.abs(one.x - two.x).max() <= DIGITS * np.ptp(one.x, axis=0).max()
