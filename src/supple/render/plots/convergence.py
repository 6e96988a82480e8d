"""Errors against step size or cost; one panel for each kind of error."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.render import style
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

Curves = Mapping[str, Mapping[str, Array]]
"""Integrator -> columns h [s], error_x [m], error_v [m/s], error_energy [-], error_modes [m], cpu_seconds [s], wall_seconds [s],
evaluations; NaN errors are not drawn."""
COSTS = {"cpu": "CPU time", "wall": "wall time", "forces": "force evaluations"}
_ACROSS = {
    "cpu": ("cpu_seconds", "CPU time of the steps  [s]"),
    "wall": ("wall_seconds", "wall time of the steps  [s]"),
    "forces": ("evaluations", "force evaluations"),
}
LABELS = {
    "error_x": "error of x  [m]",
    "error_v": "error of v  [m/s]",
    "error_energy": "error of energy  [-]",
    "error_modes": "error of lowest modes  [m]",
}

SLOPES = (1, 2, 4)
ROOM = 2.0
"""Margin factor above and below the errors."""


def plot_orders(curves: Curves, path: Path, title: str) -> None:
    """log error over log h, with faint lines of slope 1, 2 and 4 to compare with."""
    _plot(curves, ("error_x", "error_v"), path, title, "h", "step h  [s]", slopes=True)


def plot_work(curves: Curves, path: Path, title: str, against: str = "cpu") -> None:
    """log error over log cost, a key of COSTS: further down and to the left is better."""
    kinds = tuple(kind for kind in LABELS if any(np.isfinite(figures[kind]).any() for figures in curves.values()))
    _plot(curves, kinds or ("error_x",), path, title, *_ACROSS[against], slopes=False)


def _plot(
    curves: Curves, kinds: tuple[str, ...], path: Path, title: str, across: str, label: str, slopes: bool
) -> None:
    rows = -(-len(kinds) // 2)
    figure = style.new_figure(8.0, 2.0 + 4.0 * rows, title)
    panels = figure.subplots(rows, min(2, len(kinds)), squeeze=False).ravel()
    strokes = style.strokes(curves)
    for axes in panels[len(kinds) :]:
        axes.set_visible(False)
    for axes, column in zip(panels, kinds, strict=False):
        # nearly coincident curves show as outlines of those drawn later
        widths = np.linspace(3.4, 1.4, len(curves))
        for (method, figures), width in zip(curves.items(), widths, strict=True):
            stroke, values = strokes[method], figures[column]
            axes.plot(
                figures[across], np.where(values > 0.0, values, np.nan), color=stroke.colour, linestyle=stroke.pattern,
                linewidth=width, marker="o", markersize=4.5, label=method,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(_range([figures[across] for figures in curves.values()], 1.2))
        axes.set_ylim(_range([figures[column] for figures in curves.values()], ROOM))
        if slopes:
            _slopes(axes, np.concatenate([figures[across] for figures in curves.values()]))
        for axis in (axes.xaxis, axes.yaxis):
            _sparse_ticks(axis)
        style.dress(axes, LABELS[column])
        axes.set_xlabel(label, fontsize=12.5, color=style.INK)
    style.legend_below(figure, panels[0], columns=4)
    style.save(figure, path)


def _range(columns: list[Array], room: float) -> tuple[float, float]:
    """Least and greatest positive number, with a margin; any range if there is none."""
    values = np.concatenate(columns)
    values = values[np.isfinite(values) & (values > 0.0)]
    return (float(values.min()) / room, float(values.max()) * room) if len(values) else (0.1, 1.0)


def _sparse_ticks(axis: Axis) -> None:
    """Where the range has no two decades to label, label 1, 2 and 5 of each in plain figures."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_minor_formatter(NullFormatter())
    if high < 60.0 * low:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _slopes(axes: Axes, steps: Array) -> None:
    """Faint lines through the upper right corner of the plot, labelled where they leave it."""
    low, high = float(steps.min()), float(steps.max())
    if not low < high:
        return
    bottom, top = axes.get_ylim()
    anchor = top / ROOM
    for slope in SLOPES:
        h = np.array([max(low, high * (bottom / anchor) ** (1.0 / slope)), high])
        line = anchor * (h / high) ** slope
        axes.plot(h, line, color="#b0b0b0", linewidth=1.0, linestyle=(0, (2.0, 2.0)), zorder=1)
        at = np.sqrt(h[0] * h[1])
        axes.annotate(
            f"h$^{slope}$" if slope > 1 else "h", (at, anchor * (at / high) ** slope), color="#777777", fontsize=10.5,
            ha="center", va="center", zorder=1.5, bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"},
        )  # fmt: skip
