"""Validates the values of a dataclass against its type hints, with the messages used for scene files.

    >>> Newmark(beta=-1)
    SuppleError: newmark.beta: input should be greater than 0, found -1

Hints are read once per class and compiled to functions, so a check costs about a microsecond per field. Values
without a supported hint (another method, a function, an array) pass.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

from supple.checks.findings import Judge
from supple.checks.hints import judge
from supple.errors import SuppleError
from supple.values import Deferred

C = TypeVar("C", bound=type)


def checked(cls: C, error: type[SuppleError] = SuppleError, per_element: bool = False, of_place: bool = False) -> C:
    """Class decorator: every instance of this dataclass, and of its subclasses, is checked before its `__post_init__`.

    `per_element`: a NumPy array, with all entries within the bounds, may replace a number; `of_place`: a `Deferred`
    too.
    """
    inner: Callable[..., None] | None = getattr(cls, "__post_init__", None)
    if not dataclasses.is_dataclass(cls) or getattr(inner, "_checks", False):
        return cls

    def __post_init__(self: Any, *given: Any) -> None:
        check_values(self, error, per_element)
        pending = _pending(self)
        if pending and not of_place:
            raise error(
                f"{label(type(self))}.{pending[0]}: input should be a valid number, found one that depends on position"
            )
        if inner is not None and not pending:
            inner(self, *given)

    __post_init__._checks = True  # type: ignore[attr-defined]
    cls.__post_init__ = __post_init__  # type: ignore[attr-defined]
    if inner is None:  # the generated __init__ of this class calls no __post_init__; those of later subclasses do
        cls.__init__ = _then_checked(cls.__init__)  # type: ignore[method-assign]
    return cls


def _then_checked(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **options: Any) -> None:
        init(self, *args, **options)
        self.__post_init__()

    return __init__


def _pending(obj: Any) -> list[str]:
    """Fields whose value is still deferred; rules that combine values apply once the object has all of them."""
    return [f.name for f in dataclasses.fields(obj) if isinstance(getattr(obj, f.name, None), Deferred)]


def check_values(obj: Any, error: type[SuppleError] = SuppleError, per_element: bool = False, where: str = "") -> None:
    """Raise an error with one line for each field that violates its type hint.

    A value in an alternative form that its hint can read (`Read`) is replaced by its usual form. `where`: the name of the
    object in messages; that of its class by default.
    """
    problems: list[str] = []
    for field, look in _judges((type(obj), per_element)):
        value = getattr(obj, field)
        form, found = look(value)
        if found:
            problems += [f"{where or label(type(obj))}.{field}{below}: {sentence}" for below, sentence in found]
        elif form is not value:
            object.__setattr__(obj, field, form)
    if problems:
        raise error("\n".join(problems))


@functools.cache
def _judges(source: tuple[type[Any], bool]) -> tuple[tuple[str, Judge], ...]:
    cls, per_element = source
    hints = get_type_hints(cls, include_extras=True)
    found = ((f.name, judge(hints[f.name], per_element)) for f in dataclasses.fields(cls) if f.init)
    return tuple((name, look) for name, look in found if look is not None)


def label(cls: type[Any]) -> str:
    """The name in the registry, or the class name in the same style: `half-space` for HalfSpace."""
    name = getattr(cls, "name", None)
    if isinstance(name, str) and all(f.name != "name" for f in dataclasses.fields(cls)):
        return name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()
