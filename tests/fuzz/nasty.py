"""Values that are unsuitable for a scene but may appear in one."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from fuzz.text import Raw

SUBNORMAL = 5e-324
NUMBERS = (0, -0.0, 1, -1, SUBNORMAL, -SUBNORMAL, 1e-300, -1e-300, 1e-160, 1e160, 1e300, -1e300, 1.7e308, 1e-12, 1e12)
NOT_FINITE = (math.nan, math.inf, -math.inf)
WHOLE = (0, -1, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 10**400)
COUNTS = (10**6, 10**9, 10**12, 10**18)
STRINGS = (
    "", " ", "\x00", "a\x00b", "x" * 5000, "é" * 300, "日本語", "\U0001f600", "\u202e", "..", "../../etc/passwd", "/dev/zero",
    "/", "a/b", "CON", "-1", "nan", "[red]", "%s%n", "{0}", "${HOME}", "\n", "\r\n\t", "\\", "'\"", "<b>", "all", "none",
    "1/0", "0/0", "1/1e400", "__import__('os')",
)  # fmt: skip
FORMULAS = (
    "1/0", "0/0", "log(-1)", "sqrt(-1)", "x", "t", "x + y", "1e400", "exp(1e4)", "x^x^x^x", "9^9^9^9^9",
    "(" * 300 + "x" + ")" * 300,
    "+".join("x" for _ in range(3000)), "I1", "J", "log(J)", "1/J", "sin(", "x y", "t * ", "True", "x if x else y", "lambda: 0",
    "a.b", "x[0]", "1e-320*x", "abs(x)", "min(x, 1)", "x < 1", "max()", "-" * 500 + "x", "sin(t, t)", "€", "10^-400",
)  # fmt: skip
RAW = (
    "[" * 60 + "]" * 60,
    "[" * 900 + "]" * 900,
    "{ a = " * 200 + "1" + " }" * 200,
    "2026-01-01",
    "12:00:00",
    "1_000",
    "0x10",
    "+inf",
    "9" * 5000,
    "0x" + "f" * 9000,
    "",
    '"""',
)


def nasty(random: Random) -> Any:
    """One of them, of any type."""
    kind = random.randrange(12)
    if kind < 4:
        return number(random)
    if kind == 4:
        return random.choice(NOT_FINITE)
    if kind == 5:
        return random.choice(WHOLE)
    if kind == 6:
        return random.choice(COUNTS)
    if kind == 7:
        return random.choice(STRINGS)
    if kind == 8:
        return random.choice(FORMULAS)
    if kind == 9:
        return random.choice((True, False, [], {}, [[]], [{}], {"": ""}, [0, "a"], {"name": "a"}))
    if kind == 10:
        return Raw(random.choice(RAW))
    return [number(random) for _ in range(random.choice((0, 1, 2, 3, 3, 3, 4, 9, 200)))]


def number(random: Random) -> float | int:
    """A number of any size."""
    if random.random() < 0.4:
        return random.choice(NUMBERS)
    sign = random.choice((1.0, 1.0, -1.0))
    return sign * random.uniform(1.0, 10.0) * 10.0 ** random.randint(-300, 299)


def like(value: Any, random: Random) -> Any:
    """Another value of about the same kind, so that it gets past the check of types."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice((0, 1, 2, 3, 5, -1, value + 1, *COUNTS, *WHOLE))
    if isinstance(value, float):
        return _scaled(value, random)
    if isinstance(value, str):
        return random.choice(FORMULAS if random.random() < 0.5 else STRINGS)
    if isinstance(value, list) and value:
        changed = list(value)
        at = random.randrange(len(changed))
        changed[at] = like(changed[at], random)
        return changed
    return nasty(random)


def _scaled(value: float, random: Random) -> float:
    choice = random.randrange(6)
    if choice == 0:
        return -value
    if choice == 1:
        return float(number(random))
    if choice == 2:
        return 0.0
    # half of all are near the original, and run
    power = random.randint(-30, 30) if choice == 3 else random.randint(-3, 3)
    return (value or 1.0) * 10.0**power
