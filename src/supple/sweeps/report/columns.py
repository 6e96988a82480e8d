"""The columns of a sweep's table for a page: numbers or words, with scale and colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from supple.render.style import integrator_stroke, scene_strokes
from supple.sweeps.axes import Range
from supple.sweeps.manifest import Manifest
from supple.sweeps.plan import short_keys

Role = Literal["value", "state", "measure", "cost"]
WIDE, WIDER = 8.0, 30.0
"""Ratio of largest to smallest above which positive values and measures use a logarithmic axis."""


@dataclass(frozen=True)
class Column:
    """One figure or word of every run."""

    name: str
    title: str
    role: Role
    cells: tuple[float | str | None, ...]
    """None for missing values."""
    log: bool = False

    @property
    def numeric(self) -> bool:
        return not any(isinstance(cell, str) for cell in self.cells)

    @property
    def colours(self) -> dict[str, str]:
        """Colours of words; integrators have the colours of all other plots."""
        words = list(dict.fromkeys(cell for cell in self.cells if isinstance(cell, str)))
        if self.name.endswith("integrator.name"):
            return {word: integrator_stroke(word).colour for word in words}
        return {word: stroke.colour for word, stroke in scene_strokes(words).items()}

    def plain(self) -> dict[str, Any]:
        """As scripts read it."""
        numeric = self.numeric
        return {
            "name": self.name, "title": self.title, "role": self.role, "cells": self.cells, "log": self.log,
            "numeric": numeric, "colours": {} if numeric else self.colours,
        }  # fmt: skip


def columns(manifest: Manifest) -> list[Column]:
    """Values, state, measures and seconds of all runs."""
    rows = manifest.rows
    keys = list(rows[0].values) if rows else []
    logs = {axis["key"] for axis in manifest.plan["axes"] if axis["kind"] == Range.__name__.lower() and axis["log"]}
    found = []
    for key, short in zip(keys, short_keys(keys), strict=True):
        cells = alike([row.values[key] for row in rows])
        found.append(Column(key, short, "value", cells, key in logs or _spread(cells, WIDE)))
    found.append(Column("state", "state", "state", tuple(row.state.value for row in rows)))
    for name in manifest.plan["measures"]:
        cells = tuple(_number(row.measures.get(name)) for row in rows)
        found.append(Column(name, name, "measure", cells, _spread(cells, WIDER)))
    return [*found, Column("seconds", "seconds", "cost", tuple(_number(row.seconds) for row in rows))]


def alike(values: Sequence[Any]) -> tuple[float | str | None, ...]:
    """All numbers, or all words."""
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return tuple(_number(value) for value in values) if numbers else tuple(map(_word, values))


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _number(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _spread(cells: Sequence[float | str | None], factor: float) -> bool:
    numbers = [cell for cell in cells if isinstance(cell, float)]
    return len(numbers) > 1 and min(numbers) > 0 and max(numbers) > factor * min(numbers)
