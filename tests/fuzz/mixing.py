"""Scenes that most likely run: parts of scenes that do, combined anew, and values near the original ones.

A mixture is a tiny body with a material that fits it, a method, and up to two tables of shipped scenes. So bodies, materials,
methods, wrappers, damping, contact, constraints and fields meet in new pairs, and the ledger is judged on motion rather than on
refusals.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from fuzz.mutations import Put, at, paths
from fuzz.seeds import shipped, shipped_tables

STEPS = (0.001, 0.005, 0.01, "1/60", "1/30")
TABLES = ("damping", "contact", "field", "world", "solver", "obstacle", "record")
WRAPPERS: tuple[dict[str, Any], ...] = (
    {"budget": True},
    {"budget": {"dissipation": 1.0}},
    {"budget": {"release": "rebound"}},
    {"adaptive": True},
)
STARTS: tuple[dict[str, Any], ...] = (
    {"velocity": [0.5, -1.0, 0.2]},
    {"stretch": [1.1, 1.0, 1.0], "spin": [0.3, 1.0, 2.0]},
    {"rotate": {"axis": [0.0, 0.0, 1.0], "angle": 0.5}},
)
LEFT_OUT = ("title", "description", "expect", "name", "seed")


def mixture(random: Random) -> dict[str, Any]:
    """Tables of a scene made of parts of others."""
    tables: dict[str, Any] = {"time": {"step": random.choice(STEPS)}}
    tables["integrator"] = copy.deepcopy(random.choice(_methods()))
    if random.random() < 0.2:
        tables["integrator"] |= random.choice(WRAPPERS)
    tables["body"] = [_body(random) for _ in range(random.choice((1, 1, 1, 2)))]
    if len(tables["body"]) == 2:
        tables["body"][1].setdefault("initial", {})["translate"] = [0.0, random.choice((0.12, 0.25, 0.5)), 0.0]
    for word in random.sample(TABLES, random.choice((0, 1, 1, 2))):
        known = _entries(word)
        if known:
            tables[word] = copy.deepcopy(random.choice(known))
    return tables


def _body(random: Random) -> dict[str, Any]:
    body = copy.deepcopy(random.choice(_bodies()))
    body.setdefault("density", random.choice((1.0, 100.0, 1000.0)))
    if random.random() < 0.5:
        body["initial"] = copy.deepcopy(random.choice(STARTS))
        if random.random() < 0.7:
            body.pop("pin", None)
    return body


@cache
def _bodies() -> tuple[dict[str, Any], ...]:
    from supple.runs.trials.listing import all_trials

    return tuple(table for trial in all_trials() if trial.tables for table in trial.tables["body"])


@cache
def _methods() -> tuple[dict[str, Any], ...]:
    """Every registered method with its defaults, and the tables of shipped scenes."""
    from supple.integrators import INTEGRATORS

    return (*({"name": name} for name in INTEGRATORS.names()), *_entries("integrator"))


@cache
def _entries(word: str) -> tuple[Any, ...]:
    """Tables of shipped scenes under a heading; files and names of their own bodies are not carried along."""
    found = (shipped_tables(name).get(word) for name in shipped())
    return tuple(entry for entry in found if entry and not _named(entry))


def _named(entry: Any) -> bool:
    foreign = {"file", "mesh", "body", "bodies", "group", "groups", "vertices"}
    return any(foreign.intersection(map(str, path)) for path in paths(entry))


def mild(tables: dict[str, Any], random: Random) -> Put:
    """A change that leaves most scenes as sensible as they were."""
    if random.random() < 0.25:
        word = random.choice(("integrator", "integrator", "damping", "world", "solver", "contact", "field"))
        known = _methods() if word == "integrator" else _entries(word)
        if known:
            return Put((word,), copy.deepcopy(random.choice(known)))
    leaves = list(_numbers(tables)) or [("time", "step")]
    path = random.choice(leaves)
    return Put(path, near(at(tables, path), random))


def _numbers(tables: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    for path in paths(tables):
        if path[0] not in LEFT_OUT and isinstance(at(tables, path), int | float):
            yield path


def near(value: Any, random: Random) -> Any:
    """A value of the same kind and about the same size."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + random.choice((-1, 1, 1, 2)))
    return (value or random.choice((0.1, 1.0))) * random.choice((-1.0, 0.0, *(10.0 ** random.uniform(-2.0, 2.0),) * 6))
