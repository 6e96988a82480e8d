"""A run as a function of arrays: from initial state and constants to the last state, with reverse derivatives."""

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
    """`steps` steps of h [s] of a model; `constants` are the names of the constants that are arguments (`bar.mu`)."""

    model: Model
    method: Method
    h: float
    steps: int
    constants: tuple[str, ...] = ()

    def arguments(self) -> tuple[Array, ...]:
        """Start positions and velocities, then the constants, as in the model."""
        values = constants_of(self.model)
        return self.model.state.x, self.model.state.v, *(values[name] for name in self.constants)

    def forward(self, x: Array, v: Array, *constants: Array) -> Record:
        """The run from a start and with these constants; its last state is the result."""
        given = dict(zip(self.constants, map(_plain, constants), strict=True))
        model = with_constants(self.model, given) if given else self.model
        start = State(self.model.state.t, _plain(x), _plain(v))
        return record(model, self.method, h=self.h, steps=self.steps, start=start)

    def backward(self, found: Record, x: Array, v: Array) -> tuple[Array, ...]:
        """Derivatives with respect to the arguments, from those with respect to the last positions and velocities."""
        last = len(found.times) - 1
        bars = found.pull(
            lambda index, state: Share(0.0, _plain(x), _plain(v)) if index == last else None,
            fields=bool(self.constants),
        )
        return bars.start.x, bars.start.v, *(bars.constants[name] for name in self.constants)

    def shapes(self) -> Sequence[tuple[int, ...]]:
        """Shapes of the arguments."""
        return [np.shape(a) for a in self.arguments()]


def _plain(values: Array) -> Array:
    return np.array(values, dtype=np.float64, order="C")
