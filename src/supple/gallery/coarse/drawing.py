"""Bodies side by side, coloured by material."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from supple.coarsening.fine_body import FineBody, isotropic_moduli
from supple.render.plots.coarsening import COLOURS
from supple.render.plots.harmonics import outer_faces_of, stiffness_colours
from supple.render.plots.shaded import EYE, draw_surface
from supple.render.style import Stroke
from supple.types import Array, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

STROKES = {name: Stroke(colour) for name, colour in COLOURS.items()}
"""Colours of fine, coarse and naive bodies."""


def surface_colours(fine: FineBody) -> Array:
    """(f, 3) colours of the triangles of a coarse body's fine surface: blue is stiff, yellow is soft."""
    _, owner = outer_faces_of(fine.tets)
    return stiffness_colours(isotropic_moduli(fine.stiffness)[0][owner])


def beside(
    canvas: Canvas,
    shown: Mapping[str, Array],
    triangles: Ints,
    colours: Array,
    *,
    up: str = "y",
    eye: tuple[float, float] = EYE,
    stacked: bool = False,
) -> None:
    """Surfaces side by side or stacked, at a common scale; labels are titles."""
    count = len(shown)
    across, down = (1, count) if stacked else (count, 1)
    grid = canvas.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for axes, (label, points) in zip(grid.ravel(), shown.items(), strict=True):
        draw_surface(axes, points, triangles, colours, up, eye)
        axes.set_title(label, loc="left" if stacked else "center", fontsize=10, fontweight="normal")


def bars(axes: Axes, groups: Mapping[str, Mapping[str, float]], y: str, title: str = "") -> None:
    """Groups of bars with their values above them; a legend names the bars."""
    names = list(next(iter(groups.values())))
    width = 0.8 / len(names)
    for k, name in enumerate(names):
        at = np.arange(len(groups)) + width * (k - 0.5 * (len(names) - 1))
        heights = [group[name] for group in groups.values()]
        drawn = axes.bar(at, heights, 0.92 * width, label=name, color=_colour(name, k))
        axes.bar_label(drawn, fmt="%.2f", fontsize=8.5, padding=1.5)
    axes.set_xticks(range(len(groups)), list(groups))
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(y)
    axes.set_title(title)
    axes.margins(y=0.14)
    axes.legend(fontsize=9, ncols=len(names), loc="upper left", bbox_to_anchor=(0.0, 1.14), columnspacing=1.2)


def _colour(name: str, k: int) -> str:
    known = [colour for key, colour in COLOURS.items() if key in name]
    return known[-1] if known else list(COLOURS.values())[1 + k]
