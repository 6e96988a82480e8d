"""Axes of a sweep: the values of one key of a scene.

As text, in the form of `--vary`:

    body.0.material.young=1e4,1e5,1e6        these values
    body.0.material.young=1e4:1e6:5:log      five values from 1e4 to 1e6, in equal ratios; without `log` in equal steps
    body.0.material.young=1e4:1e6:log        a range, for samples
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.scene.text.override import toml_value
from supple.wording import inline

LOG = "log"
_OPEN, _CLOSE, _QUOTES = "[{(", "]})", "\"'"


@dataclass(frozen=True)
class Listed:
    """A list of values; in samples all are equally likely."""

    key: str
    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise SuppleError(f"--vary {self.key}: found no values; give some, as {self.key}=1,2,3")

    def grid(self) -> tuple[Any, ...]:
        """The values of a grid."""
        return self.values

    def at(self, share: float) -> Any:
        """The value of a sample, from a number in 0 to 1."""
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)]

    def settings(self, value: Any) -> list[str]:
        """Changes of the scene for a value, in the form of `--set`."""
        return [override(self.key, value)]


@dataclass(frozen=True)
class Choice(Listed):
    """Names for groups of settings, such as an integrator with its options, or another scene."""

    meaning: dict[str, list[str]] = field(default_factory=dict)
    """KEY=VALUE by name. A name without an entry changes nothing by itself."""

    def settings(self, value: Any) -> list[str]:
        """Changes of the scene for a name."""
        return self.meaning.get(value, [])


MOST_VALUES = 1_000_000
"""Values of a range, which are listed before the runs are counted."""


@dataclass(frozen=True)
class Range:
    """Numbers from `start` to `stop`: `count` of them in a grid, any of them in samples."""

    key: str
    start: float
    stop: float
    count: int | None = None
    log: bool = False
    """Equal ratios instead of equal differences."""

    def __post_init__(self) -> None:
        where = f"--vary {self.key}"
        if not (math.isfinite(self.start) and math.isfinite(self.stop)):
            raise SuppleError(f"{where}: found a range from {self.start} to {self.stop}; both ends must be finite")
        if self.start == self.stop:
            raise SuppleError(
                f"{where}: found an empty range, from {self.start:g} to {self.start:g}; give two different ends"
            )
        if self.count is not None and self.count < 2:
            raise SuppleError(f"{where}: found a count of {self.count}; a range has 2 values or more")
        if self.count is not None and self.count > MOST_VALUES:
            raise SuppleError(f"{where}: found a count of {self.count:,}; a range has at most {MOST_VALUES:,} values")
        if self.log and min(self.start, self.stop) <= 0.0:
            raise SuppleError(f"{where}: found {self.start:g} to {self.stop:g} with log; both ends must be above 0")

    def grid(self) -> tuple[Any, ...]:
        """The values of a grid."""
        if self.count is None:
            raise SuppleError(
                f"--vary {self.key}: found a range without a count, which only samples support; give "
                f"{self.key}={self.start:g}:{self.stop:g}:5 for five values, or --sample N"
            )
        shares = np.linspace(0.0, 1.0, self.count)
        return tuple(self.at(float(share)) for share in shares)

    def at(self, share: float) -> Any:
        """The value of a sample, from a number in 0 to 1; an integer where both ends are integers."""
        if share in {0.0, 1.0}:  # the exact ends, without round-off of the logarithm
            return self.start if share == 0.0 else self.stop
        if self.log:
            return float(math.exp(math.log(self.start) * (1.0 - share) + math.log(self.stop) * share))
        return float(self.start * (1.0 - share) + self.stop * share)

    def settings(self, value: Any) -> list[str]:
        """Changes of the scene for a value, in the form of `--set`."""
        return [override(self.key, value)]


Axis = Listed | Range


def parse_axis(text: str) -> Axis:
    """An axis from text: KEY=V1,V2,... or KEY=START:STOP[:COUNT][:log]."""
    key, sign, given = text.partition("=")
    key, given = key.strip(), given.strip()
    if not sign or not key:
        raise SuppleError(f"--vary {text}: expected KEY=V1,V2,... or KEY=START:STOP:COUNT, such as time.step=0.01,0.02")
    values = _split(given)
    if len(values) == 1 and (found := _range(key, values[0])) is not None:
        return found
    return Listed(key, tuple(toml_value(value) for value in values if value))


def make_axis(key: str, given: Any) -> Axis:
    """An axis from Python: a sequence of values, an axis, or its text without the key."""
    if isinstance(given, Listed | Range):
        return given
    if isinstance(given, str):
        return parse_axis(f"{key}={given}")
    if isinstance(given, Mapping) or not isinstance(given, Sequence | np.ndarray):
        raise SuppleError(f"vary['{key}']: found {given!r}; give a list of values, or a range as \"1e4:1e6:5:log\"")
    return Listed(key, tuple(value.item() if isinstance(value, np.generic) else value for value in given))


def override(key: str, value: Any) -> str:
    """A value in the form of `--set`."""
    return f"{key}={inline(value)}"


def _range(key: str, text: str) -> Range | None:
    """A range from text; None if the text is a value."""
    parts = text.split(":")
    log = parts[-1] == LOG
    numbers = [_number(part) for part in (parts[:-1] if log else parts)]
    if len(parts) < 2 or text[0] in _QUOTES + _OPEN or any(number is None for number in numbers):
        return None
    if len(numbers) not in {2, 3}:
        raise SuppleError(f"--vary {key}={text}: expected START:STOP, START:STOP:COUNT, optionally followed by :log")
    start, stop, *rest = (float(number) for number in numbers if number is not None)
    if rest and not rest[0].is_integer():
        raise SuppleError(f"--vary {key}={text}: found {rest[0]:g} values; the count is a whole number")
    return Range(key, start, stop, int(rest[0]) if rest else None, log)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _split(text: str) -> list[str]:
    """Split at commas outside brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in _QUOTES:
            quote = sign
        depth += 0 if quote else (sign in _OPEN) - (sign in _CLOSE)
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
