"""Bounds and rules attached to a type hint, as functions that validate a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from annotated_types import Ge, Gt, Le, Len, Lt

from supple.checks.findings import FINE, Found, Judge, first_wrong, wrong, wrong_count
from supple.values import Check


def rule_of(mark: Any) -> Judge | None:
    """The validator of one bound or check."""
    match mark:
        case Gt(gt=bound):
            return _bounded(bound, "greater than", lambda value: value > bound)
        case Ge(ge=bound):
            return _bounded(bound, "greater than or equal to", lambda value: value >= bound)
        case Lt(lt=bound):
            return _bounded(bound, "less than", lambda value: value < bound)
        case Le(le=bound):
            return _bounded(bound, "less than or equal to", lambda value: value <= bound)
        case Len(min_length=least, max_length=most):
            return _counted(least, most)
        case Check(rule=rule):
            return _passing(rule)
    return None


def _bounded(bound: Any, words: str, holds: Callable[[Any], Any]) -> Judge:
    rule = f"be {words} {bound:g}" if isinstance(bound, float) else f"be {words} {bound}"

    def look(value: Any) -> tuple[Any, Found]:
        good = holds(value)
        if good is True:
            return value, FINE
        if isinstance(value, np.ndarray):
            return value, first_wrong(value, np.asarray(good), rule)
        return (value, FINE) if good else wrong(value, rule)

    return look


def _counted(least: int, most: int | None) -> Judge:
    def look(value: Any) -> tuple[Any, Found]:
        entries = list(value)
        if len(entries) < least:
            return value, wrong_count(value, entries, f"least {least}")
        if most is not None and len(entries) > most:
            return value, wrong_count(value, entries, f"most {most}")
        return value, FINE

    return look


def _passing(rule: Callable[[Any], Any]) -> Judge:
    def look(value: Any) -> tuple[Any, Found]:
        try:
            return rule(value), FINE
        except ValueError as error:
            return value, [("", str(error))]

    return look
