"""The ladder of values of a key: by its types in the schema, and by what stands there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fuzz.grammar import _resolved
from fuzz.mutations import MISSING

NUMBERS = (
    0, -0.0, -1, 1e-300, 1e-30, 1e-12, 1e-6, 0.5, 2, 100, 1e6, 1e12, 1e30, 1e300, -1e300, math.inf, math.nan,
)  # fmt: skip
COUNTS = (0, -1, 1, 2, 7, 100, 2.0, 0.5, 10**6, 10**9, 2**31, 2**63 - 1, 2**63, 2**64, math.nan, math.inf)
TEXTS = (
    "", " ", "\0", "x" * 10_000, "é日本語", "../../x", "/dev/zero", ".", "all", "bar", "stvk", "none", "1", "a,b",
    "body0.left", "[red]", "{}",
)  # fmt: skip
FORMULAS = (
    "1", "t", "1/0", "-1", "1e400", "sqrt(-1)", "X", "x + y", "I1", "sin(", "1 + ", "t*1e300", "a", "(" * 200 + "t" + ")" * 200,
)  # fmt: skip
OF_WRONG_TYPE = (True, "a", 3, [], {}, [[1.0]], [{}], {"x": 1})
PARTS = 6
NUMBER_TEXTS = ("1.0", "0.01")


@dataclass(frozen=True)
class Rung:
    """A value."""

    value: Any

    @property
    def name(self) -> str:
        """For reports."""
        return "missing" if self.value is MISSING else repr(self.value)[:60]


def rungs(node: Any, present: Any, repeated: int = 0) -> list[Rung]:
    """All values for a key, each once; a key that other tables have had before gets a part of them, each time another."""
    found: dict[str, Rung] = {}
    for value in (*_values(node, present), *OF_WRONG_TYPE, MISSING):
        found.setdefault(f"{type(value).__name__} {value!r}", Rung(value))
    ladder = list(found.values())
    return ladder if not repeated else ladder[repeated % PARTS :: PARTS]


def _values(node: Any, present: Any) -> Iterator[Any]:
    for leaf in leaves(node):
        kind = leaf.get("type")
        if "const" in leaf or "enum" in leaf:
            yield from leaf.get("enum", [leaf.get("const")])
            yield from ("", " ", "avf", "x" * 10_000)
        elif kind == "number":
            yield from (*NUMBERS, *bounds(leaf), *NUMBER_TEXTS)
        elif kind == "integer":
            yield from (*COUNTS, *bounds(leaf))
        elif kind == "boolean":
            yield from (True, False, 0, 1, "true", "false")
        elif kind == "string":
            yield from (*TEXTS, *FORMULAS)
        elif kind == "array":
            yield from _lists(leaf, present)
        elif kind == "object":
            yield from _tables(present)


def leaves(node: Any) -> list[Any]:
    """The types that a key may have."""
    node = _resolved(node)
    choices = () if "properties" in node else node.get("oneOf") or node.get("anyOf") or ()
    return [leaf for choice in choices for leaf in leaves(choice)] if choices else [node]


def bounds(leaf: Any) -> Iterator[float | int]:
    """Each bound of a number, and its neighbours."""
    for word in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        bound = leaf.get(word)
        if bound is not None:
            whole = leaf.get("type") == "integer"
            yield bound
            yield bound + 1 if whole else math.nextafter(bound, math.inf)
            yield bound - 1 if whole else math.nextafter(bound, -math.inf)


def _lists(leaf: Any, present: Any) -> Iterator[Any]:
    if not isinstance(present, list):
        present = [1.0, 0.5, 2.0][: leaf.get("maxItems", 3)]
    entries = list(present)
    yield from ([], entries, entries[:-1], [*entries, *entries[-1:]], [entries], [[entries]], entries * 100)
    if entries and isinstance(entries[0], dict):
        yield from (entries[0], [{}], [*entries, {}], {"0": entries[0]})
    inner = [each for entry in (leaf.get("prefixItems") or [leaf.get("items") or {}]) for each in leaves(entry)]
    kinds = {entry.get("type") for entry in inner}
    if "number" in kinds or "integer" in kinds:
        for value in COUNTS if "integer" in kinds else NUMBERS:
            yield [value, *entries[1:]]
            yield [value] * max(1, len(entries))
    if "string" in kinds:
        yield from ([text, *entries[1:]] for text in TEXTS[:10])
    yield from ([*entries[:-1], odd] for odd in (True, "a", {}, []))


def _tables(present: Any) -> Iterator[Any]:
    if isinstance(present, dict):
        yield from (present, [present], {**present, "nmae": 1}, {"": 1}, "x", 1.0)
    yield {}
