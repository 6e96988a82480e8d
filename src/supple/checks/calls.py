"""Validates the arguments of a function against its type hints, with the messages used for scene files.

    >>> simulate(model, AVF(), h=-0.1, steps=10)
    SuppleError: simulate.h: input should be greater than 0, found -0.1

Numbers of NumPy become plain ones. Hints are read at the first call.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Sequence
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from supple.checks.findings import FINE, Found, Judge, plain
from supple.checks.hints import judge
from supple.errors import SuppleError
from supple.wording import shown

P = ParamSpec("P")
R = TypeVar("R")


def checked_call(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: the arguments are checked before the function is called."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> R:
        given = signature.bind(*args, **named)
        problems: list[str] = []
        for name, look in _judges(function):
            if name in given.arguments:
                value = given.arguments[name]
                given.arguments[name], found = look(value)
                problems += [f"{function.__name__}.{name}{below}: {sentence}" for below, sentence in found]
        if problems:
            raise SuppleError("\n".join(problems))
        return function(*given.args, **given.kwargs)

    return call


@functools.cache
def _judges(function: Callable[..., Any]) -> tuple[tuple[str, Judge], ...]:
    hints = get_type_hints(function, include_extras=True)
    found = ((name, _judge(hint)) for name, hint in hints.items() if name != "return")
    return tuple((name, look) for name, look in found if look is not None)


def _judge(hint: Any) -> Judge | None:
    """The validator of an argument: as for a field, but objects must be instances. None if every value is valid."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = tuple(get_origin(member) or member for member in members if _is_kind(member))
    all_judges = [judge(_as_tuple(member)) for member in members if not _is_kind(member)]
    judges = [member for member in all_judges if member is not None]
    if len(judges) < len(all_judges):
        return None

    def look(value: Any) -> tuple[Any, Found]:
        if isinstance(value, kinds):
            return value, FINE
        problems: list[str] = []
        for member in judges:
            form, found = member(value)
            if not found:
                return form, FINE
            if not kinds and len(judges) == 1:
                return value, found
            problems += [_expected(sentence) for below, sentence in found if not below]
        problems += [f"input should be {_words(kind)}" for kind in kinds if kind is not NoneType]
        return value, [("", f"{' or '.join(dict.fromkeys(problems))}, found {_found(value)}")]

    return look


def _expected(sentence: str) -> str:
    """The part of a sentence that says what is allowed."""
    _, _, known = sentence.partition("; known: ")
    return f"one of: {known}" if known else sentence.partition(", found ")[0]


def _is_kind(member: Any) -> bool:
    """Whether values of a hint are recognised by their class alone."""
    kind = get_origin(member) or member
    return isinstance(kind, type) and kind not in (Any, Annotated, float, int, bool, str, tuple, list, Sequence)


def _as_tuple(member: Any) -> Any:
    """A sequence as a hint of a tuple, which accepts any list but no text."""
    return GenericAlias(tuple, (get_args(member)[0], ...)) if get_origin(member) is Sequence else member


def _words(kind: type[Any]) -> str:
    return "a path" if kind is os.PathLike else f"of the kind {kind.__name__}"


def _found(value: Any) -> str:
    """A value in words: plain ones as written in a file, others by their class."""
    if isinstance(value, type):
        return f"the class {value.__name__}; give an instance, such as {value.__name__}()"
    if value is None or isinstance(value, bool | int | float | str | list | tuple | dict):
        return shown(plain(value))
    return f"one of the kind {type(value).__name__}"
