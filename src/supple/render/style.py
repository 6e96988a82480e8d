"""How plots look: consistent colours in all plots and runs.

Colours are distinguishable with the common kinds of colour blindness (they differ in lightness too); with more
curves than safe colours, the dashes differ. Explicit methods are dotted, implicit ones solid or dashed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from supple.errors import RecordError
from supple.interruption.placing import placed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, BLANK = "#222222", "#d8d8d8", "#e9e9e9"

ENERGY_COLOURS = {
    "kinetic": "#e69f00",
    "elastic": "#0072b2",
    "gravity": "#009e73",
    "other": "#cc79a7",
    "total": "#111111",
}
GAINED, LOST = "#d55e00", "#0072b2"


@dataclass(frozen=True)
class Stroke:
    """Colour and dashes (lengths of strokes and gaps; none: solid) of a curve."""

    colour: str
    dashes: tuple[float, ...] = ()

    @property
    def pattern(self) -> str | tuple[float, tuple[float, ...]]:
        """The dashes as matplotlib's linestyle."""
        return (0, self.dashes) if self.dashes else "solid"


_DOTTED, _DASHED, _LONG = (1.2, 1.4), (4.0, 1.6), (7.0, 1.8)
_DASH_DOT, _DASH_DOTS, _SHORT = (5.0, 1.4, 1.2, 1.4), (5.0, 1.2, 1.2, 1.2, 1.2, 1.2), (2.4, 1.2)

INTEGRATORS = {
    "avf": Stroke("#0072b2"),
    "backward-euler": Stroke("#d55e00"),
    "bdf2": Stroke("#e69f00"),
    "midpoint": Stroke("#009e73"),
    "trapezoid": Stroke("#44aa99", _DASHED),
    "newmark": Stroke("#cc79a7"),
    "generalized-alpha": Stroke("#882255", _LONG),
    "bathe": Stroke("#56b4e9"),
    "tr-bdf2": Stroke("#332288", _DASHED),
    "sdirk": Stroke("#661100"),
    "sdirk3": Stroke("#661100", _LONG),
    "sdirk4": Stroke("#661100", _DASH_DOT),
    "gauss4": Stroke("#0000cc", _LONG),
    "quasi-static": Stroke("#777777", _LONG),
    "forward-euler": Stroke("#cc3311", _DOTTED),
    "symplectic-euler": Stroke("#117733", _DOTTED),
    "explicit-midpoint": Stroke("#999933", _DOTTED),
    "rk4": Stroke("#111111", _DOTTED),
    "verlet": Stroke("#aa4499", _DOTTED),
    "semi-implicit-newmark": Stroke("#aa4499", _SHORT),
    "yoshida": Stroke("#0000cc", _DASH_DOT),
    "variational": Stroke("#009e73", _DASHED),
    "simo-tarnow": Stroke("#00a0c0", _LONG),
    "gonzalez": Stroke("#00a0c0", _DASH_DOT),
    "conserving-springs": Stroke("#00a0c0", _SHORT),
    "corotational-reversible": Stroke("#009e73", _SHORT),
    "xpbd": Stroke("#b05080"),
    "pbd": Stroke("#b05080", _SHORT),
    "adaptive-reversible": Stroke("#6a5acd", _LONG),
    "adaptive-symplectic": Stroke("#6a5acd", _DASH_DOT),
    "adaptive-naive": Stroke("#6a5acd", _SHORT),
    "adaptive-explicit": Stroke("#6a5acd", _DOTTED),
    # semi-implicit: the colour of the linearised method, in short dashes
    "si": Stroke("#d55e00", _SHORT),
    "sbdf2": Stroke("#e69f00", _SHORT),
    "str-sbdf2": Stroke("#332288", _SHORT),
    "s-sdirk": Stroke("#661100", _SHORT),
    # exponential: one family of greens; hybrids have the dots of their fully implicit or linearised partner
    "ere": Stroke("#66aa00"),
    "siere": Stroke("#66aa00", _SHORT),
    "beere": Stroke("#66aa00", _DASH_DOT),
    "bdf2-ere": Stroke("#2e6b00", _DASH_DOT),
    "sbdf2-ere": Stroke("#2e6b00", _SHORT),
    "tr-bdf2-ere": Stroke("#8a8f00", _DASH_DOT),
    "str-sbdf2-ere": Stroke("#8a8f00", _SHORT),
    "mpm": Stroke("#8c564b"),
}
"""The curve of each method in comparisons."""

