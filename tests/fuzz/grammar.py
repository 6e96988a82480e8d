"""Random scenes from the schema: a body of any kind and material, moved by any method, with anything else that a scene may have.

Every table, key, choice and bound is read from the JSON schema, which is made from the registries, so that a new one is tried
by itself. Numbers are taken from shipped scenes where those have the key, so that most scenes make sense.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from fuzz.seeds import shipped, shipped_tables

EXTRA = (
    "damping",
    "contact",
    "constraint",
    "obstacle",
    "field",
    "energy",
    "attachment",
    "direction",
    "solver",
    "record",
)
"""Tables that a random scene may have beside its body."""
BODIES: tuple[dict[str, Any], ...] = (
    {"shape": "bar", "cells": [1, 1, 1], "size": [0.2, 0.1, 0.1]},
    {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]},
    {"shape": "cube", "cells": 1, "size": 0.2},
    {"shape": "ball", "radius": 0.1, "resolution": 1},
    {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2]},
    {"shape": "sphere", "radius": 0.1, "subdivisions": 1},
    {"shape": "rope", "segments": 2, "length": 0.3},
)
PINS = ("left", "start", "corner_01", "top", "bottom")


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a scene."""
    from supple.scene.tables.scene import json_schema

    return json_schema()


@cache
def corpus() -> dict[str, list[Any]]:
    """Values that shipped scenes have for a key, whatever the table."""
    found: dict[str, list[Any]] = {}
    for name in shipped():
        _collect(shipped_tables(name), found)
    return found


def _collect(value: Any, found: dict[str, list[Any]]) -> None:
    if isinstance(value, dict):
        for word, entry in value.items():
            if not isinstance(entry, dict) and not (
                isinstance(entry, list) and any(isinstance(e, dict) for e in entry)
            ):
                found.setdefault(word, []).append(entry)
            _collect(entry, found)
    elif isinstance(value, list):
        for entry in value:
            _collect(entry, found)


def scene(random: Random) -> dict[str, Any]:
    """A random scene, which may well be refused."""
    keys = schema()["properties"]
    tables: dict[str, Any] = {"time": {"step": random.choice((0.001, 0.01, 0.02, "1/60"))}}
    tables["integrator"] = draw(keys["integrator"], random, "integrator", 0.1)
    tables["body"] = [_body(random) for _ in range(random.choice((1, 1, 1, 2)))]
    for word in random.sample(EXTRA, random.choice((0, 1, 1, 2, 3))):
        tables[word] = draw(keys[word], random, word, 0.15)
    if random.random() < 0.2:
        tables["world"] = draw(keys["world"], random, "world", 0.5)
    return tables


def _body(random: Random) -> dict[str, Any]:
    known = _resolved(schema()["properties"]["body"]["items"])["properties"]
    mesh = dict(random.choice(BODIES))
    body = {"mesh": mesh, "material": draw(known["material"], random, "material", 0.08)}
    body[random.choice(("density", "mass"))] = random.choice((1.0, 100.0, 1000.0))
    if random.random() < 0.4:
        body["pin"] = random.choice(PINS)
    for word in random.sample(sorted(known), random.choice((0, 0, 1, 2))):
        body[word] = body.get(word) or draw(known[word], random, word, 0.15)
    return body


def draw(node: Any, random: Random, word: str, optional: float, depth: int = 0) -> Any:
    """A value that fits a part of the schema: required keys, and others with probability `optional`."""
    node = _resolved(node)
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return random.choice(node["enum"])
    choices = node.get("oneOf") or node.get("anyOf")
    if choices:
        useful = [choice for choice in choices if choice.get("type") != "null"]
        return draw(random.choice(useful), random, word, optional, depth)
    kind = node.get("type")
    if kind == "object":
        return _table(node, random, word, optional, depth)
    known = [value for value in corpus().get(word, ()) if _is(value, kind)]
    if known and random.random() < 0.7:
        return random.choice(known)
    if kind == "array":
        return _array(node, random, word, optional, depth)
    return _scalar(node, kind, random)


def _table(node: Any, random: Random, word: str, optional: float, depth: int) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for inner, entry in node.get("properties", {}).items():
        if inner in node.get("required", ()) or (depth < 4 and random.random() < optional):
            table[inner] = draw(entry, random, inner, optional, depth + 1)
    extra = node.get("additionalProperties")
    if isinstance(extra, dict) and random.random() < 0.5:
        table["a"] = draw(extra, random, word, optional, depth + 1)
    return table


def _array(node: Any, random: Random, word: str, optional: float, depth: int) -> list[Any]:
    least = int(node.get("minItems", 0))
    count = random.randint(least, min(int(node.get("maxItems", least + 2)), least + 2))
    parts = node.get("prefixItems")
    if parts:
        return [draw(part, random, "", optional, depth + 1) for part in parts]
    items = node.get("items", {})
    return [draw(items, random, "" if _resolved(items).get("type") == "number" else word, optional, depth + 1)
            for _ in range(max(count, 1))]  # fmt: skip


def _scalar(node: Any, kind: str | None, random: Random) -> Any:
    if node.get("default") is not None and random.random() < 0.4:
        return node["default"]
    least = node.get("minimum", node.get("exclusiveMinimum"))
    most = node.get("maximum", node.get("exclusiveMaximum"))
    if kind == "integer":
        low = int(least) if least is not None else 0
        return random.randint(low, min(low + 4, int(most)) if most is not None else low + 4)
    if kind == "number":
        if least is not None and most is not None:
            return random.uniform(least, most)
        size = random.choice((0.01, 0.1, 0.5, 1.0, 2.0, 10.0, 1e3, 1e5))
        return (least or 0.0) + size if least is not None else random.choice((1.0, -1.0)) * size
    if kind == "boolean":
        return random.random() < 0.5
    if kind == "string":
        return random.choice(("all", "left", "body0", "t", "x", "1 + t", "sin(t)", "Y < 0.05", "a", "#ff8800"))
    return random.choice((1.0, "a", True, [1.0, 0.0, 0.0]))


def _resolved(node: Any) -> Any:
    while isinstance(node, dict) and "$ref" in node:
        node = schema()["$defs"][node["$ref"].rpartition("/")[2]]
    return node


def _is(value: Any, kind: str | None) -> bool:
    types: dict[str | None, tuple[type, ...]] = {"string": (str,), "array": (list,), "boolean": (bool,)}
    if kind in ("number", "integer"):
        return (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and (kind == "number" or isinstance(value, int))
        )
    return isinstance(value, types.get(kind, (object,)))
