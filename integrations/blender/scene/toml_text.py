# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as TOML text: what a scene file of supple needs, and no more."""

from collections.abc import Mapping, Sequence
from typing import Any

Table = Mapping[str, Any]


def text_of(tables: Mapping[str, Any]) -> str:
    """A whole file. Values that are mappings become [tables], lists of mappings [[arrays of tables]]."""
    parts = [_lines({key: value for key, value in tables.items() if not _is_table(value) and not _are_tables(value)})]
    for key, value in tables.items():
        if _is_table(value):
            parts.append(f"[{key}]\n{_lines(value)}")
        elif _are_tables(value):
            parts += [f"[[{key}]]\n{_lines(entry)}" for entry in value]
    return "\n".join(part for part in parts if part)


def _lines(table: Table) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    raise TypeError(f"no TOML for {type(value).__name__}")


def _key(key: str) -> str:
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isascii() and plain.isalnum() else _value(key)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)
