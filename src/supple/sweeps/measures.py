"""Measures: the figures of each run in the table of a sweep.

A measure is an expression of the recorded data:

    total@drift                        a column of history.csv at one place: start, end, max, min, mean, sum, drift,
                                       time-of-max [s]; drift is the largest change from the start, over the start
    jelly.tip.y@max                    the mean position of a vertex group along an axis, over the recorded frames [m]
    potential@max                      the sum of elastic, gravity and other energy
    wall_seconds                       computing time [s]: wall_seconds@sum
    expectations_held                  fraction of the scene's [expect] tables that hold
    loss = 1 - total@end/total@start   arithmetic of these, with a name
From Python a measure may also be a function of the finished `Run`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.formulas.parse import A_NUMBER, kind, parse
from supple.formulas.walk import evaluate
from supple.recording.history import COLUMNS, DERIVED, series
from supple.recording.playback import open_animation
from supple.runs.results import Run
from supple.types import Array

PLACES = ("start", "end", "max", "min", "mean", "sum", "drift", "time-of-max")
WALL = "wall_seconds"
HELD = "expectations_held"
WORDS = {WALL: (WALL, "sum"), HELD: (HELD, "share")}
"""Measures without `@`."""
SERIES = (*COLUMNS, *DERIVED)
CONSTANTS = {"pi": math.pi, "e": math.e}
_ATOM = re.compile(rf"([A-Za-z_][\w-]*(?:\.[\w-]+)*)@(time-of-max|[a-z]+)|\b(?:{WALL}|{HELD})\b")
_NAMED = re.compile(r"\s*([A-Za-z_][\w.@-]*)\s*=(?!=)\s*(.+)", re.DOTALL)


@dataclass(frozen=True)
class Atom:
    """One series of a run, reduced to a value."""

    series: str
    place: str

    def __post_init__(self) -> None:
        if self._is_judged:
            return
        if self.place not in PLACES:
            raise SuppleError(f"measure {self}: unknown place '{self.place}'; known: {', '.join(PLACES)}")
        if self.group is None and self.series not in SERIES:
            raise SuppleError(
                f"measure {self}: unknown column '{self.series}'{did_you_mean(self.series, SERIES)} "
                f"known: {', '.join(SERIES)}; a vertex group is BODY.GROUP.x, .y or .z"
            )

    def __str__(self) -> str:
        return f"{self.series}@{self.place}"

    @property
    def group(self) -> tuple[str, int] | None:
        """Body and group, and the axis; None for a column."""
        name, dot, axis = self.series.rpartition(".")
        return (name, "xyz".index(axis)) if dot and axis in {"x", "y", "z"} else None

    @property
    def _is_judged(self) -> bool:
        return (self.series, self.place) == WORDS[HELD]

    def value(self, run: Run) -> float:
        if self._is_judged:
            verdicts = run.verdicts
            return sum(verdict.passes for verdict in verdicts) / len(verdicts) if verdicts else math.nan
        if self.group is None:
            history = run.history
            return at_place(history["time"], series(history, self.series).astype(float), self.place)
        times, path = group_path(run, *self.group)
        return at_place(times, path, self.place)


@dataclass(frozen=True)
class Measure:
    """A figure of each run."""

    name: str
    text: str
    function: Callable[[Run], Any] | None = None

    def __post_init__(self) -> None:
        if self.function is None and not self.atoms:
            raise SuppleError(
                f"measure '{self.text}': uses no data of the run; give COLUMN@PLACE, such as total@drift or "
                "height=jelly.tip.y@max"
            )
        _ = self._graph

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """Its terms."""
        found = (_atom(match) for match in _ATOM.finditer(self.text))
        return tuple(dict.fromkeys(found)) if self.function is None else ()

    @property
    def groups(self) -> list[str]:
        """Vertex groups whose positions it needs."""
        return [atom.group[0] for atom in self.atoms if atom.group is not None]

    @cached_property
    def _graph(self) -> Any:
        if self.function is not None:
            return None
        letters = {atom: f"m{k}" for k, atom in enumerate(self.atoms)}
        text = _ATOM.sub(lambda match: letters[_atom(match)], self.text)
        try:
            graph = parse(text, tuple(f"m{k}" for k in range(len(self.atoms))), CONSTANTS)
        except ValueError as problem:
            said = str(problem)
            for atom, letter in letters.items():
                said = re.sub(rf"\b{letter}\b", str(atom), said)
            raise SuppleError(f"measure '{self.text}': {said}") from None
        if kind(graph) != A_NUMBER:
            raise SuppleError(f"measure '{self.text}': found a condition; a measure is a number")
        return graph

    def value(self, run: Run) -> float:
        """The figure of a run."""
        if self.function is not None:
            return self._called(self.function, run)
        given = {f"m{k}": np.array([atom.value(run)]) for k, atom in enumerate(self.atoms)}
        with np.errstate(all="ignore"):
            return float(evaluate([self._graph], given, 1)[0].ravel()[0])

    def _called(self, function: Callable[[Run], Any], run: Run) -> float:
        try:
            return float(function(run))
        except Exception as problem:  # a function of the user may raise anything
            raise SuppleError(f"measure '{self.name}': {type(problem).__name__}: {problem}") from problem


def _atom(match: re.Match[str]) -> Atom:
    return Atom(*WORDS[match[0]]) if match[0] in WORDS else Atom(match[1], match[2])


DEFAULTS = ("total@drift", "total@end", "residual@end", WALL)
"""Default measures of a sweep."""


def parse_measure(text: str) -> Measure:
    """A measure from text: an expression, or NAME = EXPRESSION."""
    named = _NAMED.fullmatch(text)
    return Measure(named[1], named[2].strip()) if named else Measure(text.strip(), text.strip())


def make_measures(given: Sequence[str] | Mapping[str, str | Callable[[Run], Any]] | None) -> tuple[Measure, ...]:
    """Measures from texts, or by name from texts and functions."""
    if given is None:
        given = DEFAULTS
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        made = tuple(
            Measure(name, getattr(of, "__name__", name), of) if callable(of) else Measure(name, str(of))
            for name, of in given.items()
        )
    else:
        made = tuple(parse_measure(text) for text in given)
    names = [measure.name for measure in made]
    for name in names:
        if names.count(name) > 1:
            raise SuppleError(f"measure '{name}': given {names.count(name)} times; give each a unique name")
    return made


def at_place(times: Array, values: Array, place: str) -> float:
    """One number of a series (n,) over times (n,) [s]."""
    if not len(values):
        return math.nan
    match place:
        case "start" | "end":
            return float(values[0 if place == "start" else -1])
        case "max" | "min":
            return float(values.max() if place == "max" else values.min())
        case "mean":
            span = float(times[-1] - times[0])
            return float(0.5 * np.diff(times) @ (values[1:] + values[:-1])) / span if span > 0.0 else float(values[0])
        case "sum":
            return float(values.sum())
        case "time-of-max":
            return float(times[int(np.argmax(values))])
    return float(np.abs(values - values[0]).max()) / (abs(float(values[0])) or 1.0)


def group_path(run: Run, name: str, axis: int) -> tuple[Array, Array]:
    """Simulated times (f,) of the recorded frames [s], and the mean position of a group along an axis [m]."""
    group = run.setup.assemble().mesh.group(name)
    with open_animation(run.folder.animation) as film:
        path = [film.points(k)[group, axis].mean(dtype=float) for k in range(len(film))]
        return film.simulated, np.array(path)
