"""Scenes for every table of the schema: tiny ones that have the table, and run as they are."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from fuzz.cases import LIMITS
from fuzz.ladders.own_scenes import own_scenes
from fuzz.ladders.places import Place, tables_of
from fuzz.mutations import Path, at, paths
from fuzz.seeds import STEPS, Seed, seconds, seed, shipped, shipped_tables

SHIPPED_LATER = 1000
"""Shipped scenes have to be shrunk first, and come after all others."""


@dataclass(frozen=True)
class Host:
    """A scene and the path of a table in it."""

    base: Seed
    path: Path

    def small(self) -> Host:
        """A shipped scene as small as it runs, with limits of size."""
        base = self.base if self.base.name not in shipped() else seed(self.base.name)
        return replace(self, base=replace(base, tables={"limits": dict(LIMITS), **base.tables}))


def hosts(place: Place) -> list[Host]:
    """Scenes with the table, those that set the key first; an empty list if there is none."""
    known = all_hosts().get(place.table, [])
    return sorted(known, key=lambda host: place.key not in (at(host.base.tables, host.path) or {}))


@cache
def all_hosts() -> dict[str, list[Host]]:
    """For each table the scenes that have it, small ones first."""
    found: dict[str, list[Host]] = {}
    for _, base in sorted(((_size(base), base) for base in _scenes()), key=lambda pair: pair[0]):
        for path, table in tables_of(base.tables):
            found.setdefault(table, []).append(Host(base, path))
    return found


def _size(base: Seed) -> int:
    return len(list(paths(base.tables))) + SHIPPED_LATER * (base.name in shipped())


def _scenes() -> list[Seed]:
    from supple.runs.trials.listing import all_trials

    trials = [Seed(trial.name, _short(trial.tables)) for trial in all_trials() if trial.tables]
    return [*own_scenes(), *trials, *(Seed(name, shipped_tables(name)) for name in shipped())]


def _short(tables: dict[str, Any]) -> dict[str, Any]:
    tables = copy.deepcopy(tables)
    tables["time"].setdefault("duration", STEPS * seconds(tables["time"]["step"]))
    return tables
