"""Bar charts of sensitivities: a panel per measure, two bars per key, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from supple.render import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST, TOTAL = "#0072b2", "#e69f00"
WIDE = 3
"""Panels per row."""


class Bars(NamedTuple):
    """Bars of one key."""

    key: str
    first: float
    total: float
    first_error: float
    error: float


def influences_figure(panels: Mapping[str, Sequence[Bars]], labels: tuple[str, str], title: str) -> Figure:
    """A panel for each measure; `labels` name the two bars."""
    across = min(WIDE, len(panels))
    down = -(-len(panels) // across)
    most = max(map(len, panels.values()))
    figure = style.new_figure(max(6.4, 4.2 * across), 1.5 + down * (0.9 + 0.55 * most), title)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for one, (measure, bars) in zip(axes, panels.items(), strict=False):
        places = range(len(bars))
        for shift, colour, label, pick in ((-0.19, FIRST, labels[0], 1), (0.19, TOTAL, labels[1], 2)):
            one.barh(
                [k + shift for k in places], [bar[pick] for bar in bars], 0.36, color=colour, label=label,
                xerr=[max(0.0, bar[pick + 2]) for bar in bars], ecolor=style.INK, error_kw={"lw": 1.0, "capsize": 2.5},
            )  # fmt: skip
        one.set_yticks(list(places), [bar.key for bar in bars])
        one.invert_yaxis()
        one.axvline(0.0, color=style.INK, lw=0.8)
        style.dress(one, "")
        one.set_title(measure, fontsize=12, color=style.INK, loc="left")
    for empty in axes[len(panels) :]:
        empty.set_axis_off()
    style.legend_below(figure, axes[0], columns=2)
    return figure
