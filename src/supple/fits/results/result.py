"""Result of a fit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.errors import SuppleError
from supple.fits.losses.targets import Target
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Row:
    """One unknown in the table."""

    key: str
    """Key of the unknown."""
    start: float
    """Value at the start, in the unit of the key."""
    value: float
    """Fitted value, in the unit of the key."""
    error: float
    """Standard error; nan if unknown."""
    corrected: float | None = None
    """A stiffness without the known frequency error of the method; None if there is none."""

    @property
    def plain(self) -> dict[str, Any]:
        return {
            "key": self.key, "start": self.start, "value": self.value,
            "standard_error": self.error, "corrected": self.corrected,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Followed:
    """A followed point over time."""

    label: str
    times: Array
    x: Array
    """(f, 3) [m]"""


@dataclass(frozen=True, eq=False)
class FitResult:
    """The values of the unknowns, their certainty, and remarks."""

    values: dict[str, float]
    """Fitted value of each unknown, by key, in the unit of the key."""
    table: tuple[Row, ...]
    """One row per unknown: start, fitted value and standard error."""
    loss: float
    """Loss at the end; `start_loss` at the start."""
    start_loss: float
    """Loss at the start."""
    rms: float | None
    """Square root of a loss that is a sum of squares."""
    unit: str
    """Unit of rms, where all parts of the loss share one."""
    correlation: Array
    """(p, p) correlation of the p unknowns [-]; nan where unknown."""
    notes: tuple[str, ...]
    """Warnings and remarks."""
    runs: int
    """Number of runs computed."""
    steps_of_solver: int
    """Number of iterations of the search."""
    solver: str
    """Name of the search method."""
    interrupted: bool
    """Whether Ctrl-C stopped the search."""
    scene: str | None
    """Text of the scene file with the fitted values; None for a function."""
    fields: dict[str, Array] = field(default_factory=dict)
    """(m,) values of unknowns with a value per element."""
    files: dict[str, Array] = field(default_factory=dict)
    """Arrays that the scene names."""
    paths: tuple[Followed, ...] = ()
    """Target, start and fit, where something is followed."""
    target: Target | None = None
    """Measured positions, if the loss has them."""

    @property
    def plain(self) -> dict[str, Any]:
        """The content of fit.json."""
        return {
            "values": self.values,
            "table": [row.plain for row in self.table],
            "rms": self.rms,
            "unit": self.unit,
            "loss": self.loss,
            "start_loss": self.start_loss,
            "correlation": np.asarray(self.correlation).tolist(),
            "fields": {key: values.tolist() for key, values in self.fields.items()},
            "notes": list(self.notes),
            "runs": self.runs,
            "iterations": self.steps_of_solver,
            "solver": self.solver,
            "interrupted": self.interrupted,
        }

    def save(self, folder: str | Path, overwrite: bool = False, run: bool = True, film: bool = False) -> Path:
        """Write scene.toml, table.csv, fit.json, curves.png, with `run` a run of the fitted scene in FOLDER/run, and with
        `film` a film of it, beside the target if that is a run."""
        from supple.fits.results.folder import save

        return save(self, Path(folder), overwrite, run, film)

    def plot(self) -> Figure:
        """Target, start and fit over time."""
        from supple.fits.results.curves import curves

        if not self.paths:
            raise SuppleError("plot: nothing is followed over time here; look at .table")
        return curves(self)

    def __str__(self) -> str:
        width = max((len(name) for name in (*self.values, *self.fields)), default=0)
        lines = [f"{'unknown':{width}s} {'start':>12s} {'fitted':>12s} {'std error':>10s} {'corrected':>12s}".rstrip()]
        for row in self.table:
            corrected = "" if row.corrected is None else f"{row.corrected:12.5g}"
            error = "-" if math.isnan(row.error) else f"{row.error:.2g}"
            line = f"{row.key:{width}s} {row.start:12.5g} {row.value:12.5g} {error:>10s} {corrected:>12s}"
            lines.append(line.rstrip())
        lines += [f"{key:{width}s} {len(v)} elements, {v.min():.4g} to {v.max():.4g}" for key, v in self.fields.items()]
        misfit = f"rms misfit {self.rms:.4g} {self.unit}".rstrip() if self.rms is not None else f"loss {self.loss:.6g}"
        lines.append(f"{misfit}, {self.solver}, {self.runs} runs")
        return "\n".join([*lines, *self.notes])
