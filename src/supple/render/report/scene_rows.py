"""Scenes as rows of a table, a column for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from supple.render.report.markup import DASH, Row

APART = ("title", "description", "integrator", "expect")
"""Tables shown elsewhere, or without effect on the motion."""
LONGEST = 160


def scene_rows(scenes: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Every key of any scene, with its value in each."""
    flat = [flattened({k: v for k, v in scene.items() if k not in APART}) for scene in scenes]
    keys = dict.fromkeys(key for table in flat for key in table)
    return [(key, [table.get(key, DASH) for table in flat]) for key in keys]


def scene_groups(scene: Mapping[str, Any]) -> dict[str, list[Row]]:
    """The tables of one scene, one per body, in file order."""
    groups: dict[str, list[Row]] = {}
    for key, value in scene.items():
        if key in APART:
            continue
        entries = value if isinstance(value, list) else [value]
        for k, entry in enumerate(entries):
            name = f"[[{key}]] {k + 1}" if isinstance(value, list) else f"[{key}]"
            table = flattened(entry) if isinstance(entry, Mapping) else {key: _text(entry)}
            groups[name] = [(inner, [text]) for inner, text in table.items()]
    return groups


def option_rows(scenes: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The options of each method."""
    flat = [flattened(scene.get("integrator", {})) for scene in scenes]
    keys = dict.fromkeys(key for table in flat for key in table if key != "name")
    return [(f"option {key}", [table.get(key, DASH) for table in flat]) for key in keys]


def flattened(table: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """`body[0].mesh.radius` -> its value as text."""
    rows: dict[str, str] = {}
    for key, value in table.items():
        here = f"{path}.{key}" if path else key
        if isinstance(value, Mapping):
            rows |= flattened(value, here)
        elif isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
            for k, entry in enumerate(value):
                rows |= flattened(entry, f"{here}[{k}]")
        elif value not in ([], ""):
            rows[here] = _text(value)
    return rows


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return _short(", ".join(map(_text, value)))
    return _short(str(value))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."
