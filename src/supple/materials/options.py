"""Materials as dataclasses: access to their constants, and copies with other values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, TypeVar

from supple.formulas.curves import times

T = TypeVar("T")


def fields_of(options: Any) -> tuple[dataclasses.Field[Any], ...]:
    """The constants and options of a material, which is a frozen dataclass even if its base class is not."""
    return dataclasses.fields(options)


def with_values(options: T, **values: Any) -> T:
    """The same with other values for some fields."""
    plain: Any = options
    made: T = dataclasses.replace(plain, **values)
    return made


def unchecked(options: T, **values: Any) -> T:
    """The same with other values for some fields, without validation and without memory of the old values."""
    made: T = object.__new__(type(options))
    for f in fields_of(options):
        object.__setattr__(made, f.name, values.get(f.name, getattr(options, f.name)))
    return made


def multiplied(options: T, keys: Iterable[str], factor: float) -> T:
    """The same with some of its fields multiplied, if they have a value."""
    given = {f.name: getattr(options, f.name) for f in fields_of(options) if f.name in keys}
    return with_values(options, **{key: times(factor, value) for key, value in given.items() if value is not None})
