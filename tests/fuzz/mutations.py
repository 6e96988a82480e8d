"""Changes of a scene: each is a small object that can be applied to any tables, or left out to see whether it matters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from fuzz import grammar, nasty
from fuzz.seeds import shipped, shipped_tables
from fuzz.text import Raw

Path = tuple[str | int, ...]
MISSING = object()


@dataclass(frozen=True)
class Put:
    """Set the value at a path; MISSING removes the value. Does nothing where the path leads nowhere."""

    path: Path
    value: Any

    def apply(self, tables: dict[str, Any]) -> None:
        """Change the tables in place."""
        here = at(tables, self.path[:-1])
        last = self.path[-1]
        if isinstance(here, dict) and isinstance(last, str):
            if self.value is MISSING:
                here.pop(last, None)
            else:
                here[last] = copy.deepcopy(self.value)
        elif isinstance(here, list) and isinstance(last, int) and last <= len(here):
            here[last : last + 1] = [] if self.value is MISSING else [copy.deepcopy(self.value)]


def at(tables: Any, path: Path) -> Any:
    """The value at a path, or None."""
    for part in path:
        inside = isinstance(tables, dict) and part in tables
        if not inside and not (isinstance(tables, list) and isinstance(part, int) and part < len(tables)):
            return None
        tables = tables[part]
    return tables


def paths(value: Any, here: Path = ()) -> Iterator[Path]:
    """Paths to everything in the tables, outer ones first."""
    if here:
        yield here
    if isinstance(value, dict):
        for word, entry in value.items():
            yield from paths(entry, (*here, word))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from paths(entry, (*here, index))


def mutation(tables: dict[str, Any], random: Random) -> Put:
    """A random change of these tables."""
    known = [path for path in paths(tables) if path[0] not in ("expect", "title", "description")] or [("time",)]
    path = random.choice(known)
    kinds: tuple[tuple[int, Callable[..., Put]], ...] = (
        (14, _like), (4, _nasty), (2, _removed), (2, _repeated), (1, _renamed), (3, _another), (3, _swapped), (1, _deep),
    )  # fmt: skip
    kind = random.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0]
    return kind(tables, path, random)


def _like(tables: dict[str, Any], path: Path, random: Random) -> Put:
    leaves = [
        p for p in paths(tables) if not isinstance(at(tables, p), dict | list) and p[0] not in ("expect", "title")
    ]
    path = random.choice(leaves) if leaves else path
    return Put(path, nasty.like(at(tables, path), random))


def _nasty(tables: dict[str, Any], path: Path, random: Random) -> Put:
    return Put(path, nasty.nasty(random))


def _removed(tables: dict[str, Any], path: Path, random: Random) -> Put:
    return Put(path, MISSING)


def _repeated(tables: dict[str, Any], path: Path, random: Random) -> Put:
    """An entry of a list twice, or a table where a list of tables should be, or the other way round."""
    value = at(tables, path)
    if isinstance(value, list):
        return Put(path, (value * random.choice((0, 2, 2, 3)))[: random.choice((1, 2, 4, 50))])
    return Put(path, [value])


def _renamed(tables: dict[str, Any], path: Path, random: Random) -> Put:
    """An unknown key."""
    word = random.choice(("nmae", "x", "", "é", "a\x00b", "k" * 3000, "stifness", "__class__"))
    return Put((*path[:-1], word) if isinstance(path[-1], str) else (*path, word), at(tables, path))


def _another(tables: dict[str, Any], path: Path, random: Random) -> Put:
    """A key of the schema with a value that fits, or hardly does."""
    keys = grammar.schema()["properties"]
    word = random.choice(sorted(keys))
    node = keys[word]
    path = (word,)
    if word == "body" and random.random() < 0.8:
        node = grammar._resolved(node["items"])["properties"]
        inner = random.choice(sorted(node))
        path, node, word = ("body", 0, inner), node[inner], inner
    value = grammar.draw(node, random, word, 0.4)
    return Put(path, nasty.like(value, random) if random.random() < 0.3 else value)


def _swapped(tables: dict[str, Any], path: Path, random: Random) -> Put:
    """The table of the same name of another scene."""
    other = shipped_tables(random.choice(shipped()))
    if "body" in tables and random.random() < 0.6:
        inner = random.choice([key for key in other["body"][0] if key != "name"])
        return Put(("body", 0, inner), other["body"][0][inner])
    word = random.choice([key for key in other if key not in ("title", "description", "expect")])
    return Put((word,), other[word])


def _deep(tables: dict[str, Any], path: Path, random: Random) -> Put:
    """Lists or tables in each other."""
    depth = random.choice((5, 40, 120, 400, 1500))
    start, end = random.choice((("[", "]"), ("{ a = ", " }")))
    return Put(path, Raw(start * depth + "1" + end * depth))
