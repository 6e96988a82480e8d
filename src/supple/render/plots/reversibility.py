"""Time reversal: distance of the bodies from their start, and deviation of the backward from the forward path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from supple.render import style
from supple.types import Array

Trails = Mapping[str, Mapping[str, Array]]
"""Integrator -> columns time [s], from_start and strayed [sizes of the body]; NaN values are not drawn."""

LEAST = 1e-17
"""Distances below this are round-off of the positions themselves."""
WIDEST = 4.0
"""The linear axis ends at this multiple of the median of the methods' largest distances; diverging runs leave it."""


def plot_reversal(trails: Trails, path: Path, title: str) -> None:
    """Largest distances over time: from the start on a linear axis, from the forward path on a logarithmic one."""
    figure = style.new_figure(8.0, 7.6, title)
    plain, decades = figure.subplots(2, 1, sharex=True)
    strokes = style.strokes(trails)
    # coincident curves show as outlines of those drawn later
    for (name, trail), width in zip(trails.items(), np.linspace(3.4, 1.4, len(trails)), strict=True):
        look = {"color": strokes[name].colour, "linestyle": strokes[name].pattern, "linewidth": width, "label": name}
        plain.plot(trail["time"], trail["from_start"], **look)
        with np.errstate(invalid="ignore"):
            decades.plot(trail["time"], np.where(trail["strayed"] >= LEAST, trail["strayed"], np.nan), **look)
    high = WIDEST * float(np.median([trail["from_start"].max() for trail in trails.values()]))
    plain.set_ylim(0.0, min(plain.get_ylim()[1], high) or 1.0)
    plain.set_xlim(left=0.0)
    decades.set_yscale("log")
    if not any((trail["strayed"] >= LEAST).any() for trail in trails.values()):  # matplotlib refuses an empty axis
        decades.set_ylim(LEAST, 1.0)
    style.dress(plain, "from the start  [sizes]")
    style.dress(decades, "from the forward path  [sizes]")
    decades.set_xlabel("time, forward and back  [s]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, plain, columns=4)
    style.save(figure, path)
