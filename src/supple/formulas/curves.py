"""Time-dependent numbers: interpolated keys, or an expression of the time t [s].

    Curve("9.81*min(1, t)")
    Curve(keys=((0.0, 1.0), (0.5, 2.0)), interpolation="smooth")

Before the first key a curve has the first value, after the last key the last one.

    linear   straight lines
    smooth   s^2 (3 - 2 s) between two keys: the rate is zero at each key
    spline   a cubic between two keys with the mean slope of its neighbours at each key, zero at both ends
    step     the value of the last key that has passed
"""

from __future__ import annotations

import copy
import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from numbers import Real
from typing import Annotated, Any, Literal, get_args

import numpy as np

from supple.errors import FormulaError, SuppleError
from supple.formulas.expressions import CONSTANTS
from supple.formulas.graph import Node
from supple.formulas.parse import A_NUMBER, kind, parse
from supple.formulas.source import LONGEST
from supple.formulas.walk import evaluate
from supple.values import NotNegative, OverTime, Positive, Timed
from supple.wording import shown

Interpolation = Literal["linear", "smooth", "spline", "step"]
FORMS = 'a number, an expression of t such as "2*min(1, t)", or { keys = [[0.0, 1.0], [0.5, 2.0]] }'


@dataclass(frozen=True)
class Curve(Timed):
    """A time-dependent number; a FormulaError at construction names the fault."""

    text: str = ""
    """An expression of t, instead of keys."""
    keys: tuple[tuple[float, float], ...] = ()
    """Pairs of a time [s] and a value, times ascending."""
    interpolation: Interpolation = "linear"
    """Interpolation between keys."""
    graph: Node | None = field(init=False, repr=False, compare=False, default=None)
    """Parsed expression; None with keys."""

    def __post_init__(self) -> None:
        try:
            self._read()
        except ValueError as error:
            raise FormulaError(str(error)) from None

    def _read(self) -> None:
        if not isinstance(self.text, str):
            raise ValueError(
                f'text: input should be an expression such as "2*min(1, t)", found {shown(self.text)}; give pairs of a time '
                "and a value as keys"
            )
        if isinstance(self.keys, np.ndarray):
            object.__setattr__(self, "keys", tuple(self.keys.tolist()))
        if bool(self.text) == bool(self.keys):
            raise ValueError(
                f"a curve needs either an expression of t or keys, found {'both' if self.text else 'neither'}"
            )
        if self.interpolation not in get_args(Interpolation):
            known = ", ".join(get_args(Interpolation))
            raise ValueError(f"interpolation: unknown value {shown(self.interpolation)}; known: {known}")
        if self.keys:
            object.__setattr__(self, "keys", _checked_keys(self.keys))
            return
        graph = parse(self.text, ("t",), CONSTANTS)
        if kind(graph) != A_NUMBER:
            raise ValueError(f"'{self.text}' is {kind(graph)}; a number is needed here, such as '2*min(1, t)'")
        object.__setattr__(self, "graph", graph)
        try:
            self.at_time(0.0)
        except SuppleError as error:
            raise ValueError(str(error)) from None

    def at_time(self, t: float) -> float:
        if self.graph is None:
            return self._between(t)
        with np.errstate(all="ignore"):
            value = float(evaluate([self.graph], {"t": np.array([t])}, 1)[0][0])
        if not math.isfinite(value):
            raise SuppleError(f"'{self.text}' is {value} at t = {t:g} s; it must be finite at all times")
        return value

    @property
    def values(self) -> tuple[float, ...]:
        """All values at its keys; for an expression, the value at the start."""
        return tuple(value for _, value in self.keys) or (self.at_time(0.0),)

    @property
    def expression(self) -> str:
        """The same as an expression of t; a ValueError for more keys than an expression can hold."""
        if self.text:
            return self.text
        text = repr(self.keys[0][1])
        for k, (start, _) in enumerate(self.keys):
            text = f"where(t < {start!r}, {text}, {self._piece(k)})"
            if len(text) > LONGEST:  # before it grows with the square of their number
                raise ValueError(
                    f"keys: found {len(self.keys)} keys, {self.interpolation}; here a curve becomes an expression of at most "
                    f"{LONGEST} characters, which holds {k}: give fewer keys, or an expression of t"
                )
        return text

    def _piece(self, k: int) -> str:
        """The text from key k to the next."""
        start, a = self.keys[k]
        if k + 1 == len(self.keys) or self.interpolation == "step":
            return repr(a)
        end, b = self.keys[k + 1]
        s, span = f"((t - {start!r})/{end - start!r})", end - start
        if self.interpolation == "linear":
            return f"({a!r} + {b - a!r}*{s})"
        if self.interpolation == "smooth":
            return f"({a!r} + {b - a!r}*{s}^2*(3 - 2*{s}))"
        p, q = self._slopes[k] * span, self._slopes[k + 1] * span
        return f"({a!r} + {s}*({p!r} + {s}*({3 * (b - a) - 2 * p - q!r} + {s}*{p + q - 2 * (b - a)!r})))"

    @cached_property
    def _times(self) -> list[float]:
        return [time for time, _ in self.keys]

    @cached_property
    def _slopes(self) -> list[float]:
        """Rates at the keys of a spline."""
        inner = [(c[1] - a[1]) / (c[0] - a[0]) for a, c in zip(self.keys, self.keys[2:], strict=False)]
        return [0.0, *inner, 0.0]

    def _between(self, t: float) -> float:
        k = bisect_right(self._times, t) - 1
        if k < 0:
            return self.keys[0][1]
        start, a = self.keys[k]
        if k + 1 == len(self.keys) or self.interpolation == "step":
            return a
        end, b = self.keys[k + 1]
        s, span = (t - start) / (end - start), end - start
        if self.interpolation == "linear":
            return a + (b - a) * s
        if self.interpolation == "smooth":
            return a + (b - a) * s * s * (3 - 2 * s)
        p, q = self._slopes[k] * span, self._slopes[k + 1] * span
        return a + s * (p + s * (3 * (b - a) - 2 * p - q + s * (p + q - 2 * (b - a))))


