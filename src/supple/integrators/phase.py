"""Positions and velocities as one array u = (x, v) of shape (2, n, 3): u' = F(u) = (v, a(x, v)).

Prescribed vertices are not unknowns: their rows of F are zero, and the force on the others uses their positions at a
given time.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.state import State
from supple.dynamics.step import Solve, Tools
from supple.dynamics.system import System
from supple.errors import NotPositiveDefinite
from supple.types import Array


def phase(state: State) -> Array:
    """u of a state."""
    return np.stack([state.x, state.v])


def at(system: System, u: Array, t: float) -> State:
    """The state u, with prescribed vertices at their scripted positions at time t."""
    return State(t, system.motion.place(u[0], t), system.motion.drive(u[1], t))


def slope(system: System, u: Array, t: float) -> Array:
    """F(u), with prescribed vertices at time t."""
    out = np.zeros_like(u)
    out[0, system.free] = u[1, system.free]
    out[1] = system.acceleration(at(system, u, t))
    return out


class Implicit:
    """(I - c J)^-1 with J = dF/du at one state, by one symmetric solve of the size of the velocities:

    (M + c D'' + c^2 K) w_v = M r_v - c K r_x,  w_x = r_x + c w_v
    """

    def __init__(self, linearised: Linearised, solve: Solve, c: float) -> None:
        self.linearised = linearised
        self._mass = linearised.system.mass[:, None]
        self._solve = solve
        self._c = c

    def __call__(self, r: Array) -> Array:
        w = np.empty_like(r)
        w[1] = self._solve(self._mass * r[1] - self._c * self.linearised.stiff(r[0]))
        w[0] = r[0] + self._c * w[1]
        return w


def implicit(system: System, u: Array, t: float, c: float, tools: Tools) -> Implicit:
    """(I - c J)^-1 about u. Elements are projected only if the matrix is otherwise not positive definite, since an
    inexact Jacobian reduces the order below 2; this does not happen at small steps."""
    state = at(system, u, t)
    linearised = tools.linearise(state)
    try:
        return Implicit(linearised, tools.factor(linearised.shifted(c), definite=True), c)
    except NotPositiveDefinite:
        linearised = tools.linearise(state, project=True)
        return Implicit(linearised, tools.factor(linearised.shifted(c)), c)