TRANSFERS = {
    "pic": Stroke("#d55e00"),
    "flip": Stroke("#e69f00"),
    "apic": Stroke("#0072b2"),
    "affine-flip": Stroke("#009e73"),
    "asflip": Stroke("#cc79a7"),
}
"""The curve of each material-point transfer, where runs differ in it."""

_TRANSFER = re.compile(r"^mpm:(?:.*,)?transfer(?:\.name)?=([a-z-]+)")
_DIFFERENT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#332288", "#56b4e9", "#661100")
"""Colours of unrelated runs, in order."""


def integrator_stroke(label: str) -> Stroke:
    """The stroke of the method at the start of the label; every other name has its own fixed stroke."""
    if (chosen := _TRANSFER.match(label)) and chosen[1] in TRANSFERS:
        return TRANSFERS[chosen[1]]
    word = re.split(r"[^a-z0-9-]", label.strip().lower().replace("_", "-"), maxsplit=1)[0]
    if word in INTEGRATORS:
        return INTEGRATORS[word]
    number = zlib.crc32(label.encode())
    colours = sorted({s.colour for s in INTEGRATORS.values()})
    return Stroke(colours[number % len(colours)], _DASH_DOTS)


def strokes(labels: Iterable[str]) -> dict[str, Stroke]:
    """A stroke for each label of one plot; variants of one method keep its colour and differ in their dashes."""
    return _told_apart({label: integrator_stroke(label) for label in labels})


def transfer_strokes(labels: Iterable[str]) -> dict[str, Stroke]:
    """The same for material-point transfers, with options after a colon."""
    return _told_apart({label: TRANSFERS.get(label.partition(":")[0], Stroke("#555555")) for label in labels})


def scene_strokes(labels: Iterable[str]) -> dict[str, Stroke]:
    """The same for different scenes, by their order."""
    return _told_apart({label: Stroke(_DIFFERENT[k % len(_DIFFERENT)]) for k, label in enumerate(labels)})


def _told_apart(wanted: Mapping[str, Stroke]) -> dict[str, Stroke]:
    """The strokes, with other dashes where two would be the same."""
    spare = ((), _DASHED, _SHORT, _LONG, _DASH_DOT, _DOTTED, _DASH_DOTS)
    chosen: dict[str, Stroke] = {}
    for label, own in wanted.items():
        variants = [own, *(Stroke(own.colour, dashes) for dashes in spare)]
        chosen[label] = next((stroke for stroke in variants if stroke not in chosen.values()), own)
    return chosen


def new_figure(width: float, height: float, title: str) -> Figure:
    """An empty figure (inches, at 150 dpi) with a title; text stays legible at a width of 600 pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, facecolor="white")
    figure.set_layout_engine("constrained", w_pad=0.12, h_pad=0.08)
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=15, fontweight="bold", color=INK, x=0.02, ha="left")
    return figure


def dress(axes: Axes, ylabel: str) -> None:
    """Quiet axes: a faint grid, no box, labels in ink."""
    axes.set_ylabel(ylabel, fontsize=12.5, color=INK)
    axes.grid(True, color=FAINT, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=11.5, colors=INK, length=3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#888888")


def legend_below(figure: Figure, axes: Axes, columns: int) -> None:
    """Legend of all curves below the figure; long names use fewer columns."""
    handles, labels = axes.get_legend_handles_labels()
    widest = max((len(line) for label in labels for line in label.split("\n")), default=0)
    figure.legend(
        handles, labels, loc="outside lower center", ncols=max(1, min(columns, len(labels), 100 // (widest + 8))),
        fontsize=11, frameon=False, handlelength=3.2, columnspacing=1.6,
    )  # fmt: skip


def check_drawable(path: Path) -> None:
    """Refuse suffixes of formats that cannot be drawn."""
    from matplotlib.backend_bases import FigureCanvasBase

    known = sorted(FigureCanvasBase.get_supported_filetypes())
    suffix = path.suffix.lstrip(".").lower()
    if suffix not in known:
        raise RecordError(f"{path}: cannot draw a '.{suffix}' file; known: {', '.join(known)}")


def save(figure: Figure, path: Path) -> None:
    """Write the figure in the format of the suffix (png, svg, pdf ...)."""
    check_drawable(path)
    try:
        with placed(path) as new:
            figure.savefig(new)
    except OSError as error:
        raise RecordError(f"{path}: cannot write the plot: {error.strerror or error}; choose another path") from error
