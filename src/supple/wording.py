"""Phrases shared by messages about scene files and about values given in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from supple.errors import did_you_mean

LONGEST = 60
MOST_DIGITS = 18
"""Digits of a whole number of 64 bits."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def inline(value: Any) -> str:
    """A value on one line, as TOML writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # JSON's escapes are valid in TOML, except that TOML also requires DEL to be escaped
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int() | float():
            return repr(value)
        case list() | tuple():
            return f"[{', '.join(map(inline, value))}]"
        case Mapping():
            return f"{{ {', '.join(f'{key(k)} = {inline(v)}' for k, v in value.items())} }}" if value else "{}"
    return str(value)


def key(word: str) -> str:
    """A key of a table, in quotes where TOML needs them."""
    return word if _BARE.fullmatch(word) else inline(word)


def shown(value: Any) -> str:
    """A value as written in a file, truncated if long."""
    text = inline(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def in_digits(text: str) -> int:
    """The number written in at most 18 decimal digits, or -1 for any other text; Python converts at most 4,300 digits."""
    word = text.strip()
    return int(word) if word.isdecimal() and len(word) <= MOST_DIGITS else -1


def suggestion(word: Any, known: Iterable[Any]) -> str:
    """`; did you mean 'x'? known: x, y`; without a near match, only the known names."""
    words = [str(k) for k in known]
    return f"{did_you_mean(str(word), words)} known: {', '.join(words)}"
