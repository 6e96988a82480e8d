"""A parameter of a scene, differentiated through the build: the same model for four neighbouring values.

    d f/d theta = [8 (f(theta + e) - f(theta - e)) - (f(theta + 2e) - f(theta - 2e))]/(12 e) + O(e^4)
f is any quantity of a system at a fixed configuration that a sweep needs: a residual, a force, a scripted position. So every key
that changes only values of the model works, without its own chain rule, and the run itself is never repeated. Where f is
linear in theta, as forces are in stiffness, the result is exact to round-off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.dynamics.consistent import consistent
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.differences import WEIGHTS
from supple.errors import SuppleError
from supple.types import Array

RELATIVE = 1e-3
"""e over |theta|: error of the formula about e^4, round-off 1e-16/e."""


@dataclass(frozen=True)
class Neighbour:
    """The model for one neighbouring value."""

    weight: float
    system: System
    state: State
    """State at the start."""


@dataclass(frozen=True)
class Twin:
    """Changes with one parameter."""

    name: str
    value: float
    neighbours: tuple[Neighbour, ...]

    def derivative(self, of: Callable[[System], Array]) -> Array:
        """d/d theta of a vector that depends on the system."""
        first, *others = self.neighbours
        return sum((n.weight * of(n.system) for n in others), first.weight * of(first.system))

    def slope(self, of: Callable[[System], float]) -> float:
        """d/d theta of a scalar that depends on the system."""
        return sum(n.weight * of(n.system) for n in self.neighbours)

    def start(self) -> tuple[Array, Array]:
        """d/d theta of positions and velocities at the start."""
        x, v = (np.zeros_like(self.neighbours[0].state.x) for _ in range(2))
        for n in self.neighbours:
            x += n.weight * n.state.x
            v += n.weight * n.state.v
        return x, v


def twin(
    name: str, value: float, build: Callable[[float], tuple[System, State]], base: System, e: float | None = None
) -> Twin:
    """The neighbours of a parameter; `build` makes the system and its start for another value. e: the spacing; default: a
    thousandth of the value, or 1e-3 for zero."""
    e = (RELATIVE * abs(value) or RELATIVE) if e is None else e
    found = []
    for k, weight in WEIGHTS:
        system, state = build(value + k * e)
        if system.n != base.n or not np.array_equal(system.free, base.free):
            raise SuppleError(f"{name}: changes the mesh or the constrained vertices, so it has no derivative")
        placed = State(state.t, system.motion.place(state.x, state.t), system.motion.drive(state.v, state.t))
        found.append(Neighbour(weight / (12.0 * e), system, consistent(system, placed)[0]))
    return Twin(name, value, tuple(found))
