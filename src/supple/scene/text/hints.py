"""Type hints of dataclasses in pydantic's form."""

from __future__ import annotations

import dataclasses
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin

from pydantic import AfterValidator, AllowInfNan, BeforeValidator, Field, PlainSerializer, Strict, WrapValidator
from typing_extensions import TypedDict

from supple.values import Check, OverTime, Read, Timed, Written, carried_number, whole_number


def strict_numbers(hint: Any) -> Any:
    """The same type for a table: without `true` or `"0.01"` as a number and without nan and inf, dataclasses as
    tables, and supple's annotations as those of pydantic."""
    if hint is float:
        return Annotated[float, Strict(), AllowInfNan(False), AfterValidator(carried_number)]
    if hint is int:
        return Annotated[int, Strict(), AfterValidator(whole_number)]
    if hint is bool:
        return Annotated[bool, Strict()]
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        from supple.scene.text.registry_models import options_model  # which needs the hints of the fields

        return options_model(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated and any(isinstance(mark, OverTime) for mark in hint.__metadata__):
        return _over_time(arguments[0], hint.__metadata__)
    if origin is Annotated and arguments[0] in (int, float):
        # bounds come before the size, since pydantic writes only those beside the type into the schema
        *strict, size = strict_numbers(arguments[0]).__metadata__
        return Annotated[(arguments[0], *strict, *map(_mark, hint.__metadata__), size)]
    if origin is Annotated:
        return Annotated[(strict_numbers(arguments[0]), *map(_mark, hint.__metadata__))]
    if origin in (Union, UnionType):
        return reduce(or_, map(strict_numbers, arguments))
    if origin in (tuple, list):
        return origin[tuple(a if a is Ellipsis else strict_numbers(a) for a in arguments)]
    if origin is dict:
        return origin[arguments[0], strict_numbers(arguments[1])]
    return hint


class CurveTable(TypedDict):
    """A time-dependent number given by keys."""

    keys: Annotated[
        list[tuple[float, float]], Field(description="Pairs of a time [s] and a value, in the order of time.")
    ]
    interpolation: NotRequired[
        Annotated[
            Literal["linear", "smooth", "spline", "step"],
            Field(description="Interpolation between the keys; `linear` if absent."),
        ]
    ]


def _over_time(hint: Any, marks: tuple[Any, ...]) -> Any:
    """A number within its bounds, or a curve in text form whose values are within them."""
    rules = [mark for mark in marks if not isinstance(mark, OverTime)]
    changing = next(mark for mark in marks if isinstance(mark, OverTime))
    number = strict_numbers(Annotated[(hint, *rules)] if rules else hint)

    def read(value: Any, judge: Any) -> Any:
        form = changing.read(value)
        if not isinstance(form, Timed):
            return judge(value)
        for each in changing.bounded(form):
            judge(each)
        return value

    as_it_is = PlainSerializer(lambda value: value, return_type=Any)
    return Annotated[number, WrapValidator(read, json_schema_input_type=number | str | CurveTable), as_it_is]


def _mark(mark: Any) -> Any:
    """An annotation of `supple.values` in pydantic's form."""
    if isinstance(mark, Check):
        return AfterValidator(mark.rule)
    if isinstance(mark, Read):
        if mark.written is None:
            return BeforeValidator(mark.form)
        return BeforeValidator(mark.form, json_schema_input_type=strict_numbers(mark.written))
    return mark


def written_as(hint: Any) -> Written | None:
    """Text form of a value that only Python can hold; None if it needs none."""
    for part in (hint, *get_args(hint)):
        marks = getattr(part, "__metadata__", ())
        found = next((mark for mark in marks if isinstance(mark, Written)), None)
        if found is not None:
            return found
    return None
