"""Cost of the steps as data for plots: iterations and wall time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from supple.render import style
from supple.render.plots.energy import History
from supple.render.report.panels import Curve, Panel, thinned, thinning

MOST_BARS = 40
ALONE = style.Stroke("#0072b2")
"""Stroke of a single run, which needs no distinguishing colour."""


def work_panels(histories: Mapping[str, History]) -> list[Panel]:
    """Iterations of each step over time and as a histogram, and wall time of each step; runs without a step have none."""
    moved = {label: history for label, history in histories.items() if len(history["step"]) > 1}
    if not moved:
        return []
    strokes = style.strokes(moved) if len(histories) > 1 else dict.fromkeys(moved, ALONE)
    return [_iterations_over_time(moved, strokes), _iterations(moved, strokes), _wall(moved, strokes)]


def histogram(history: History, width: int, first: int, last: int) -> tuple[list[float], list[int]]:
    """Middles of the bars and steps in each; the initial row is not a step."""
    edges = np.arange(first, last + width + 1, width)
    counts, _ = np.histogram(history["newton_iterations"][1:], bins=edges)
    return (edges[:-1] + (width - 1) / 2).tolist(), counts.tolist()


def _iterations_over_time(histories: Mapping[str, History], strokes: Mapping[str, style.Stroke]) -> Panel:
    curves = []
    for label, history in histories.items():
        every = thinning(history)
        counts = thinned(history["newton_iterations"][1:], every)
        name = label if len(histories) > 1 else "iterations"
        curves.append(Curve(name, strokes[label], thinned(history["time"][1:], every), counts.astype(np.float32), 1.2))
    note = "Iterations of Newton's method in each step: where they rise, the motion is hard to resolve."
    return Panel(
        "iterations-over-time", "Iterations over time", "time  [s]", "iterations per step  [-]", "iterations",
        tuple(curves), note,
    )  # fmt: skip


def _iterations(histories: Mapping[str, History], strokes: Mapping[str, style.Stroke]) -> Panel:
    counts = np.concatenate([history["newton_iterations"][1:] for history in histories.values()])
    first, last = int(counts.min()), int(counts.max())
    width = max(1, -(-(last - first + 1) // MOST_BARS))
    curves = []
    for label, history in histories.items():
        middles, steps = histogram(history, width, first, last)
        name = label if len(histories) > 1 else "steps"
        curves.append(Curve(name, strokes[label], np.array(middles), np.array(steps, dtype=np.float64)))
    note = "Number of steps by iterations of Newton's method; methods without a solve have 0."
    if width > 1:
        note += f" Each bar covers {width} values."
    return Panel(
        "iterations", "Iterations per step", "iterations  [-]", "steps  [-]", "steps", tuple(curves), note,
        bars=float(width), across_unit="iterations",
    )  # fmt: skip


def _wall(histories: Mapping[str, History], strokes: Mapping[str, style.Stroke]) -> Panel:
    curves = []
    for label, history in histories.items():
        every = thinning(history)
        # single precision suffices for a clock
        wall = 1e3 * thinned(history["wall_seconds"][1:], every)
        name = label if len(histories) > 1 else "wall time"
        curves.append(Curve(name, strokes[label], thinned(history["time"][1:], every), wall.astype(np.float32), 1.2))
    note = "Time to compute each step, without recording and output."
    return Panel(
        "wall", "Wall time per step", "time  [s]", "wall time per step  [ms]", "ms", tuple(curves), note, scale="log"
    )
