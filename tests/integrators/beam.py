"""The plucked beam on which the orders of semi-implicit and exponential methods are measured."""

from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from builders import held_beam, run
from supple.dynamics.state import State


@cache
def beam_end() -> np.ndarray:
    """Positions and velocities after 0.16 s, by a method of order 8."""
    system, start = held_beam()

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        x, v = y.reshape(2, system.n, 3)
        return np.stack([v, system.acceleration(State(t, x.copy(), v))]).ravel()

    y0 = np.stack([start.x, start.v]).ravel()
    return solve_ivp(slope, (0, 0.16), y0, method="DOP853", rtol=1e-10, atol=1e-10).y[:, -1].reshape(2, system.n, 3)


def beam_errors(method: Any, steps: int) -> np.ndarray:
    end = run(held_beam(), method, 0.16 / steps, steps, tolerance=1e-12)[-1].state
    return np.array([np.abs(end.x - beam_end()[0]).max(), np.abs(end.v - beam_end()[1]).max()])
