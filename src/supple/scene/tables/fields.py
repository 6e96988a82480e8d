"""The kinds of value in a scene file: strict finite numbers, vectors, times, expressions. Units are SI."""

from __future__ import annotations

import re
from typing import Annotated, Any

from annotated_types import Ge, Gt, Len
from pydantic import AfterValidator, AllowInfNan, BeforeValidator, Field, Strict, WithJsonSchema

from supple.colours import colour_code
from supple.errors import SuppleError
from supple.formulas.expressions import CONDITION, NUMBER, PRESENT, REST, Expression
from supple.wording import shown

Number = Annotated[float, Strict(), AllowInfNan(False)]
Positive = Annotated[Number, Gt(0)]
NotNegative = Annotated[Number, Ge(0)]
Count = Annotated[int, Strict(), Ge(0)]
Vector = Annotated[tuple[Number, ...], Len(3, 3)]


def _direction(vector: tuple[float, ...]) -> tuple[float, ...]:
    if not any(vector):
        raise ValueError("a direction must not be zero, found [0, 0, 0]")
    return vector


Direction = Annotated[Vector, AfterValidator(_direction)]


def _colour(text: str) -> str:
    try:
        colour_code(text)
    except SuppleError as error:
        raise ValueError(str(error)) from None
    return text


Colour = Annotated[str, Strict(), AfterValidator(_colour)]
"""A name of colours.py, or `#rrggbb`."""

_FRACTION = re.compile(r"\s*([-+]?\d+(?:\.\d*)?)\s*/\s*(\d+(?:\.\d*)?)\s*")


def _seconds(value: Any) -> Any:
    """A fraction such as "1/30" as a number; everything else goes on as it is."""
    if not isinstance(value, str):
        return value
    match = _FRACTION.fullmatch(value)
    if not match or float(match[2]) == 0:
        raise ValueError(f"input should be a number of seconds or a fraction such as \"1/30\", found '{value}'")
    return float(match[1]) / float(match[2])


def _positive_seconds(value: float) -> float:
    if value <= 0:
        raise ValueError(f"input should be greater than 0 seconds, found {value:g}")
    return value


Seconds = Annotated[
    Number,
    AfterValidator(_positive_seconds),
    BeforeValidator(_seconds),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0},
                {"type": "string", "pattern": r"^\s*\d+(\.\d*)?\s*/\s*\d+(\.\d*)?\s*$", "examples": ["1/30"]},
            ]
        }
    ),
]
"""A time span above 0; the only number that may be written as a string, a fraction such as "1/30"."""


def _poisson(value: float) -> float:
    if not -1 < value < 0.5:
        raise ValueError(
            f"input should be above -1 and below 0.5, found {value:g}; "
            "0.5 would be incompressible, with an infinite bulk modulus: take 0.49 or less"
        )
    return value


Poisson = Annotated[
    Number,
    AfterValidator(_poisson),
    Field(json_schema_extra={"exclusiveMinimum": -1, "exclusiveMaximum": 0.5}),
]


def _component(variables: tuple[str, ...]) -> BeforeValidator:
    def check(value: Any) -> Any:
        if isinstance(value, str):
            Expression(value, variables).demand(NUMBER)
        elif isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
            example = f"0.1 * {variables[0]}"
            raise ValueError(
                f'input should be a finite number or an expression such as "{example}", found {shown(value)}'
            )
        return value

    return BeforeValidator(check)


_NUMBER_OR_TEXT = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})
Components = Annotated[tuple[Annotated[float | str, _component(REST), _NUMBER_OR_TEXT], ...], Len(3, 3)]
"""Three coordinates: numbers, or expressions in the rest coordinates X, Y, Z."""
PresentComponents = Annotated[tuple[Annotated[float | str, _component(PRESENT), _NUMBER_OR_TEXT], ...], Len(3, 3)]
"""Three coordinates: numbers, or expressions in the present place x, y, z and the time t."""


def _condition(text: str) -> str:
    Expression(text).demand(CONDITION)
    return text


Condition = Annotated[str, AfterValidator(_condition)]


def exactly_one(values: dict[str, Any], what: str) -> None:
    """Refuse a table in which not exactly one of these keys is given."""
    given = [key for key, value in values.items() if value is not None]
    if len(given) != 1:
        found = ", ".join(given) if given else "none of them"
        raise ValueError(f"{what} needs exactly one of {', '.join(values)}, found {found}")
