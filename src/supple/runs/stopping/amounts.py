"""Limits with units: `90s`, `10m`, `2h`; `500MiB`, `4GiB`."""

from __future__ import annotations

import math
import re

from supple.errors import SuppleError

_SECONDS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "tb": 1000**4}
_BYTES |= {"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([A-Za-z]+)\s*")


def seconds(given: str | float, name: str = "time_limit") -> float:
    """A length of time [s]: a number, or text such as 90s or 1h30m."""
    found = given if isinstance(given, int | float) else _sum(given, _SECONDS)
    if isinstance(found, bool) or found is None or not 0.0 < found < math.inf:
        raise SuppleError(f"{name}: found '{given}'; give a time above 0 with its unit, such as 90s, 10m, 2h or 1h30m")
    return float(found)


def size(given: str | float, name: str = "memory_limit") -> int:
    """A size [bytes]: a number, or text such as 4GiB or 500MB."""
    found = given if isinstance(given, int | float) else _sum(given, _BYTES)
    if isinstance(found, bool) or found is None or not 1.0 <= found < 2.0**62:
        raise SuppleError(f"{name}: found '{given}'; give a size above 0 with its unit, such as 500MiB or 4GiB")
    return int(found)


def _sum(text: str, units: dict[str, float] | dict[str, int]) -> float | None:
    """The sum of all parts; None for a remainder or a missing unit."""
    rest, total = text.strip(), 0.0
    while rest:
        part = _PART.match(rest)
        if part is None or part[2].lower() not in units:
            return None
        total += float(part[1]) * units[part[2].lower()]
        rest = rest[part.end() :]
    return total


def long(value: float) -> str:
    """A duration as text."""
    for unit, factor in (("h", 3600.0), ("min", 60.0)):
        if value >= 2 * factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.3g} s"


def large(count: float) -> str:
    """A size as text."""
    unit, factor = ("GiB", 1 << 30) if count >= 1 << 30 else ("MiB", 1 << 20)
    return f"{count / factor:.3g} {unit}"
