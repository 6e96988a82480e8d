"""A small TOML writer for plain dictionaries; the standard library can only read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from supple.wording import inline, key


def document(data: Mapping[str, Any]) -> str:
    """A complete file: plain values first, then tables under their headings."""
    return "\n".join(_lines(data, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    inner = {word: value for word, value in table.items() if _has_heading(value)}
    for word, value in table.items():
        if word not in inner:
            yield f"{key(word)} = {inline(value)}"
    for word, value in inner.items():
        below = (*path, word)
        heading = ".".join(map(key, below))
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
