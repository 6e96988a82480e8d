"""A constrained step starts on the line to its prediction, no further than contact or finite energies allow."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from supple.solvers.constrained import ConstrainedSolver

ORIGIN = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]])
START = np.array([[3.0, 2.0, 1.0], [-5.0, 0.0, 8.0]])


def started(allowed: float, finite_below: float) -> np.ndarray:
    """The start if contact allows this part of the way, and the merit is finite on a part below that."""

    def at(x: np.ndarray, *_: Any) -> SimpleNamespace:
        part = np.abs(x - ORIGIN).sum() / np.abs(START - ORIGIN).sum()
        return SimpleNamespace(x=x, merit=1.0 if part < finite_below else math.inf)

    problem: Any = SimpleNamespace(
        system=SimpleNamespace(constraints=[]),
        origin=ORIGIN,
        start=START,
        reactions=SimpleNamespace(moves=None),
        unheld=SimpleNamespace(max_step=lambda x, dx: allowed),
        at=at,
    )
    solver: Any = None  # `_start` uses only the problem as long as some part of the way is finite
    return ConstrainedSolver._start(solver, problem, solver).x


@pytest.mark.parametrize(
    ("allowed", "finite_below", "part"), [(5.0, 2.0, 1.0), (0.3, 2.0, 0.3), (1.0, 0.3, 0.25), (0.6, 0.2, 0.15)]
)
def test_start_is_on_the_line(allowed: float, finite_below: float, part: float) -> None:
    np.testing.assert_allclose(started(allowed, finite_below), ORIGIN + part * (START - ORIGIN), rtol=1e-14)
