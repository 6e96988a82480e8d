"""Energy over time: of one run, split into its kinds, or of several runs side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError
from supple.render import style
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

History = Mapping[str, npt.NDArray[Any]]

FLOOR = 1e-17
"""Relative energy below the resolution of a double: not visible."""
CEILING = 1e3
"""A run that gained a thousand times its energy has diverged; the others should stay visible."""
HUGE = 1e30
"""Larger numbers overflow in the transformations of matplotlib."""


def energy_scale(history: History) -> float:
    """The energy put into a run (J): initial energy, work of gravity, work of scripted motion.

    Without gravity this is |H(0)|; the arbitrary zero of the height does not enter.
    """
    total, gravity = finite(history["total"]), finite(history["gravity"])
    candidates = [abs(float(total[0] - gravity[0]))] if len(total) and len(gravity) else []
    candidates += [float(np.ptp(finite(a))) for a in (gravity, history["external_work"]) if len(finite(a))]
    return max(candidates, default=0.0) or float(np.abs(total).max(initial=0.0)) or 1.0


def finite(values: npt.NDArray[Any]) -> Array:
    """The finite values."""
    return np.asarray(values, dtype=float)[np.isfinite(values)]


def level_range(values: npt.NDArray[Any]) -> tuple[Literal["linear", "log"], tuple[float, float] | None]:
    """Scale and limits for energies relative to the start: logarithmic if they span decades, else with room around 1."""
    numbers = finite(values)
    if not len(numbers):
        return "linear", None
    least, greatest = float(numbers.min()), float(numbers.max())
    if 0 < 30 * least < greatest:
        return "log", (max(least / 1.5, 1 / CEILING), min(greatest * 1.5, CEILING))
    low, high = max(least, -3.0), min(greatest, 5.0)
    room = 0.06 * max(high - low, 0.2)
    return "linear", (low - room, high + room)


def energy_figure(history: History, title: str) -> Figure:
    """The energies of a run (J) over its time (s), and below the energy created or lost by the numerics."""
    figure = style.new_figure(8.0, 6.4, title)
    split, drift = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    t = history["time"]
    for name, colour in style.ENERGY_COLOURS.items():
        values = _masked(history[name])
        if name == "total" or np.any(np.nan_to_num(values)):
            thick = 2.4 if name == "total" else 1.8
            split.plot(t, values, color=colour, linewidth=thick, label=name, zorder=2 if name == "total" else 3)
    scale = energy_scale(history)
    if np.abs(finite(history["total"])).max(initial=0.0) > CEILING * scale:
        split.set_yscale("symlog", linthresh=10.0 ** np.ceil(np.log10(scale)))
    style.dress(split, "energy  [J]")
    split.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=5, fontsize=12, frameon=False, columnspacing=1.4)

    residual = history["residual"] / scale
    size = _clipped(residual)
    drift.plot(t, size, color="#bbbbbb", linewidth=1.0, zorder=1)
    for colour, label, which in ((style.GAINED, "gained", residual > 0), (style.LOST, "lost", residual < 0)):
        if np.any(which):
            drift.plot(t[which], size[which], ".", color=colour, markersize=4, label=label, zorder=2)
    _decades(drift, [size])
    style.dress(drift, "|residual| / energy  [-]")
    drift.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    if drift.get_legend_handles_labels()[1]:
        drift.legend(loc="lower right", fontsize=12, ncols=2, markerscale=2.5, framealpha=0.9, edgecolor="none")
    _limit_time(split, [t])
    return figure


def plot_comparison(histories: Mapping[str, History], path: Path, title: str, shared: bool = True) -> None:
    """The total energy of several runs, relative to the start, and the energy created or lost by the numerics. Runs of different
    bodies (not `shared`) are relative to their own energies."""
    if not histories:
        raise RecordError(f"{path}: no runs to compare; give at least one")
    figure = style.new_figure(8.0, 7.4, title)
    level, drift = figure.subplots(2, 1, sharex=True)
    for history in histories.values():
        _require_rows(history, path)
    # One scale for all, the smallest: a diverging run makes the work of gravity arbitrarily large.
    scales = {label: energy_scale(history) for label, history in histories.items()}
    if shared:
        scales = dict.fromkeys(scales, min(scales.values()))
    plain = all(np.isclose(scales[label], history["total"][0]) for label, history in histories.items())
    levels, drifts = [], []
    strokes = style.strokes(histories) if shared else style.scene_strokes(histories)
    for label, history in histories.items():
        total, scale = history["total"], scales[label]
        levels.append(_masked(1.0 + (total - total[0]) / scale))
        drifts.append(_clipped(history["residual"] / scale))
        look = {"color": strokes[label].colour, "linestyle": strokes[label].pattern, "linewidth": 2.0, "label": label}
        for axes, values in ((level, levels[-1]), (drift, drifts[-1])):
            axes.plot(history["time"], values, **look)
    kind, limits = level_range(np.concatenate(levels))
    level.set_yscale(kind)
    if limits is not None:
        level.set_ylim(limits)
    _decades(drift, drifts)
    style.dress(level, "H / H(0)  [-]" if plain else "1 + (H - H(0)) / energy  [-]")
    style.dress(drift, "|residual| / energy  [-]")
    drift.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    _limit_time(level, [h["time"] for h in histories.values()])
    handles, labels = level.get_legend_handles_labels()
    columns = max(1, min(4, 84 // (max(map(len, labels)) + 7), len(labels)))
    figure.legend(
        handles, labels, loc="outside lower center", ncols=columns, fontsize=12, frameon=False,
        handlelength=2.6, columnspacing=1.6,
    )  # fmt: skip
    style.save(figure, path)


def _require_rows(history: History, path: Path) -> None:
    if not len(history["time"]):
        raise RecordError(f"{path}: the history to plot has no rows; run at least the initial state")


def _masked(values: npt.NDArray[Any]) -> Array:
    return np.where(np.isfinite(values), np.clip(values, -HUGE, HUGE), np.nan)


def _clipped(relative: npt.NDArray[Any]) -> Array:
    """Absolute values for a logarithmic axis; exact zeros lie on its floor, except the start, which is not drawn."""
    size = np.maximum(np.abs(_masked(relative)), FLOOR)
    if len(size) > 1 and relative[0] == 0:
        size[0] = np.nan
    return size


def _decades(axes: Axes, curves: list[Array]) -> None:
    """A logarithmic axis from the least to the greatest, at least three decades, clipped for diverging runs."""
    values = finite(np.concatenate(curves))
    top = min(float(values.max(initial=FLOOR)), CEILING)
    # A step with zero residual must not stretch the axis.
    moved = values[values > FLOOR]
    bottom = min(float(moved.min(initial=top)), top / 1e3)
    axes.set_yscale("log")
    axes.set_ylim(max(bottom / 2, FLOOR / 2), max(top * 3, FLOOR * 1e3))


def _limit_time(axes: Axes, times: list[npt.NDArray[Any]]) -> None:
    start, end = min(float(t.min()) for t in times), max(float(t.max()) for t in times)
    if end > start:
        axes.set_xlim(start, end)
