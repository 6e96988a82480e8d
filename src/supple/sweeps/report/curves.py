"""Energies of all runs over time, thinned for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.recording.history import read_history, series
from supple.render.report.panels import Values, thinned
from supple.render.report.plots import Columns

NAMES = (
    "total", "kinetic", "elastic", "gravity", "other", "potential", "dissipated", "external_work", "residual",
)  # fmt: skip
"""Columns of a history and their sums, in J."""
POINTS, LEAST, MOST = 60_000, 24, 240
"""Largest number of points of all curves of a column, and of one curve."""

History = dict[str, Values]


@dataclass(frozen=True)
class Curves:
    """Histories by run number, and the largest stride of drawn steps."""

    histories: dict[int, History]
    every: int

    @property
    def names(self) -> list[str]:
        """Columns that are not zero throughout."""
        return [name for name in NAMES if any(np.any(np.nan_to_num(h[name])) for h in self.histories.values())]

    def plain(self, columns: Columns) -> dict[str, Any]:
        """As scripts read it: names of arrays."""
        names = ["time", *self.names]
        return {
            "names": names[1:],
            "runs": {index: {name: columns.add(h[name]) for name in names} for index, h in self.histories.items()},
        }


def read_curves(folders: Sequence[tuple[int, Path]]) -> Curves:
    """Curves of all runs with rows, by number and folder."""
    most = int(np.clip(POINTS // max(1, len(folders)), LEAST, MOST))
    found, widest = {}, 1
    for index, folder in folders:
        try:
            rows = read_history(folder / "history.csv")
        except SuppleError:
            continue
        if not len(rows["time"]):
            continue
        every = -(-len(rows["time"]) // most)
        widest = max(widest, every)
        with np.errstate(over="ignore"):
            found[index] = {name: thinned(series(rows, name), every).astype(np.float32) for name in ("time", *NAMES)}
    return Curves(found, widest)
