"""Places of the JSON schema: every key of every table, and where tables of a scene have it.

A table is known by its definition in the schema. One with a budget, an error control or another method inside has a
definition of its own, so each definition is visited once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from fuzz.grammar import _resolved, schema
from fuzz.mutations import Path

SCENE = "Scene"
"""Name of the outermost table."""


@dataclass(frozen=True)
class Place:
    """A key of a table."""

    table: str
    """Name of the definition."""
    key: str
    node: Any
    """Its part of the schema."""
    repeated: int = 0
    """How many other tables, earlier in the list, have the same key with the same meaning."""

    @property
    def name(self) -> str:
        """For reports and `--only`."""
        return f"{self.table}.{self.key}"


def places() -> list[Place]:
    """All keys of all tables, sorted by table."""
    met: Counter[str] = Counter()
    found = []
    for name, node in sorted(definitions().items()):
        for key, entry in node.get("properties", {}).items():
            same = json.dumps([key, {**entry, "default": None, "const": None}], sort_keys=True)
            found.append(Place(name, key, entry, met[same]))
            met[same] += 1
    return found


@cache
def definitions() -> dict[str, Any]:
    """All tables of the schema by name; a method that has another definition with wrappers appears with these only."""
    tables = {SCENE: schema(), **schema()["$defs"]}
    kept = {name: node for name, node in tables.items() if node.get("type") == "object"}
    return {name: node for name, node in kept.items() if f"{name}Integrator" not in kept}


def tables_of(value: Any, node: Any = None, here: Path = ()) -> Iterator[tuple[Path, str]]:
    """Paths to the tables in a value, and their definitions, outer ones first."""
    node = schema() if node is None else node
    name = SCENE if not here else ""
    name, node = _definition(node, name)
    if "properties" not in node and (choices := node.get("oneOf") or node.get("anyOf")):
        for choice in choices:
            if _suits(value, _definition(choice, "")[1]):
                yield from tables_of(value, choice, here)
                return
        return
    if isinstance(value, dict):
        if name:
            yield here, name
        extra = node.get("additionalProperties")
        for key, entry in value.items():
            inner = node.get("properties", {}).get(key, extra if isinstance(extra, dict) else None)
            if inner is not None:
                yield from tables_of(entry, inner, (*here, key))
    elif isinstance(value, list):
        parts = node.get("prefixItems")
        for index, entry in enumerate(value):
            inner = parts[index] if parts and index < len(parts) else node.get("items")
            if inner:
                yield from tables_of(entry, inner, (*here, index))


def _definition(node: Any, name: str) -> tuple[str, Any]:
    while "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        node = schema()["$defs"][name]
    return name, node


def _suits(value: Any, node: Any) -> bool:
    """Whether a value selects this member of a union."""
    if inner := node.get("oneOf") or (node.get("anyOf") if "properties" not in node else None):
        return any(_suits(value, _definition(choice, "")[1]) for choice in inner)
    if isinstance(value, dict):
        if node.get("type") != "object":
            return False
        known = node.get("properties", {})
        tags = {key: _resolved(entry)["const"] for key, entry in known.items() if "const" in _resolved(entry)}
        return (
            all(value.get(key, tag) == tag for key, tag in tags.items())
            and (
                "additionalProperties" not in node
                or node["additionalProperties"] is not False
                or set(value) <= set(known)
            )
            and (not tags or bool(set(tags) & set(value)))
        )
    if isinstance(value, list):
        return node.get("type") == "array"
    return False
