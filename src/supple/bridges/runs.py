"""A run as a function of arrays: start and constants in, last state out, and its derivatives the other way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.dynamics.state import State
from supple.integrators.method import Method
from supple.model.model import Model
from supple.sensitivity.naming import constants_of, with_constants
from supple.sensitivity.record import Record, record
from supple.sensitivity.sweeps import Share
from supple.types import Array


@dataclass(frozen=True, eq=False)
class ArrayRun:
    """`steps` steps of h [s] of a model; `constants` are names of those that are arguments (`bar.mu`)."""

    model: Model
    method: Method
    h: float
    steps: int
    constants: tuple[str, ...] = ()

    def arguments(self) -> tuple[Array, ...]:
        """Start positions and velocities, then the constants, as the model has them."""
        values = constants_of(self.model)
        return self.model.state.x, self.model.state.v, *(values[name] for name in self.constants)

    def forward(self, x: Array, v: Array, *constants: Array) -> Record:
        """The run from a start and with these constants; its last state is the result."""
        given = dict(zip(self.constants, map(_plain, constants), strict=True))
        model = with_constants(self.model, given) if given else self.model
        start = State(self.model.state.t, _plain(x), _plain(v))
        return record(model, self.method, h=self.h, steps=self.steps, start=start)

    def backward(self, found: Record, x: Array, v: Array) -> tuple[Array, ...]:
        """Derivatives by the arguments, from those by the last positions and velocities."""
        last = len(found.times) - 1
        bars = found.pull(
            lambda index, state: Share(0.0, _plain(x), _plain(v)) if index == last else None,
            fields=bool(self.constants),
        )
        return bars.start.x, bars.start.v, *(bars.constants[name] for name in self.constants)

    def shapes(self) -> Sequence[tuple[int, ...]]:
        """Of the arguments."""
        return [np.shape(a) for a in self.arguments()]


def _plain(values: Array) -> Array:
    return np.array(values, dtype=np.float64, order="C")
