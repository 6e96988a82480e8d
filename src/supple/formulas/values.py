"""Value types given as expressions: coordinates, conditions, fields and surfaces written as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from annotated_types import Len

from supple.formulas.expressions import PRESENT, REST, Expression
from supple.formulas.implicit import Implicit
from supple.formulas.parse import A_CONDITION, A_NUMBER
from supple.types import Array
from supple.values import Check, Read
from supple.wording import shown


def _component(variables: tuple[str, ...]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if isinstance(value, str):
            Expression(value, variables).demand(A_NUMBER)
        elif isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
            example = f"0.1 * {variables[0]}"
            raise ValueError(
                f'input should be a finite number or an expression such as "{example}", found {shown(value)}'
            )
        return value

    return check


def _condition(text: str) -> str:
    Expression(text).demand(A_CONDITION)
    return text


def _present_condition(text: str) -> str:
    Expression(text, PRESENT).demand(A_CONDITION)
    return text


def _present_number(text: str) -> str:
    Expression(text, PRESENT).demand(A_NUMBER)
    return text


def _surface(text: str) -> str:
    Implicit(text)
    return text


present_component = _component(PRESENT)
"""A number, or an expression in x, y, z and t; otherwise a ValueError."""
Components = Annotated[tuple[Annotated[float | str, Read(_component(REST), float | str)], ...], Len(3, 3)]
"""Three coordinates: numbers, or expressions in the rest coordinates X, Y, Z."""
PresentComponents = Annotated[tuple[Annotated[float | str, Read(present_component, float | str)], ...], Len(3, 3)]
"""Three coordinates: numbers, or expressions in the current position x, y, z and the time t."""
Condition = Annotated[str, Check(_condition)]
"""A comparison in the rest coordinates X, Y, Z, such as `X < 0.1`."""
PresentCondition = Annotated[str, Check(_present_condition)]
"""A comparison in the current position x, y, z and the time t, such as `x^2 + z^2 < 1`."""
PresentNumber = Annotated[str, Check(_present_number)]
"""An expression in the current position x, y, z and the time t."""
Equation = Annotated[str, Check(_surface)]
"""A smooth expression in x, y, z that is zero on a surface."""


@dataclass(frozen=True)
class VectorField:
    """A velocity field w(x, t) from three numbers or expressions in x, y, z and t."""

    components: tuple[float | str, ...]
    """Numbers [m/s], or expressions, along x, y and z."""

    def __call__(self, x: Array, t: float) -> Array:
        """(n, 3) velocities [m/s] at the positions x (n, 3) and the time t [s]."""
        columns = [c.values(x, t) if isinstance(c, Expression) else np.full(len(x), c) for c in self._parsed]
        return np.stack(columns, axis=1)

    @cached_property
    def _parsed(self) -> list[float | Expression]:
        return [Expression(c, PRESENT) if isinstance(c, str) else c for c in self.components]
