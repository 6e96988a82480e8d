"""Other backends round differently: how many digits agree (docs/develop/determinism.md)."""

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
