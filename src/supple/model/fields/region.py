"""The region of a field: a box, a sphere, a half-space, a condition, or a user-defined weight.

Inside a soft edge of width e the field grows from 0 at the boundary to 1 at the depth e, as 3 s^2 - 2 s^3 with s = depth/e: its
first derivatives are continuous.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Len

from supple.checks import checked
from supple.errors import SuppleError
from supple.formulas.expressions import PRESENT, Expression
from supple.formulas.values import PresentCondition, PresentNumber
from supple.model.selection import Beyond, Within
from supple.types import Array
from supple.values import NotNegative, Vector, exactly_one


@checked
@dataclass(frozen=True)
class FieldRegion:
    """Region of a field; exactly one of box, sphere, plane, condition and weight."""

    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner [m]."""
    sphere: Within | None = None
    """A ball by its centre and radius."""
    plane: Beyond | None = None
    """A half-space: the side of a plane to which its normal points."""
    condition: PresentCondition | None = None
    """A condition in the position x, y, z [m] and the time t [s], such as `x^2 + z^2 < 1`."""
    weight: PresentNumber | None = None
    """A factor from 0 to 1 as an expression in x, y, z [m] and t [s]; values outside are clipped."""
    edge: NotNegative = 0.0
    """Width of the soft edge inside a box, sphere or half-space [m]."""

    def __post_init__(self) -> None:
        places = ("box", "sphere", "plane", "condition", "weight")
        exactly_one({key: getattr(self, key) for key in places}, "a region")
        if self.box is not None and any(low >= high for low, high in zip(*self.box, strict=True)):
            lower, upper = (list(corner) for corner in self.box)
            raise SuppleError(f"box must go from its lower to its upper corner, found {lower} and {upper}")
        if self.edge > 0.0 and self._expression is not None:
            raise SuppleError(
                f"a soft edge needs a box, sphere or plane, found edge = {self.edge:g} with an expression; give a weight "
                "that falls to 0 by itself"
            )

    def weights(self, x: Array, t: float) -> Array:
        """(n,) factors from 0 to 1 at the positions x (n, 3) and the time t [s]."""
        if self._expression is not None:
            if self.condition is not None:
                return np.broadcast_to(self._expression.holds(x, t), len(x)).astype(np.float64)
            return np.clip(np.broadcast_to(self._expression.values(x, t), len(x)), 0.0, 1.0)
        weight = np.ones(len(x))
        for depth in self._depths(x):
            weight = weight * (_smooth(depth / self.edge) if self.edge > 0.0 else (depth >= 0.0))
        return weight

    @cached_property
    def _expression(self) -> Expression | None:
        text = self.condition if self.condition is not None else self.weight
        return None if text is None else Expression(text, PRESENT)

    def _depths(self, x: Array) -> list[Array]:
        """(n,) each: inward distances from every face, negative outside [m]."""
        if self.sphere is not None:
            return [self.sphere.radius - np.linalg.norm(x - np.asarray(self.sphere.centre), axis=1)]
        if self.plane is not None:
            normal = np.asarray(self.plane.normal, dtype=np.float64)
            return [(x - np.asarray(self.plane.point)) @ normal / np.linalg.norm(normal)]
        low, high = (np.asarray(corner) for corner in self.box or ())
        return [*(x - low).T, *(high - x).T]


def _smooth(s: Array) -> Array:
    """0 up to s = 0, 1 from s = 1, and 3 s^2 - 2 s^3 between."""
    s = np.clip(s, 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)
