"""Curves labelled at their ends, without a legend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from supple.render.style import INTEGRATORS, Stroke, scene_strokes, strokes
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curves = Mapping[str, tuple[Array, Array]]
LINE = 0.062
"""Height of a label, as a fraction of the axes."""


def curves(
    axes: Axes,
    given: Curves,
    x: str,
    y: str,
    *,
    title: str = "",
    log: str = "",
    limits: tuple[float, float] | None = None,
    labels: bool = True,
) -> None:
    """Draw curves, each labelled in its colour at its right end. `log`: which axes are logarithmic, such as "y" or "xy".
    `limits`: of y; diverging curves leave the plot there."""
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")
    chosen = colours_of(given)
    for label, (across, up) in given.items():
        stroke = chosen[label]
        axes.plot(across, up, color=stroke.colour, linestyle=stroke.pattern, label=label)
    axes.margins(x=0.0)
    if limits is not None:
        axes.set_ylim(*limits)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title)
    if labels:
        label_ends(axes, given, chosen)


def colours_of(given: Mapping[str, object]) -> dict[str, Stroke]:
    """Methods have the same stroke in all plots; other names take the project's colours in order."""
    named = [label for label in given if label.split(" ")[0].rstrip(",:") in INTEGRATORS]
    return strokes(given) if len(named) == len(given) else scene_strokes(given)


def label_ends(axes: Axes, given: Curves, chosen: Mapping[str, Stroke]) -> None:
    """The name of each curve beside its last point, shifted vertically where two would overlap."""
    wanted = {label: _height(axes, *curve) for label, curve in given.items()}
    for label, height in _apart(wanted).items():
        axes.annotate(
            label, (1.01, height), xycoords="axes fraction", va="center", fontsize=9, color=chosen[label].colour,
            annotation_clip=False,
        )  # fmt: skip


def _height(axes: Axes, across: Array, up: Array) -> float:
    """Height of the end of a curve, from 0 to 1; a curve that leaves the plot ends at its edge."""
    seen = np.isfinite(up) & np.isfinite(across)
    if not seen.any():
        return 1.0
    last = np.flatnonzero(seen)[-1]
    if last + 1 < len(up):
        return 1.0
    low, high, end = (axes.yaxis.get_transform().transform(np.array([*axes.get_ylim(), up[last]]))).tolist()
    height = (end - low) / (high - low)
    return float(np.clip(height, 0.0, 1.0)) if np.isfinite(height) else 1.0


def _apart(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights at least one line apart, as close as possible to the requested ones."""
    order = sorted(wanted, key=lambda label: wanted[label])
    heights = np.array([wanted[label] for label in order])
    for _ in range(200):
        gaps = LINE - np.diff(heights)
        if (gaps <= 1e-9).all():
            break
        push = np.maximum(gaps, 0.0) / 2
        heights[:-1] -= push
        heights[1:] += push
    return dict(zip(order, heights.tolist(), strict=True))


def mark(axes: Axes, level: float, text: str) -> None:
    """A thin line across the plot, such as a bound or the exact value."""
    axes.axhline(level, color="#888888", linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.annotate(
        text, (0.01, level), xycoords=("axes fraction", "data"), xytext=(0, 3), textcoords="offset points", fontsize=8.5,
        color="#888888",
    )  # fmt: skip
