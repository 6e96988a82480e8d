"""Validation of the tables of a glTF document, once, so readers need not check again.

References are within their lists, lists have the required length, and required entries exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[dict[str, Any], Any], bool]
"""Whether a value is valid in a document."""
MOST = 1 << 31
"""Largest valid count."""


def _text(document: dict[str, Any], value: Any) -> bool:
    return isinstance(value, str)


def _flag(document: dict[str, Any], value: Any) -> bool:
    return isinstance(value, bool)


def _count(document: dict[str, Any], value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST


def _to(key: str) -> Check:
    """The index of a list entry."""
    return lambda document, value: _count(document, value) and value < len(document.get(key, ()))


def _each(check: Check, least: int = 0) -> Check:
    return lambda document, value: (
        isinstance(value, list) and len(value) >= least and all(check(document, entry) for entry in value)
    )


def _numbers(length: int | None = None) -> Check:
    def check(document: dict[str, Any], value: Any) -> bool:
        plain = isinstance(value, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in value)
        return plain and length in (None, len(value)) and all(abs(v) < 1e30 for v in value)

    return check


def _values(check: Check) -> Check:
    return lambda document, value: isinstance(value, dict) and all(check(document, entry) for entry in value.values())


def _table(fields: Mapping[str, Check], *needed: str) -> Check:
    def check(document: dict[str, Any], value: Any) -> bool:
        found = isinstance(value, dict) and all(key in value for key in needed)
        return found and all(test(document, value[key]) for key, test in fields.items() if key in value)

    return check


ACCESSORS = _to("accessors")
VIEW = {"bufferView": _to("bufferViews"), "byteOffset": _count}
SPARSE = _table(
    {
        "count": _count,
        "indices": _table({**VIEW, "componentType": _count}, "bufferView", "componentType"),
        "values": _table(VIEW, "bufferView"),
    },
    "count",
    "indices",
    "values",
)
PRIMITIVE = _table(
    {"attributes": _values(ACCESSORS), "indices": ACCESSORS, "mode": _count, "targets": _each(_values(ACCESSORS))},
    "attributes",
)
SAMPLER = _table({"input": ACCESSORS, "output": ACCESSORS, "interpolation": _text}, "input", "output")
CHANNEL = _table(
    {"sampler": _count, "target": _table({"node": _to("nodes"), "path": _text}, "path")}, "sampler", "target"
)
LISTS: dict[str, Check] = {
    "nodes": _table(
        {
            "name": _text, "mesh": _to("meshes"), "skin": _to("skins"), "camera": _to("cameras"),
            "children": _each(_to("nodes")), "matrix": _numbers(16), "translation": _numbers(3), "rotation": _numbers(4),
            "scale": _numbers(3), "weights": _numbers(),
        }
    ),
    "meshes": _table({"name": _text, "primitives": _each(PRIMITIVE), "weights": _numbers()}, "primitives"),
    "skins": _table(
        {"name": _text, "joints": _each(_to("nodes"), 1), "skeleton": _to("nodes"), "inverseBindMatrices": ACCESSORS}, "joints"
    ),
    "cameras": _table({"name": _text}),
    "animations": _table({"samplers": _each(SAMPLER), "channels": _each(CHANNEL)}, "samplers", "channels"),
    "accessors": _table(
        {**VIEW, "componentType": _count, "count": _count, "type": _text, "normalized": _flag, "sparse": SPARSE},
        "componentType", "count", "type",
    ),
    "bufferViews": _table(
        {"buffer": _to("buffers"), "byteOffset": _count, "byteLength": _count, "byteStride": _count}, "buffer"
    ),
    "buffers": _table({"uri": _text, "byteLength": _count}),
    "extensionsRequired": _text,
}  # fmt: skip


def problem(document: dict[str, Any]) -> str:
    """The first fault of a document, or an empty text."""
    asset = document.get("asset")
    if not isinstance(asset, dict) or not isinstance(asset.get("version", ""), str):
        return "it has no asset with a version"
    for key in LISTS:
        if not isinstance(document.get(key, []), list):
            return f"{key} is no list"
    for key, check in LISTS.items():
        for k, entry in enumerate(document.get(key, [])):
            if not check(document, entry):
                return f"{key}[{k}] lacks an entry, or has one of a wrong kind or number"
    for k, animation in enumerate(document.get("animations", [])):
        if any(channel["sampler"] >= len(animation["samplers"]) for channel in animation["channels"]):
            return f"animations[{k}] has a channel without a sampler"
    return ""
