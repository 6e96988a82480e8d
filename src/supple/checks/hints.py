"""From a type hint to a validator, which returns the usual form of a value and its problems.

The messages match those that `scene.text.problems` makes of pydantic's findings; a test compares them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Iterable, Mapping
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from supple.checks.bounds import rule_of
from supple.checks.findings import FINE, Found, Judge, first_wrong, plain, wrong, wrong_count
from supple.values import LARGEST, Deferred, OverTime, Read, Timed, bounded_number, whole_number
from supple.wording import shown, suggestion

EXACT = 2**53
"""Whole numbers up to here are exact in double precision; NumPy has no number for much larger ones."""


def judge(hint: Any, per_element: bool = False) -> Judge | None:
    """The validator of a hint; None if every value is valid. `per_element`: arrays may replace numbers."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(args[0], args[1:], per_element)
    if origin is Literal:
        return _literal(args)
    if origin in (Union, UnionType):
        return _union(args, per_element)
    if origin in (tuple, list):
        return _entries(origin, args, per_element)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _options(hint)
    if hint is float and per_element:
        return _numbers
    return {float: _number, int: _whole, bool: _truth, str: _text}.get(hint)


def _number(value: Any) -> tuple[Any, Found]:
    if isinstance(value, bool) or not isinstance(value, Real):
        return wrong(value, "be a valid number")
    try:
        if not math.isfinite(value):
            return wrong(value, "be a finite number")
        bounded_number(float(value))
    except OverflowError:  # a whole number beyond any double
        return wrong(value, "be a finite number")
    except ValueError as error:
        return value, [("", str(error))]
    return _plain_number(value), FINE


def _plain_number(value: Any) -> float:
    """The number as Python's own: those of NumPy would round, or overflow, in their own precision."""
    if isinstance(value, Integral):
        return int(value) if abs(int(value)) <= EXACT else float(value)
    return value if type(value) is float else float(value)


def _numbers(value: Any) -> tuple[Any, Found]:
    if isinstance(value, Deferred):
        return value, FINE
    if not isinstance(value, np.ndarray):
        return _number(value)
    if value.dtype.kind not in "iuf":
        return wrong(value, "be a valid number")
    if np.ma.is_masked(value):
        return value, [("", f"{np.ma.count_masked(value)} entries are masked; give a number for each of them")]
    found = first_wrong(value, np.isfinite(value), "be a finite number")
    size = np.abs(value)
    return value, found or first_wrong(
        value,
        size <= LARGEST,
        f"be at most {LARGEST:g} in size",
    )


def _whole(value: Any) -> tuple[Any, Found]:
    if isinstance(value, bool) or not isinstance(value, Integral):
        return wrong(value, "be a whole number")
    try:
        return whole_number(int(value)), FINE
    except ValueError as error:
        return value, [("", str(error))]


def _truth(value: Any) -> tuple[Any, Found]:
    return (value, FINE) if isinstance(value, bool | np.bool_) else wrong(value, "be true or false")


def _text(value: Any) -> tuple[Any, Found]:
    return (value, FINE) if isinstance(value, str) else wrong(value, "be a valid string")


def _options(cls: type[Any]) -> Judge:
    """Nested options, as an instance or as a mapping of their values."""

    def look(value: Any) -> tuple[Any, Found]:
        if isinstance(value, cls):
            return value, FINE
        if isinstance(value, Mapping):
            misplaced = _misplaced(cls, value)
            return (value, misplaced) if misplaced else (cls(**value), FINE)
        return value, [("", f"input should be of the kind {cls.__name__}, found {shown(plain(value))}")]

    return look


def _misplaced(cls: type[Any], given: Mapping[str, Any]) -> Found:
    """Keys of a mapping that the options have not, and required ones that it lacks."""
    fields = [f for f in dataclasses.fields(cls) if f.init]
    known = [f.name for f in fields]
    absent = (f.name for f in fields if f.default is f.default_factory is dataclasses.MISSING and f.name not in given)
    unknown = [(f".{key}", f"unknown key{suggestion(key, known)}") for key in given if key not in known]
    return [*unknown, *((f".{name}", "missing, but required") for name in absent)]


