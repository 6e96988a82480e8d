"""Stress curves of solids, a panel for each test: solid where stable, dashed where not, with measured points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from supple.render import style
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#332288", "#56b4e9", "#661100")
WIDE, HIGH = 5.2, 4.0
"""Size of a panel [inches]."""
STEEP = 4.0
"""Factor above the typical curve of a panel up to which others are shown."""
UNITS = ((1e9, "GPa"), (1e6, "MPa"), (1e3, "kPa"), (1.0, "Pa"))


@dataclass(frozen=True)
class Line:
    """A curve of one solid."""

    label: str
    x: Array
    y: Array
    """[Pa]; NaN where undefined."""
    stable: tuple[float, float]
    elliptic: tuple[float, float]
    defined: tuple[float, float]


@dataclass(frozen=True)
class Dots:
    """Measured points."""

    x: Array
    y: Array


@dataclass(frozen=True)
class MaterialPanel:
    """One test."""

    title: str
    across: str
    up: str
    rest: float
    lines: Sequence[Line]
    dots: Dots | None = None


def plot_materials(panels: Sequence[MaterialPanel], path: Path, title: str) -> None:
    """All panels in two columns, a colour for each solid."""
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = style.new_figure(WIDE * columns, HIGH * rows + 1.0, title)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    labels = list(dict.fromkeys(line.label for panel in panels for line in panel.lines))
    colours = _colours(labels)
    marks: set[str] = set()
    for axes, panel in zip(grid, panels, strict=False):
        marks |= _draw(axes, panel, colours)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    _explain(grid[0], colours, marks, any(panel.dots for panel in panels))
    style.legend_below(figure, grid[0], columns=4)
    style.save(figure, path)


def _colours(labels: Sequence[str]) -> dict[str, Any]:
    """One for each solid; many solids use a larger palette with less distinct neighbours."""
    from matplotlib import colormaps

    if len(labels) <= len(COLOURS):
        return dict(zip(labels, COLOURS, strict=False))
    return {label: colormaps["tab20"](k % 20) for k, label in enumerate(labels)}


def _draw(axes: Axes, panel: MaterialPanel, colours: dict[str, Any]) -> set[str]:
    """The panel; returns the meaning of its markers."""
    low, high = _vertical(panel)
    factor, unit = next(((f, u) for f, u in UNITS if max(abs(low), abs(high)) >= f), UNITS[-1])
    marks = set()
    for line in panel.lines:
        y, inside = line.y / factor, (line.x >= line.stable[0]) & (line.x <= line.stable[1])
        look: dict[str, Any] = {"color": colours[line.label], "linewidth": 2.0}
        axes.plot(line.x, np.where(inside, y, np.nan), **look)
        axes.plot(line.x, np.where(_beside(~inside), y, np.nan), linestyle=(0, (3, 2)), alpha=0.8, **look)
        for kind, marker, span in (
            ("not convex", "x", line.stable),
            ("not elliptic", "o", line.elliptic),
            ("ends", "s", line.defined),
        ):
            for end, edge in zip(span, (line.x[0], line.x[-1]), strict=True):
                if end == edge or (kind != "ends" and end in line.defined):
                    continue
                marks.add(kind)
                at = np.interp(end, line.x[np.isfinite(y)], y[np.isfinite(y)])
                fill = "none" if kind != "ends" else colours[line.label]
                axes.plot([end], [at], linestyle="none", marker=marker, markersize=7.0, markerfacecolor=fill,
                          color=colours[line.label], zorder=4)  # fmt: skip
    if panel.dots is not None:
        axes.plot(
            panel.dots.x, panel.dots.y / factor, linestyle="none", marker="o", markersize=4.0, color=style.INK, zorder=3
        )
    axes.axhline(0.0, color="#888888", linewidth=0.8, zorder=1)
    axes.axvline(panel.rest, color="#888888", linewidth=0.8, zorder=1)
    axes.set_ylim(low / factor, high / factor)
    axes.set_title(panel.title, fontsize=12.5, color=style.INK, loc="left")
    axes.set_xlabel(panel.across, fontsize=12.5, color=style.INK)
    style.dress(axes, f"{panel.up}  [{unit}]")
    return marks


def _beside(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The mask and one point more on each side, so that dashes begin where the line ends."""
    wider = mask.copy()
    wider[1:] |= mask[:-1]
    wider[:-1] |= mask[1:]
    return wider


def _vertical(panel: MaterialPanel) -> tuple[float, float]:
    """A range in which the steepest curve does not flatten the others."""

    def reach(values: list[float], most: float) -> float:
        typical = float(np.median(values)) if values else 0.0
        return max(min(max(values, default=0.0), STEEP * typical), most)

    tops = [float(np.nanmax(line.y, initial=0.0)) for line in panel.lines]
    lows = [float(-np.nanmin(line.y, initial=0.0)) for line in panel.lines]
    dots = panel.dots.y if panel.dots is not None else np.zeros(1)
    up, down = reach(tops, float(dots.max(initial=0.0))), reach(lows, float(-dots.min(initial=0.0)))
    room = 0.06 * (up + down) or 1.0
    return -down - room, up + room


def _explain(axes: Axes, colours: dict[str, Any], marks: set[str], measured: bool) -> None:
    """Entries of the legend, without curves."""
    for label, colour in colours.items():
        axes.plot([], [], color=colour, linewidth=2.0, label=label)
    words = {
        "not convex": ("x", "end of stability in the stretch"),
        "not elliptic": ("o", "end of ellipticity"),
        "ends": ("s", "no stress beyond"),
    }
    for kind, (marker, text) in words.items():
        if kind in marks:
            fill = "none" if kind != "ends" else style.INK
            axes.plot(
                [],
                [],
                linestyle="none",
                marker=marker,
                markersize=7.0,
                markerfacecolor=fill,
                color=style.INK,
                label=text,
            )
    if measured:
        axes.plot([], [], linestyle="none", marker="o", markersize=4.0, color=style.INK, label="measured")
