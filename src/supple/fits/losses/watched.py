"""Observed quantities of a state: a mean position, all positions, an energy, a momentum; with forward and reverse derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from supple.dynamics.invariants import energies, kinetic_energy, momenta
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.sensitivity.sweeps import Dots
from supple.types import Array, Ints

ENERGIES = {
    "kinetic": ("kinetic",),
    "elastic": ("elastic",),
    "gravity": ("gravity",),
    "other": ("other",),
    "potential": ("elastic", "gravity", "other"),
    "total": ("kinetic", "elastic", "gravity", "other"),
}
"""Columns of a history that are functions of a state, and their parts."""
MOMENTA = ("px", "py", "pz", "lx", "ly", "lz")


class Watched(Protocol):
    """Values (m,) observed in a state."""

    @property
    def size(self) -> int: ...

    @property
    def unit(self) -> str: ...

    @property
    def by_system(self) -> bool:
        """Whether the value depends on the system directly, as an energy does, and not only through the state."""

    def value(self, system: System, state: State) -> Array: ...

    def pull(self, system: System, state: State, bar: Array) -> tuple[Array | None, Array | None]:
        """d (bar . value) with respect to positions and velocities (n, 3); None: independent of them."""

    def push(self, system: System, state: State, dots: Dots) -> Array:
        """The change of the value along a change of the state."""


@dataclass(frozen=True, eq=False)
class Mean:
    """Mean position or velocity of vertices, along some axes."""

    vertices: Ints
    axes: tuple[int, ...] = (0, 1, 2)
    of: Literal["x", "v"] = "x"
    by_system: bool = False

    @property
    def size(self) -> int:
        return len(self.axes)

    @property
    def unit(self) -> str:
        return "m" if self.of == "x" else "m/s"

    def value(self, system: System, state: State) -> Array:
        return self._mean(getattr(state, self.of))

    def pull(self, system: System, state: State, bar: Array) -> tuple[Array | None, Array | None]:
        full = np.zeros_like(state.x)
        row = np.zeros(3)
        row[list(self.axes)] = bar
        full[self.vertices] = row / len(self.vertices)
        return (full, None) if self.of == "x" else (None, full)

    def push(self, system: System, state: State, dots: Dots) -> Array:
        return self._mean(getattr(dots, self.of))

    def _mean(self, rows: Array) -> Array:
        mean: Array = rows[self.vertices].mean(axis=0)[list(self.axes)]
        return mean


@dataclass(frozen=True, eq=False)
class Every:
    """Concatenated positions of vertices."""

    vertices: Ints
    by_system: bool = False
    unit: str = "m"

    @property
    def size(self) -> int:
        return 3 * len(self.vertices)

    def value(self, system: System, state: State) -> Array:
        return state.x[self.vertices].ravel()

    def pull(self, system: System, state: State, bar: Array) -> tuple[Array | None, Array | None]:
        full = np.zeros_like(state.x)
        full[self.vertices] = bar.reshape(-1, 3)
        return full, None

    def push(self, system: System, state: State, dots: Dots) -> Array:
        return dots.x[self.vertices].ravel()


@dataclass(frozen=True)
class Energy:
    """An energy column of the history."""

    column: str
    by_system: bool = True
    unit: str = "J"
    size: int = 1

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return ENERGIES[self.column]

    def value(self, system: System, state: State) -> Array:
        if self.parts == ("kinetic",):
            return np.array([kinetic_energy(system, state.v)])
        found = energies(system, state)
        return np.array([sum(getattr(found, part) for part in self.parts)])

    def pull(self, system: System, state: State, bar: Array) -> tuple[Array | None, Array | None]:
        x = v = None
        if set(self.parts) != {"kinetic"}:
            x = bar[0] * system.potential.only(lambda term: term.group in self.parts).gradient(state.x)
        if "kinetic" in self.parts:
            v = bar[0] * system.on_free(system.mass[:, None] * state.v)
        return x, v

    def push(self, system: System, state: State, dots: Dots) -> Array:
        x, v = self.pull(system, state, np.ones(1))
        pairs = ((x, dots.x), (v, dots.v))
        return np.array([sum(float(np.vdot(bar, dot)) for bar, dot in pairs if bar is not None)])


@dataclass(frozen=True)
class Momentum:
    """A component of the linear or the angular momentum about the origin."""

    column: str
    by_system: bool = True
    size: int = 1

    @property
    def unit(self) -> str:
        return "kg m/s" if self.column[0] == "p" else "kg m^2/s"

    def value(self, system: System, state: State) -> Array:
        linear, angular = momenta(system, state)
        return np.array([(linear if self.column[0] == "p" else angular)["xyz".index(self.column[1])]])

    def pull(self, system: System, state: State, bar: Array) -> tuple[Array | None, Array | None]:
        axis = np.zeros(3)
        axis["xyz".index(self.column[1])] = bar[0]
        mass = system.mass[:, None]
        if self.column[0] == "p":
            return None, system.on_free(mass * axis)
        # a . (x cross m v) = x . (m v cross a) = m v . (a cross x)
        return system.on_free(mass * np.cross(state.v, axis)), system.on_free(mass * np.cross(axis, state.x))

    def push(self, system: System, state: State, dots: Dots) -> Array:
        x, v = self.pull(system, state, np.ones(1))
        pairs = ((x, dots.x), (v, dots.v))
        return np.array([sum(float(np.vdot(bar, dot)) for bar, dot in pairs if bar is not None)])
