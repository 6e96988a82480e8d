"""Measurements and plots shared by the AVF panels."""

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
    """Total energy relative to its initial value, row by row."""
    total = np.asarray(run.history["total"], dtype=float)
    return total / total[0]


def drift(run: Run) -> float:
    """Largest change in total energy, relative to the initial energy."""
    return float(np.abs(energy(run) - 1.0).max())


def energy_curves(runs: Mapping[str, Run]) -> Curves:
    """Total energy relative to its initial value."""
    return {name: (np.asarray(run.history["time"], dtype=float), energy(run)) for name, run in runs.items()}


def draw_energies(axes: Axes, runs: Mapping[str, Run], high: float, title: str = "", log: bool = False) -> None:
    """Relative energies of runs, plotted up to `high`; diverging runs leave the plot."""
    limits = (1e-3, high) if log else (0.0, high)
    curves(
        axes, energy_curves(runs), "time [s]", "energy / initial energy", title=title, log="y" if log else "", limits=limits
    )  # fmt: skip
    mark(axes, 1.0, "")


def iterations(run: Run) -> Array:
    """Newton iterations per step."""
    return np.asarray(run.history["newton_iterations"], dtype=float)[1:]
