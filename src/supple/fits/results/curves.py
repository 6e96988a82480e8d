"""Target, start and fit over time, and the misfit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.render import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from supple.fits.results.result import FitResult

STILL = 0.02
"""Axes along which a target moves less than this fraction of its largest range are omitted."""
STROKES = {"start": ("#d55e00", 1.4, (0, (4.0, 1.6))), "fit": ("#0072b2", 2.0, "solid")}


def curves(result: FitResult) -> Figure:
    """A panel for each axis along which the target moves, and one with the distance from it."""
    target = result.paths[0]
    ranges = np.ptp(target.x, axis=0)
    shown = [k for k in range(3) if ranges[k] > STILL * ranges.max()] or [0]
    figure = style.new_figure(8.0, 2.0 + 2.1 * (len(shown) + 1), "Target and fit")
    panels = np.atleast_1d(figure.subplots(len(shown) + 1, 1, sharex=True))
    for panel, k in zip(panels, shown, strict=False):
        panel.plot(target.times, target.x[:, k], ".", color="#111111", markersize=6, label="target", zorder=4)
        for path in result.paths[1:]:
            colour, width, dashes = STROKES[path.label]
            panel.plot(path.times, path.x[:, k], color=colour, linewidth=width, linestyle=dashes, label=path.label)
        style.dress(panel, f"{'xyz'[k]}  [m]")
    for path in result.paths[1:]:
        at = np.stack([np.interp(target.times, path.times, column) for column in path.x.T], axis=1)
        colour, width, dashes = STROKES[path.label]
        inside = target.times <= path.times[-1] * (1.0 + 1e-9)
        distance = 1e3 * np.linalg.norm(at - target.x, axis=1)[inside]
        panels[-1].plot(target.times[inside], distance, color=colour, linewidth=width, linestyle=dashes)
    panels[-1].set_yscale("log")
    style.dress(panels[-1], "distance  [mm]")
    panels[-1].set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, panels[0], columns=3)
    return figure
