"""The panels as plain pictures, for browsers without scripts."""

from __future__ import annotations

import base64
import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.render import style
from supple.render.plots.energy import FLOOR, HUGE
from supple.render.report.panels import Curve, Panel, Values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 150
"""Number of sections of a curve whose extremes are drawn: the resolution of 600 pixels."""


def picture(panel: Panel) -> str:
    """The panel as SVG in a data URL."""
    import matplotlib

    figure = style.new_figure(6.6, 3.6, "")
    figure.suptitle("")
    axes = figure.subplots()
    _draw(axes, panel)
    if panel.scale == "symlog":
        axes.set_yscale("symlog", linthresh=panel.linear)
    else:
        axes.set_yscale(panel.scale)
    if panel.limits:
        axes.set_ylim(panel.limits)
    style.dress(axes, panel.up)
    axes.minorticks_off()
    axes.set_xlabel(panel.across, fontsize=12.5, color=style.INK)
    style.legend_below(figure, axes, columns=4)
    out = io.BytesIO()
    # text stays text, and equal reports give equal files
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "supple"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    # a tenth of a pixel is fine enough and halves the size
    short = re.sub(rb"\s+", b" ", re.sub(rb"(\d\d\.\d)\d+", rb"\1", out.getvalue()))
    return "data:image/svg+xml;base64," + base64.b64encode(short).decode()


def _draw(axes: Axes, panel: Panel) -> None:
    for k, curve in enumerate(panel.curves):
        look: dict[str, Any] = {"color": curve.stroke.colour, "label": curve.label}
        if panel.bars:
            width = 0.8 * panel.bars / len(panel.curves)
            left = curve.x - 0.4 * panel.bars + k * width
            axes.bar(left, curve.y, width, align="edge", alpha=0.7, **look)
        elif curve.sign:
            axes.plot(*envelope(_one_sided(curve)), ".", markersize=3, **look)
        else:
            x, y = envelope(curve)
            y = np.clip(np.abs(y) if panel.scale == "log" else y, -HUGE, HUGE)
            axes.plot(x, np.where(y == 0, np.nan, y) if panel.scale == "log" else y,
                      linewidth=curve.width, linestyle=curve.stroke.pattern, **look)  # fmt: skip


def envelope(curve: Curve) -> tuple[Values, Values]:
    """Smallest and largest value of each section of a long curve, in order."""
    if len(curve.x) <= 2 * POINTS:
        return curve.x, curve.y
    kept = []
    for piece in np.array_split(np.arange(len(curve.x)), POINTS):
        values = curve.y[piece]
        if np.isfinite(values).any():
            ends = {int(np.nanargmin(values)), int(np.nanargmax(values))}
            kept += [int(piece[k]) for k in sorted(ends)]
    return curve.x[kept], curve.y[kept]


def _one_sided(curve: Curve) -> Curve:
    mine = (np.sign(curve.y) == curve.sign) & (np.abs(curve.y) > FLOOR)
    return Curve(curve.label, curve.stroke, curve.x[mine], np.minimum(np.abs(curve.y[mine]), HUGE))
