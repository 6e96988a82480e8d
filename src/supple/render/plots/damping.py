"""Damping curves: d / omega against h omega, on linear and logarithmic axes."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from supple.render import style
from supple.types import Array

SAME = 1e-9
"""Curves that differ by less than this coincide."""
LEAST = 1e-8
"""Damping below this is not drawn on the logarithmic axis: it is round-off or negligible."""
TOP, BOTTOM = 1.0, -0.6
"""Range of the linear axis; unstable methods leave it."""


def plot_damping(h_omega: Array, curves: Mapping[str, Array], path: Path) -> None:
    """Name -> d / omega at each h omega; curves that coincide share a stroke and a line of the legend."""
    figure = style.new_figure(8.0, 8.4, "Numerical damping of an oscillator")
    plain, decades = figure.subplots(2, 1, sharex=True)
    mark = "o" if len(h_omega) < 8 else ""
    families = coinciding(curves)
    strokes = style.strokes([names[0] for names in families])
    # nearly coincident curves show as outlines of those drawn later
    for names, width in zip(families, np.linspace(3.0, 1.4, len(families)), strict=True):
        values, stroke = curves[names[0]], strokes[names[0]]
        look = {
            "color": stroke.colour,
            "linestyle": stroke.pattern,
            "linewidth": width,
            "marker": mark,
            "markersize": 4,
        }
        label = textwrap.fill(" = ".join(names), 34)
        plain.plot(h_omega, np.where(np.isfinite(values), values, np.nan), label=label, **look)
        decades.plot(h_omega, np.where(np.isfinite(values) & (values > LEAST), values, np.nan), **look)
    plain.set_xscale("log")
    drawn = [v for values in curves.values() for v in values if np.isfinite(v)]
    low, high = max(min(drawn, default=0.0), BOTTOM), min(max(drawn, default=0.0), TOP)
    room = 0.05 * max(high - low, 0.1)
    plain.set_ylim(low - room, high + room)
    plain.axhline(0.0, color="#888888", linewidth=0.8, zorder=1)
    decades.set_yscale("log")
    decades.set_ylim(LEAST, 2.0)
    style.dress(plain, "d / ω  [-]   (below 0: grows)")
    style.dress(decades, "d / ω  [-]")
    decades.set_xlabel("h ω  [-]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, plain, columns=3)
    style.save(figure, path)


def coinciding(curves: Mapping[str, Array]) -> list[list[str]]:
    """Names grouped by coincident curves."""
    groups: list[list[str]] = []
    for name, values in curves.items():
        for group in groups:
            if np.allclose(values, curves[group[0]], rtol=SAME, atol=SAME, equal_nan=True):
                group.append(name)
                break
        else:
            groups.append([name])
    return groups