def _literal(words: tuple[Any, ...]) -> Judge:
    def look(value: Any) -> tuple[Any, Found]:
        if isinstance(value, Hashable) and value in words:
            return value, FINE
        return value, [("", f"unknown value {shown(plain(value))}{suggestion(value, words)}")]

    return look


def _union(members: tuple[Any, ...], per_element: bool) -> Judge | None:
    """The first member that accepts the value; otherwise the problems found by all of them."""
    judges = [judge(member, per_element) for member in members if member is not NoneType]
    optional = NoneType in members
    if not all(judges):
        return None

    def look(value: Any) -> tuple[Any, Found]:
        if value is None and optional:
            return value, FINE
        sentences: dict[str, list[str]] = {}
        for member in judges:
            form, found = member(value)  # type: ignore[misc]  # none of them is None
            if not found:
                return form, FINE
            for below, sentence in found:
                if sentence not in sentences.setdefault(below, []):
                    sentences[below].append(sentence)
        return value, [(below, " or ".join(said)) for below, said in sentences.items()]

    return look


def _entries(kind: type[Any], hints: tuple[Any, ...], per_element: bool) -> Judge:
    """Lists and tuples, interchangeable; a tuple of fixed length has one validator per entry."""
    fixed = kind is tuple and Ellipsis not in hints
    places = [judge(hint) for hint in hints if hint is not Ellipsis]

    def look(value: Any) -> tuple[Any, Found]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            return wrong(value, "be a list")
        if per_element and getattr(value, "ndim", 1) > 1:  # one vector per element
            return value, FINE
        entries = value.tolist() if isinstance(value, np.ndarray) else list(value)
        if fixed and len(entries) != len(places):
            if len(entries) > len(places):
                return value, wrong_count(value, entries, f"most {len(places)}")
            return value, [(f"[{i}]", "missing, but required") for i in range(len(entries), len(places))]
        problems: list[tuple[str, str]] = []
        forms = []
        for i, entry in enumerate(entries):
            member = places[i if fixed else 0]
            form, found = member(entry) if member else (entry, FINE)
            forms.append(form)
            problems += [(f"[{i}]{below}", sentence) for below, sentence in found]
        changed = any(form is not entry for form, entry in zip(forms, entries, strict=True))
        return (kind(forms) if changed or type(value) is not kind else value), problems

    return look


def _annotated(hint: Any, marks: tuple[Any, ...], per_element: bool) -> Judge:
    inner = judge(hint, per_element)
    reads = [mark.form for mark in marks if isinstance(mark, Read)]
    rules = [rule for mark in marks if (rule := rule_of(mark)) is not None]
    changing = next((mark for mark in marks if isinstance(mark, OverTime)), None)
    if changing is not None:
        bare = tuple(mark for mark in marks if mark is not changing)
        return _over_time(changing, _annotated(hint, bare, per_element))

    def look(value: Any) -> tuple[Any, Found]:
        form = value
        try:
            for read in reads:
                form = read(form)
        except ValueError as error:
            return value, [("", str(error))]
        form, found = inner(form) if inner else (form, FINE)
        for rule in rules:
            if found or isinstance(form, Deferred) or (per_element and getattr(form, "ndim", 1) > 1):
                break
            form, found = rule(form)
        return form, found

    return look


def _over_time(mark: OverTime, number: Judge) -> Judge:
    """A number, or a curve whose values the validator of numbers accepts."""

    def look(value: Any) -> tuple[Any, Found]:
        try:
            form = mark.read(value)
        except ValueError as error:
            return value, [("", str(error))]
        if not isinstance(form, Timed):
            return number(value)
        for each in mark.bounded(form):
            found = number(each)[1]
            if found:
                return value, found
        return form, FINE

    return look
