"""A small TOML writer for plain dictionaries; the standard library can only read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def inline(value: Any) -> str:
    """A value on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # JSON's escapes are TOML's, but for DEL, which TOML wants escaped
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int() | float():
            return repr(value)
        case list() | tuple():
            return f"[{', '.join(map(inline, value))}]"
        case Mapping():
            return f"{{ {', '.join(f'{_key(k)} = {inline(v)}' for k, v in value.items())} }}" if value else "{}"
    return str(value)


def document(data: Mapping[str, Any]) -> str:
    """A whole file: plain values first, then tables under their headings."""
    return "\n".join(_lines(data, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    inner = {key: value for key, value in table.items() if _has_heading(value)}
    for key, value in table.items():
        if key not in inner:
            yield f"{_key(key)} = {inline(value)}"
    for key, value in inner.items():
        below = (*path, key)
        heading = ".".join(map(_key, below))
        for entry in [value] if isinstance(value, Mapping) else value:
            if not isinstance(value, Mapping):
                yield from ("", f"[[{heading}]]")
            elif not value or not all(map(_has_heading, value.values())):
                yield from ("", f"[{heading}]")
            yield from _lines(entry, below)


def _has_heading(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(entry, Mapping) for entry in value)
    return isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else inline(key)