def _checked_keys(keys: Any) -> tuple[tuple[float, float], ...]:
    found = []
    for k, key in enumerate(keys):
        pair = tuple(key) if isinstance(key, list | tuple | np.ndarray) else ()
        if len(pair) != 2 or not all(_is_finite(value) for value in pair):
            raise ValueError(f"keys[{k}]: input should be a time and a value, both finite numbers, found {shown(key)}")
        found.append((float(pair[0]), float(pair[1])))
    for (before, _), (after, _) in pairwise(found):
        if after <= before:
            raise ValueError(f"keys: times must increase, found {after:g} after {before:g}")
    return tuple(found)


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond any double
        return False


def as_curve(value: Any) -> Any:
    """A text or a table as a curve; everything else is returned unchanged."""
    if isinstance(value, str):
        if _is_a_number(value):
            raise ValueError(f"input should be a valid number, found {shown(value)}")
        if not value:
            raise ValueError(f'input should be {FORMS}, found ""')
        return Curve(value)
    if not isinstance(value, Mapping):
        return value
    unknown = sorted(set(value) - {"keys", "interpolation"})
    if unknown or "keys" not in value or not isinstance(value["keys"], list | tuple) or not value["keys"]:
        raise ValueError(f"input should be {FORMS}, found {shown(dict(value))}")
    return Curve(keys=tuple(value["keys"]), interpolation=value.get("interpolation", "linear"))


def _is_a_number(text: str) -> bool:
    """Whether a text is a bare number, which is a mistake rather than an expression."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def at_time(value: Any, t: float, where: str = "") -> float:
    """A number, or the value of a curve at a time; `where`: its place in the scene, for messages."""
    try:
        return float(value.at_time(t) if isinstance(value, Timed) else value)
    except SuppleError as error:  # an expression that is not finite
        raise SuppleError(f"{where}: {error}" if where else str(error)) from None


def times(factor: float, value: Any) -> Any:
    """A number or a curve, multiplied by a factor."""
    if not isinstance(value, Curve):
        return factor * value
    if value.graph is not None:
        return _changed(value, f"{factor!r} * ({value.text})", factor * value.graph)
    keys = tuple((time, factor * entry) for time, entry in value.keys)
    return Curve(keys=keys, interpolation=value.interpolation)


def _changed(value: Curve, text: str, graph: Node) -> Curve:
    """A curve made from a checked one; its text is not read again, so that it may exceed the limits of texts."""
    made = copy.copy(value)
    object.__setattr__(made, "text", text)
    object.__setattr__(made, "graph", graph)
    return made


def changes(value: Any) -> bool:
    """Whether a number, or one in a list, is a curve."""
    if isinstance(value, tuple):
        return any(map(changes, value))
    return isinstance(value, Timed)


def positive(value: Any) -> bool:
    """Whether a number is above zero, now or perhaps later."""
    return isinstance(value, Timed) or value > 0.0


def negative(value: Any) -> Any:
    """A number, or a curve, with the other sign."""
    if not isinstance(value, Curve):
        return -float(value)
    if value.graph is not None:
        return _changed(value, f"-({value.text})", -value.graph)
    return Curve(keys=tuple((time, -each) for time, each in value.keys), interpolation=value.interpolation)


OVER_TIME = OverTime(as_curve, FORMS)
"""Marker beside a type hint of a number: it may be time-dependent."""
Changing = Annotated[float, OVER_TIME]
NotNegativeChanging = Annotated[NotNegative, OVER_TIME]
PositiveChanging = Annotated[Positive, OverTime(as_curve, FORMS, zero=True)]
"""A number above zero, or a curve that may be zero at times."""
