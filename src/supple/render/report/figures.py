"""Figures of a run for comparison."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.render.plots.energy import energy_scale, finite
from supple.render.report.account import Account

KINDS = ("kinetic", "elastic", "gravity", "other", "total")
GRID = ("transfer", "force", "collided", "restored", "plastic", "hardening")
"""History columns of material-point steps."""


@dataclass(frozen=True)
class Figures:
    """Counts, energies and times of one run; a run without a row has none."""

    steps: int
    pieces: int
    """Rows of failed steps that were subdivided."""
    doubtful: int
    """Rows whose energy residual exceeds the bound from the method's own figures."""
    time: float
    """Simulated time [s]."""
    scale: float
    """Energy in play [J]."""
    start: dict[str, float]
    end: dict[str, float]
    """Energies by their kind [J]."""
    external_work: float
    dissipated: float
    residual: float
    """Energy at the end [J]."""
    springs: float
    """Part of the energy residual from temporary springs of obstacles [J]."""
    grid: dict[str, float]
    """Energy changes by material-point steps [J]; empty for meshes."""
    drift: float
    """Largest |residual| / energy in play."""
    kept: float
    """1 + (H(end) - H(0)) / energy in play."""
    iterations: int
    factorisations: int
    searches: int
    """Steps of the line search."""
    wall: float
    """Time to compute all steps [s]."""
    wall_median: float
    wall_most: float
    slowest: int
    """Number of the step that took longest."""


def figures(account: Account) -> Figures | None:
    """From the history; None if it has no row."""
    rows = account.history
    if not len(rows["time"]):
        return None
    scale = energy_scale(rows)
    wall = rows["wall_seconds"][1:] if len(rows["time"]) > 1 else np.zeros(1)
    slowest = int(np.argmax(wall))
    end = {kind: float(rows[kind][-1]) for kind in KINDS}
    start = {kind: float(rows[kind][0]) for kind in KINDS}
    grid = {name: float(rows[name][-1]) for name in GRID if name in rows}
    nominal = account.h or float(rows["h"].max())
    return Figures(
        steps=int(rows["step"][-1]),
        pieces=int(np.count_nonzero(rows["h"][1:] < 0.75 * nominal)),
        doubtful=int(rows["doubtful"].sum()) if "doubtful" in rows else 0,
        time=float(rows["time"][-1]),
        scale=scale,
        start=start,
        end=end,
        external_work=float(rows["external_work"][-1]),
        dissipated=float(rows["dissipated"][-1]),
        residual=float(rows["residual"][-1]),
        springs=float(rows["springs"][-1]) if "springs" in rows else 0.0,
        grid=grid if any(grid.values()) else {},
        drift=float(np.abs(finite(rows["residual"])).max(initial=0.0)) / scale,
        kept=1.0 + (end["total"] - start["total"]) / scale,
        iterations=int(rows["newton_iterations"].sum()),
        factorisations=int(rows["factorisations"].sum()),
        searches=int(rows["line_search_steps"].sum()),
        wall=float(wall.sum()),
        wall_median=float(np.median(wall)),
        wall_most=float(wall[slowest]),
        slowest=int(rows["step"][1:][slowest]) if len(rows["time"]) > 1 else 0,
    )
