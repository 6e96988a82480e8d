"""One column of the histories of several runs over time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from supple.errors import RecordError
from supple.recording.history import COUNTS, series
from supple.render import style
from supple.render.plots.energy import CEILING, HUGE, History, finite

UNITS = {
    **dict.fromkeys(("time", "h", "wall_seconds"), "s"),
    **dict.fromkeys(("px", "py", "pz"), "kg m/s"),
    **dict.fromkeys(("lx", "ly", "lz"), "kg m\u00b2/s"),
    **dict.fromkeys((*COUNTS, "gradient_norm"), "-"),
    "constraint_error": "m",
    "constraint_force": "N",
}
"""Columns that are not energies in joules."""


def unit_of(name: str) -> str:
    return UNITS.get(name, "J")


def plot_quantity(histories: Mapping[str, History], name: str, path: Path, title: str, shared: bool = True) -> None:
    """A curve for each run that has the column; counts refer to single steps, so row 0 is omitted."""
    drawn = {label: history for label, history in histories.items() if _has(history, name)}
    if not drawn:
        raise RecordError(f"{path}: none of the runs has the column '{name}'")
    figure = style.new_figure(8.0, 4.8, title)
    axes = figure.subplots()
    strokes = style.strokes(drawn) if shared else style.scene_strokes(drawn)
    first = 1 if name in COUNTS else 0
    sizes = []
    for label, history in drawn.items():
        values = np.clip(series(history, name).astype(float), -HUGE, HUGE)[first:]
        sizes.append(float(np.abs(finite(values)).max(initial=0.0)))
        stroke = strokes[label]
        axes.plot(
            history["time"][first:], values, color=stroke.colour, linestyle=stroke.pattern, linewidth=2.0, label=label
        )
    least = min((size for size in sizes if size > 0.0), default=0.0)
    if least and max(sizes) > CEILING * least:  # a diverging run must not flatten the others
        axes.set_yscale("symlog", linthresh=10.0 ** np.ceil(np.log10(least)))
    style.dress(axes, f"{name.replace('_', ' ')}{_kind(name)}  [{unit_of(name)}]")
    axes.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, axes, columns=4)
    style.save(figure, path)


def _kind(name: str) -> str:
    if name in COUNTS and name not in ("inverted_elements", "crushed_elements"):
        return " per step"
    return " energy" if name in ("potential", "kinetic", "elastic", "gravity", "other", "total") else ""


def _has(history: History, name: str) -> bool:
    try:
        return len(series(history, name)) > 0
    except KeyError:
        return False
