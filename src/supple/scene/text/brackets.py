"""Brackets of TOML: which ones to write where a list of tables was found instead of one table, or the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ONE, LISTED, BY_NAME = "one table", "a list of tables", "tables by name"


def brackets(path: str, allowed: str, value: Any) -> str:
    """`; write [[damping]] instead of [damping]`; empty where brackets are not at fault."""
    outermost = path.isidentifier()
    if allowed == LISTED and isinstance(value, Mapping):
        return f"; write [[{path}]] instead of [{path}]" if outermost else "; put the table into brackets: [{ ... }]"
    tables = isinstance(value, list | tuple) and bool(value) and all(isinstance(entry, Mapping) for entry in value)
    if not tables:
        return ""
    if allowed == BY_NAME:
        return f"; write [{path}.NAME] instead of [[{path}]]" if outermost else "; write { NAME = { ... } }"
    if allowed == ONE:
        return (
            f"; write [{path}] instead of [[{path}]], once" if outermost else "; write { ... } without the brackets [ ]"
        )
    return ""
