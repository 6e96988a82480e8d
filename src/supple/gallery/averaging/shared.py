"""Measurements and plots shared by several panels of this source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.drawing.curves import Curves, curves, mark
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def energy(run: Run) -> Array:
    """Total energy over that at the start, row by row."""
    total = np.asarray(run.history["total"], dtype=float)
    return total / total[0]


def drift(run: Run) -> float:
    """Largest change of the total energy, over that at the start."""
    return float(np.abs(energy(run) - 1.0).max())


def energy_curves(runs: Mapping[str, Run]) -> Curves:
    """Total energy over that at the start."""
    return {name: (np.asarray(run.history["time"], dtype=float), energy(run)) for name, run in runs.items()}


def draw_energies(axes: Axes, runs: Mapping[str, Run], high: float, title: str = "", log: bool = False) -> None:
    """Energies of runs up to `high` times that at the start, where diverging ones leave the plot."""
    limits = (1e-3, high) if log else (0.0, high)
    curves(
        axes, energy_curves(runs), "time [s]", "energy over its start", title=title, log="y" if log else "", limits=limits
    )  # fmt: skip
    mark(axes, 1.0, "")


def iterations(run: Run) -> Array:
    """Newton iterations of each step."""
    return np.asarray(run.history["newton_iterations"], dtype=float)[1:]
