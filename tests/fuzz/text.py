"""Any tables as TOML, including values that supple's writer would refuse."""

from __future__ import annotations

import json
import re
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Raw(str):
    """Text that goes into the file as it is."""

    __slots__ = ()


def document(tables: dict[str, Any]) -> str:
    """A whole file: a heading for each table and each entry of a list of tables, everything below in one line."""
    plain = [f"{key(word)} = {value(entry)}" for word, entry in tables.items() if not _has_heading(entry)]
    blocks = ["\n".join(plain)] if plain else []
    for word, entry in tables.items():
        if isinstance(entry, dict):
            blocks.append(_block(f"[{key(word)}]", entry))
        elif _has_heading(entry):
            blocks += [_block(f"[[{key(word)}]]", table) for table in entry]
    return "\n\n".join(blocks) + "\n"


def key(word: str) -> str:
    """A key, quoted where it must be."""
    return word if _BARE.fullmatch(word) else _quoted(word)


def value(entry: Any) -> str:
    """A value in one line."""
    if isinstance(entry, Raw):
        return str(entry)
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, int):
        return str(entry)
    if isinstance(entry, float):
        return repr(entry)
    if isinstance(entry, str):
        return _quoted(entry)
    if isinstance(entry, list | tuple):
        return f"[{', '.join(map(value, entry))}]"
    if isinstance(entry, dict):
        return "{ " + ", ".join(f"{key(word)} = {value(inner)}" for word, inner in entry.items()) + " }"
    return _quoted(str(entry))


def _has_heading(entry: Any) -> bool:
    return isinstance(entry, dict) or (
        isinstance(entry, list) and bool(entry) and all(isinstance(table, dict) for table in entry)
    )


def _block(heading: str, table: dict[str, Any]) -> str:
    return "\n".join([heading, *(f"{key(word)} = {value(entry)}" for word, entry in table.items())])


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for surrogates and DEL
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
