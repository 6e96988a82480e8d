"""Arithmetic in scene files: `"0.1 * sin(pi * X)"`, `"X < 0.1 and Y > 0"`, over all vertices at once.

The language of `parse`, with the rest coordinates X, Y, Z and the distance r from the origin, in metres, or, for
time-dependent quantities, the current position x, y, z and the time t; and with pi and e.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SceneError
from supple.formulas.graph import Node
from supple.formulas.parse import A_CONDITION, A_NUMBER, kind, parse
from supple.formulas.walk import evaluate
from supple.types import Array

REST = ("X", "Y", "Z", "r")
"""Variables of time-independent quantities: rest coordinates."""
PRESENT = ("x", "y", "z", "t")
"""Variables of time-dependent quantities: current position and time."""
CONSTANTS = {"pi": math.pi, "e": math.e}


@dataclass(frozen=True)
class Expression:
    """A checked expression; a ValueError at construction names the fault in the text."""

    text: str
    variables: tuple[str, ...] = REST
    """`REST` or `PRESENT`."""
    graph: Node = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "graph", parse(self.text, self.variables, CONSTANTS))

    @property
    def kind(self) -> str:
        """`A_NUMBER` or `A_CONDITION`."""
        return kind(self.graph)

    def values(self, points: Array, t: float = 0.0) -> Array:
        """The number at each of the points (n, 3), and at a time [s]."""
        self.demand(A_NUMBER)
        result = self._evaluate(points, t)
        bad = np.flatnonzero(~np.isfinite(result))
        if bad.size:
            where = ", ".join(f"{c:g}" for c in points[bad[0]])
            raise SceneError(
                f"expression '{self.text}' is {result[bad[0]]} at {bad.size} of {len(points)} vertices, "
                f"first at ({where}); it must be finite everywhere"
            )
        return result

    def holds(self, points: Array, t: float = 0.0) -> npt.NDArray[np.bool_]:
        """Whether the condition holds at each of the points (n, 3), and at a time [s]."""
        self.demand(A_CONDITION)
        return self._evaluate(points, t)

    def demand(self, wanted: str) -> None:
        """Reject a condition where a number is required, and vice versa."""
        if self.kind != wanted:
            example = f"{self.variables[0]} < 0.1" if wanted == A_CONDITION else f"2 * {self.variables[0]}"
            raise ValueError(f"'{self.text}' is {self.kind}; {wanted} is needed here, such as '{example}'")

    def _evaluate(self, points: Array, t: float) -> npt.NDArray[Any]:
        points = np.asarray(points, dtype=np.float64)
        last = np.linalg.norm(points, axis=1) if self.variables == REST else t
        return evaluate([self.graph], dict(zip(self.variables, (*points.T, last), strict=True)), len(points))[0]
