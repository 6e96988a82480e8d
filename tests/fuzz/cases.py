"""Cases: scene, command line and files, all of them determined by a seed and a number."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Self

from fuzz import grammar, nasty
from fuzz.mixing import mild, mixture, near
from fuzz.mutations import Put, at, mutation, paths
from fuzz.seeds import STEPS, Seed, seconds, seed, shipped
from fuzz.text import document, value
from fuzz.warming import warm, warm_contact

SCENE, OUT = "scene.toml", "out"
SHIPPED, MIXED, DRAWN = "shipped", "mixed", "random"
"""Sources of scenes: a shipped one, parts of shipped ones, or anything that the schema allows."""
GARBAGE = (
    "\x00",
    "\udcff\udcfe",
    "[[[",
    "]",
    "=",
    "\n[body]\n",
    "\n[time]\nstep = 1\n",
    "#",
    '"',
    "\ufeff",
    "\n\n\n=\n",
)
LIMITS = {"vertices": 50_000, "elements": 200_000}
"""Sizes of scenes, unless a change sets others: a large body takes minutes, which is no hang."""
OPTIONS = (("--check",), ("--separate",), ("--strict",), ("--stiffer", "3"), ("--settle", "1e-3"), ("--speed", "1e9"))


@dataclass(frozen=True)
class Garble:
    """A change of the text of the file: `cut` characters from `start` (a fraction of its length) on give way to others."""

    start: float
    cut: int
    put: str

    def apply(self, text: str) -> str:
        """The changed text."""
        at = int(self.start * len(text))
        return text[:at] + self.put + text[at + self.cut :]


@dataclass(frozen=True)
class Case:
    """One scene, how it was made, and the command."""

    name: str
    base: Seed
    changes: tuple[Put | Garble, ...] = ()
    settings: tuple[str, ...] = ()
    options: tuple[tuple[str, ...], ...] = ()

    def tables(self) -> dict[str, Any]:
        """The tables with all changes."""
        tables = copy.deepcopy(self.base.tables)
        for change in self.changes:
            if isinstance(change, Put):
                change.apply(tables)
        return tables

    def text(self) -> str:
        """The scene file."""
        text = document(self.tables())
        for change in self.changes:
            if isinstance(change, Garble):
                text = change.apply(text)
        return text

    def arguments(self) -> list[str]:
        """The words of the command."""
        sets = [word for setting in self.settings for word in ("--set", setting)]
        options = [word for option in self.options for word in option]
        return ["run", SCENE, "--out", OUT, "--json", *options, *sets]

    def write(self, folder: Path) -> None:
        """Scene and files into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self.base.copy_files(folder)
        (folder / SCENE).write_bytes(self.text().encode("utf-8", "surrogateescape"))

    def shown(self) -> str:
        """Scene and command for people."""
        files = "".join(f"# beside it: {file.name} of the shipped scenes\n" for file in self.base.files)
        text = self.text().encode("utf-8", "backslashreplace").decode()
        return f"{files}{text}\n$ supple {shlex.join(self.arguments())}\n"

    def parts(self) -> int:
        """Number of changes that can be left out."""
        return len(self.changes) + len(self.settings) + len(self.options)

    def without(self, part: int) -> Self:
        """The case without one of its changes, settings or options."""
        words: list[Sequence[Any]] = []
        for those in (self.changes, self.settings, self.options):
            words.append([one for k, one in enumerate(those) if k != part])
            part -= len(those)
        return replace(self, changes=tuple(words[0]), settings=tuple(words[1]), options=tuple(words[2]))


def case(start: int, number: int) -> Case:
    """Case `number` of the series that starts with the seed `start`."""
    random = Random(f"{start}:{number}")
    base = base_scene(random)
    made = Case(f"{start}:{number}", base)
    sensible = random.random() < (0.8 if base.name == MIXED else 0.4)
    for _ in range(_how_many(random, base)):
        change = mild(made.tables(), random) if sensible else mutation(made.tables(), random)
        made = replace(made, changes=(*made.changes, change))
    if not sensible and random.random() < 0.06:
        cut = random.choice((0, 0, 1, 5, 100, 10**6))
        made = replace(made, changes=(*made.changes, Garble(random.random(), cut, random.choice(GARBAGE))))
    made = replace(made, settings=tuple(_settings(made, sensible, random)))
    return replace(made, options=_options(random, _has_own_times(made)))


def _has_own_times(made: Case) -> bool:
    """Whether a change may have made the run long."""
    return made.tables().get("time") != made.base.tables.get("time") or any("time" in word for word in made.settings)


def base_scene(random: Random) -> Seed:
    """A scene of one of the three sources, whose kernels this process has afterwards."""
    source = random.choices((SHIPPED, MIXED, DRAWN), (5, 3, 2))[0]
    if source == SHIPPED:
        base = seed(random.choice(shipped()))
    else:
        tables = mixture(random) if source == MIXED else grammar.scene(random)
        tables["time"]["duration"] = STEPS * seconds(tables["time"]["step"])
        warm(tables)
        base = Seed(source, tables)
    warm_contact(base.tables)
    return replace(base, tables={"limits": dict(LIMITS), **base.tables})


def _how_many(random: Random, base: Seed) -> int:
    return random.choice((0, 0, 1, 2)) if base.name in (MIXED, DRAWN) else random.choice((1, 1, 1, 2, 3))


def _settings(made: Case, sensible: bool, random: Random) -> list[str]:
    if random.random() > 0.2:
        return []
    known = list(paths(made.tables())) or [("time",)]
    if sensible:
        known = [path for path in known if isinstance(at(made.tables(), path), int | float)] or known
    return [_setting(made, random.choice(known), sensible, random) for _ in range(random.choice((1, 1, 2)))]


def _setting(made: Case, path: tuple[str | int, ...], sensible: bool, random: Random) -> str:
    found = at(made.tables(), path)
    if sensible and isinstance(found, int | float):
        new = near(found, random)
    else:
        new = nasty.nasty(random) if random.random() < 0.5 else nasty.like(found, random)
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)[1:]
    text = value(new) if random.random() < 0.8 else str(new)
    # the command line of a process cannot carry these
    return f"{words}={text}".replace("\x00", "").encode("utf-8", "ignore").decode()


def _options(random: Random, bounded: bool) -> tuple[tuple[str, ...], ...]:
    steps = [("--steps", str(random.choice((1, 2, STEPS, 5))))] if random.random() < 0.7 or bounded else []
    return (*steps, *([random.choice(OPTIONS)] if random.random() < 0.06 else []))
