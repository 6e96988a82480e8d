"""Rewrites the tables of keys in docs/reference/scene-file.md from the JSON schema of a scene file. Run by `make docs`.

    python tools/write_scene_file.py

A block stands between `<!-- keys: NAME ... -->` and `<!-- end of keys -->`; its content is replaced, all other text is kept.
A NAME is a definition of the schema, `Scene`, or a key of the scene with a choice of tables (`damping`, `field` ...). Several
tables share one list of common keys. A nested table without a block is written into the table that has it, as `sphere.radius`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from write_tables import bounds, listed, table

from supple.adaptive import RULES
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS, MEMBRANES
from supple.mesh import SHAPES
from supple.scene.tables.scene import json_schema

Schema: TypeAlias = dict[str, Any]
"""A JSON schema, or a part of one."""
Row: TypeAlias = tuple[str, str, str, str]

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "reference" / "scene-file.md"
BLOCK = re.compile(r"(<!-- keys: ([^>]+?) -->\n).*?(<!-- end of keys -->)", re.DOTALL)
HEAD = ("key", "type", "default", "meaning")
LISTED = 12
"""Largest number of permitted words that a cell lists."""
TAGS = ("name", "shape", "kind")
"""Keys that select a table of a choice; the first one with a constant counts."""

SIGNS = {"exclusiveMinimum": ">", "minimum": ">=", "exclusiveMaximum": "<", "maximum": "<="}

SAME = {"Moves": "Motion"}
"""Definitions described by another one: the motion of an obstacle has no group."""
CURVES = "CurveTable"

CHOICES = {
    "Scene.integrator": "[table](#integrator)",
    "WorldTable.gravity": "number or 3 numbers, or [curves](#curves)",
    "BodyTable.mesh": "[file](#mesh-from-a-file) or [shape](#mesh-from-a-shape)",
    "BodyTable.material": "[word or table](#material)",
    "BodyTable.area": "number > 0 or [table](#area-and-volume)",
    "BodyTable.volume": '`"kept"`, number > 0 or [table](#area-and-volume)',
    "MeshObstacleTable.mesh": "[file](#mesh-from-a-file) or [shape](#mesh-from-a-shape)",
}
"""Types of keys with many kinds of tables, or with short forms that the schema does not have."""

GUIDES = {
    "Time.speed": "guide/directing.md",
    "WorldTable.gravity": "guide/over-time.md",
    "Record.deformation": "guide/points.md",
    "BodyTable.material": "guide/presets.md",
    "BodyTable.regions": "guide/materials-by-region.md",
    "BodyTable.bending": "guide/bending.md",
    "BodyTable.pressure": "guide/pressure.md",
    "BodyTable.stiffness": "guide/over-time.md",
    "BodyTable.muscles": "guide/over-time.md",
    "BodyTable.friction": "guide/contact.md",
    "BodyTable.pleats": "guide/sewing.md",
    "BodyTable.surface": "guide/embedded-surfaces.md",
    "BodyTable.points": "guide/points.md",
    "BodyTable.direction": "guide/directing.md",
    "BodyTable.colour": "guide/rendering.md",
    "MeshFile.file": "develop/security.md",
    "MeshFile.cage": "guide/embedded-surfaces.md",
    "MeshFile.object": "guide/motion-files.md",
    "CoarseFile.coarse": "guide/coarsening.md",
    "Selection.carrying": "guide/embedded-surfaces.md",
    "Motion.file": "guide/motion-files.md",
    "Motion.skeleton": "guide/motion-files.md",
    "HookeSpring.young": "guide/cloth.md",
    "HookeSpring.axial": "methods/conserving-springs.md",
    "StVKSpring.young": "guide/cloth.md",
    "StVKSpring.axial": "methods/conserving-springs.md",
    "Bending.energy": "guide/bending.md",
    "Check.column": "reference/history-columns.md",
    "Check.work": "guide/over-time.md",
    "MeshObstacleTable.law": "guide/points.md",
    "MeshObstacleTable.bodies": "guide/motion.md",
    "Scene.limits": "guide/limits.md",
    "Scene.direction": "guide/directing.md",
    "Scene.plugins": "develop/extending.md",
}
"""Pages about single keys, linked behind their meaning."""


@cache
def schema() -> Schema:
    """The schema of a scene file."""
    return json_schema()


def definition(name: str) -> Schema:
    """A table of the schema; `Scene` is the file as a whole."""
    found: Schema = schema() if name == "Scene" else schema()["$defs"][name]
    return found


def refs(part: Any) -> list[str]:
    """Names of the definitions to which a part refers directly."""
    if isinstance(part, dict):
        own = [part["$ref"].rpartition("/")[2]] if "$ref" in part else []
        return own + [name for key, inner in part.items() if key != "discriminator" for name in refs(inner)]
    return [name for inner in part for name in refs(inner)] if isinstance(part, list) else []


def lists(part: Any) -> list[Any]:
    """Entries of lists within a part."""
    if isinstance(part, dict):
        own = [part["items"]] if "items" in part else []
        return own + [found for inner in part.values() for found in lists(inner)]
    return [found for inner in part for found in lists(inner)] if isinstance(part, list) else []


def members(words: str) -> list[str]:
    """Definitions named by a block: its words, with a choice replaced by its tables."""
    names: list[str] = []
    for word in words.split():
        choice = schema()["properties"].get(word, {}).get("items", {})
        names += sorted(set(refs(choice)) - {"MeshObstacleTable"}, key=_tag) if choice else [word]
    return names


def _tag(name: str) -> str:
    """The word that selects a table, as in `name = "drag"`."""
    return _selector(name)[1]


def _selector(name: str) -> tuple[str, str]:
    """Key and word that select a table; empty without a choice."""
    keys = definition(name).get("properties", {})
    return next(((key, keys[key]["const"]) for key in TAGS if "const" in keys.get(key, {})), ("", ""))


def anchors(text: str) -> dict[str, str]:
    """The heading above the block of each definition, as an anchor."""
    found: dict[str, str] = {}
    heading = ""
    for line in text.splitlines():
        if match := re.match(r"#+ (.+)", line):
            heading = re.sub(r"[^\w\- ]", "", match[1].lower()).strip().replace(" ", "-")
        if match := re.match(r"<!-- keys: ([^>]+?) -->", line):
            found |= dict.fromkeys(members(match[1]), f"#{heading}")
    return found | {name: found[other] for name, other in SAME.items() if other in found}


def elsewhere() -> set[str]:
    """Definitions in the tables of tools/write_tables.py, here or on other pages."""
    classes = [c for registry in (INTEGRATORS, RULES, MATERIALS, MEMBRANES, SHAPES) for c in registry.load().values()]
    names = {cls.__name__ for cls in classes}
    return names | {f"{name}Integrator" for name in names}


class Keys:
    """Rows of the tables; `places` has the anchor of each definition with a block."""

    def __init__(self, places: dict[str, str]) -> None:
        self.places = places
        self.written: set[str] = set()
        """Definitions that stand in a block."""

    def block(self, words: str) -> str:
        """The content of a block."""
        names = members(words)
        if len(names) == 1:
            return table(HEAD, self.rows(names[0]))
        rows = {name: list(self.rows(name)) for name in names}
        common = [row for row in rows[names[0]] if all(row in others for others in rows.values())]
        parts = [table(HEAD, common)] if common else []
        for name in names:
            own = [row for row in rows[name] if row not in common]
            words = definition(name)["description"].split("\n")[0]
            parts.append(f"**`{_tag(name)}`**: {words}\n" + (f"\n{table(HEAD, own)}" if own else ""))
        return "\n".join(parts)

    def rows(self, name: str, before: str = "") -> Iterator[Row]:
        """One row per key of a definition, and of tables within it that have no block."""
        self.written.add(name)
        part = definition(name)
        for key, value in part.get("properties", {}).items():
            if key == _selector(name)[0]:
                continue
            required = key in part.get("required", ())
            meaning = value.get("description", "") + guide(f"{name}.{key}")
            kind = CHOICES.get(f"{name}.{key}") or self.kind(value)
            yield f"`{before}{key}`", kind, default(value, required), meaning
            for inner in dict.fromkeys(refs(value) if f"{name}.{key}" not in CHOICES else ()):
                if inner not in self.places and inner not in elsewhere():
                    yield from self.rows(inner, f"{before}{key}{'[]' if inner in refs(lists(value)) else ''}.")
        if isinstance(free := part.get("additionalProperties"), dict):
            yield "any other", self.kind(free), "-", "Value of the constant with the name of the key."

    def kind(self, value: Schema) -> str:
        """A type in words, with its bounds."""
        options = [v for v in value.get("anyOf") or value.get("oneOf") or [value] if v.get("type") != "null"]
        if len(options) > 1:
            return listed(dict.fromkeys(self._changing(options) or map(self.kind, options)))
        [only] = options
        if "$ref" in only:
            name = only["$ref"].rpartition("/")[2]
            return f"[table]({self.places[name]})" if name in self.places else "table"
        if only is not value:
            return self.kind(only)
        return self._plain(value)

    def _changing(self, options: Sequence[Schema]) -> list[str]:
        """A number that may change with time; text and keys are its two forms."""
        if CURVES not in refs(list(options)):
            return []
        others = [o for o in options if CURVES not in refs(o) and o.get("type") != "string"]
        return [*map(self.kind, others), f"[curve]({self.places.get(CURVES, '')})"]

    def _plain(self, value: Schema) -> str:
        if "const" in value:
            return f'`"{value["const"]}"`'
        if "enum" in value:
            permitted = [f'`"{word}"`' for word in value["enum"]]
            return listed(permitted) if len(permitted) <= LISTED else f"one of {len(permitted)} words"
        if value["type"] == "array":
            return self._list(value)
        if value["type"] == "object":
            return f"table of {plural(self.kind(value['additionalProperties']))} by name"
        if "examples" in value:
            return f'string such as `"{value["examples"][0]}"`'
        words = {"boolean": "`true` or `false`", "integer": "whole number", "number": "number", "string": "string"}
        return words[value["type"]] + bounds({sign: value[key] for key, sign in SIGNS.items() if key in value})

    def _list(self, value: Schema) -> str:
        inner = value["items"] if "items" in value else value["prefixItems"][0]
        kind = self.kind(inner)
        if kind == "number or string":  # one component of a vector
            kind = "number or expression"
        least, most = value.get("minItems", 0), value.get("maxItems")
        if least == most:
            return f"{least} {'lists of ' if kind[0].isdigit() else ''}{kind if kind[0].isdigit() else plural(kind)}"
        return f"list of {'lists of ' if kind[0].isdigit() else ''}{kind if kind[0].isdigit() else plural(kind)}"


def plural(kind: str) -> str:
    """Several values of a type: `numbers > 0`, `[tables](#initial)`."""
    return re.sub(r"\b(number|string|table|expression)\b(?!s|\.)", r"\1s", kind)


def default(value: Schema, required: bool) -> str:
    """The default as TOML; a dash if the key is absent by default."""
    if required:
        return "required"
    given = value.get("default")
    if given in (None, "", [], {}) or isinstance(given, dict):
        return "-"
    if isinstance(given, bool):
        return f"`{str(given).lower()}`"
    return f'`"{given}"`' if isinstance(given, str) else f"`{given}`"


def guide(key: str) -> str:
    """A link to the page about a key, by its title."""
    if key not in GUIDES:
        return ""
    title = re.search(r"^# (.+)$", (DOCS / GUIDES[key]).read_text(encoding="utf-8"), re.MULTILINE)
    assert title, GUIDES[key]
    return f" See [{title[1].lower()}](../{GUIDES[key]})."


def current(text: str) -> str:
    """The page with all its blocks as the schema has them now."""
    return _rewritten(text, Keys(anchors(text)).block)


def undescribed(text: str) -> list[str]:
    """Definitions of the schema that no block has, and keys without a meaning."""
    keys = Keys(anchors(text))
    _rewritten(text, keys.block)
    missing = set(schema()["$defs"]) - keys.written - elsewhere() - set(SAME)
    silent = [key for name in keys.written for key, _, _, meaning in Keys(keys.places).rows(name) if not meaning]
    return sorted(missing) + sorted(silent)


def _rewritten(text: str, block: Callable[[str], str]) -> str:
    return BLOCK.sub(lambda found: f"{found[1]}{block(found[2])}{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(current(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
