"""Plots for light and dark mode, in the project's colours."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.interruption.placing import placed
from supple.recording.files import trouble

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Theme:
    """Colours of background and ink, and the minimum lightness of curves."""

    suffix: str
    ink: str
    quiet: str
    grid: str
    paper: str
    darkest: float = 0.0
    """Minimum lightness of a curve, from 0 to 1."""


DOTS = 110
"""Pixels per inch of a PNG."""
LIGHT = Theme("", "#222222", "#666666", "#e2e2e2", "#ffffff")
DARK = Theme("-dark", "#e8e8e8", "#a5a8ad", "#33363c", "#16181c", 0.56)


def write_plot(target: Path, draw: Callable[[Figure], None], size: tuple[float, float]) -> None:
    """Draw a figure once per theme into `target` with a suffix, and as a PNG for pages without themes."""
    import matplotlib

    for theme in (LIGHT, DARK):
        with matplotlib.rc_context(_settings(theme)):
            figure = _new(size)
            draw(figure)
            _recolour(figure, theme)
            try:
                with placed(target.with_name(f"{target.name}{theme.suffix}.svg")) as new:
                    figure.savefig(new, metadata={"Date": None})
                if theme is LIGHT:
                    with placed(target.with_name(f"{target.name}.png")) as new:
                        figure.savefig(new, dpi=DOTS, facecolor=theme.paper)
            except OSError as error:
                raise trouble(target, "write", error) from error


def _new(size: tuple[float, float]) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    figure.set_layout_engine("constrained", w_pad=0.06, h_pad=0.05)
    FigureCanvasAgg(figure)
    return figure


def _settings(theme: Theme) -> dict[str, Any]:
    return {
        "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
        "text.color": theme.ink, "axes.labelcolor": theme.ink, "axes.titlecolor": theme.ink,
        "xtick.color": theme.quiet, "ytick.color": theme.quiet, "xtick.labelcolor": theme.ink, "ytick.labelcolor": theme.ink,
        "axes.edgecolor": theme.quiet, "grid.color": theme.grid, "axes.grid": True, "grid.linewidth": 0.7,
        "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
        "font.size": 10.0, "axes.titlesize": 10.5, "axes.titleweight": "bold", "axes.titlelocation": "left",
        "axes.labelsize": 10.0, "xtick.labelsize": 9.0, "ytick.labelsize": 9.0, "lines.linewidth": 1.6,
        "svg.fonttype": "none", "svg.hashsalt": "supple", "font.family": "sans-serif",
    }  # fmt: skip


def _recolour(figure: Figure, theme: Theme) -> None:
    """Lighten elements that would be invisible in dark mode: curves, fills, and labels in the same colours."""
    if not theme.darkest:
        return
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    for axes in figure.axes:
        legend = axes.get_legend()
        for artist in [*axes.get_children(), *(legend.findobj() if legend else ())]:
            if isinstance(artist, Line2D | Text):
                artist.set_color(seen_on(theme, artist.get_color()))
            elif isinstance(artist, Patch) and artist is not axes.patch:
                artist.set_facecolor(seen_on(theme, artist.get_facecolor()))
            elif isinstance(artist, Collection) and artist.get_array() is None:
                artist.set_facecolor([seen_on(theme, colour) for colour in artist.get_facecolor()])
                artist.set_edgecolor([seen_on(theme, colour) for colour in artist.get_edgecolor()])


def seen_on(theme: Theme, colour: Any) -> tuple[float, float, float, float]:
    """The colour with the lightness required by the theme."""
    from matplotlib.colors import to_rgba

    red, green, blue, alpha = to_rgba(colour)
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    return (*colorsys.hls_to_rgb(hue, max(light, theme.darkest), strength), alpha)
