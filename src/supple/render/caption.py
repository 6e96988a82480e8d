"""Captions of a picture: names of the runs, time and colour bar."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

from supple.render.colouring import table
from supple.render.layout import Area
from supple.render.shot import Shot
from supple.render.style import BLANK, FAINT, INK

Overlay = npt.NDArray[np.float32]
"""(height, width, 4): premultiplied colours and coverage, from 0 to 1."""


def fixed_caption(shot: Shot) -> Overlay:
    """Labels, lines between the panels, grey cells and the colour bar: the same on all pictures."""
    layout = shot.layout
    canvas = _Canvas(layout.width, layout.height)
    for area in layout.blanks:
        canvas.fill(area)
    for text in layout.writings:
        canvas.write(text.x, text.y, text.text, text.size, text.colour, text.bold, text.align)
    for x, y in layout.lines:
        canvas.line(x, y)
    if shot.colouring.shown and shot.colouring.barred:
        _bar(canvas, shot)
    return canvas.pixels()


def time_caption(shot: Shot, t: float) -> tuple[tuple[slice, slice], Overlay]:
    """Time and slow-motion factor, and their position: bottom left."""
    # the colour bar takes the middle
    room = 0.3 * shot.layout.width if shot.colouring.shown and shot.colouring.barred else shot.layout.width
    width, height = (
        int(min(16 * shot.layout.font if shot.slow != 1 else 8 * shot.layout.font, room)),
        int(1.9 * shot.layout.font),
    )
    canvas = _Canvas(width, height)
    digits = 2 + max(0, int(np.ceil(np.log10(shot.slow) - 0.5)))
    canvas.write(
        0.7 * shot.layout.font,
        0.3 * shot.layout.font,
        f"t = {shot.shown(t):.{digits}f} s{_pace(shot.slow)}",
        shot.layout.font,
        INK,
    )
    return (slice(shot.layout.height - height, shot.layout.height), slice(0, width)), canvas.pixels()


def _pace(slow: float) -> str:
    """`, 10x slower` for instance; empty at real speed."""
    if slow == 1:
        return ""
    return f",  {slow:.3g}x slower" if slow > 1 else f",  {1 / slow:.3g}x faster"


def _bar(canvas: _Canvas, shot: Shot) -> None:
    """Bottom centre, with figures at its ends; values beyond its upper end have the colour of that end."""
    font = shot.layout.font
    width = min(0.36 * shot.layout.width, 20 * font)
    left, top = (shot.layout.width - width) / 2, shot.layout.height - 2.7 * font
    canvas.image(left, top, width, 0.6 * font, table()[None])
    small = 0.85 * font
    canvas.write(left - 0.4 * font, top - 0.25 * font, "0", small, INK, align="right")
    canvas.write(left + width + 0.4 * font, top - 0.25 * font, f"≥ {_short(shot.colouring.top)}", small, INK)
    canvas.write(shot.layout.width / 2, top - 1.3 * font, _short(shot.colouring.middle), small, INK, align="center")
    canvas.write(shot.layout.width / 2, top + 0.85 * font, shot.colouring.title, small, INK, align="center")


def _short(value: float) -> str:
    """Two digits, without an exponent where that is readable."""
    if not 1e-3 <= value < 1e5:
        return f"{value:.1e}"
    digits = max(0, 1 - int(np.floor(np.log10(value))))
    return f"{value:,.{digits}f}"


class _Canvas:
    """A transparent picture to write on, measured in pixels from the upper left corner."""

    def __init__(self, width: int, height: int) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._size = width, height
        self._figure = Figure(figsize=(width / 100, height / 100), dpi=100, facecolor="none")
        self._canvas = FigureCanvasAgg(self._figure)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.axis("off")
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)

    def write(
        self, x: float, y: float, text: str, pixels: float, colour: str, bold: bool = False, align: str = "left"
    ) -> None:
        """Text with its top at y, with a white outline against dark backgrounds."""
        from matplotlib.patheffects import withStroke

        rim = withStroke(linewidth=0.14 * pixels, foreground="white", alpha=0.75)
        # dollar signs in a title do not delimit formulas
        self._axes.text(
            x, y, text, fontsize=0.72 * pixels, color=colour, ha=align, va="top", parse_math=False,
            fontweight="bold" if bold else "normal", path_effects=[rim],
        )  # fmt: skip

    def fill(self, area: Area) -> None:
        """A grey rectangle."""
        from matplotlib.patches import Rectangle

        self._axes.add_patch(Rectangle((area.left, area.top), area.width, area.height, color=BLANK, linewidth=0))

    def line(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """A faint line."""
        self._axes.plot(x, y, color=FAINT, linewidth=0.8)

    def image(self, x: float, y: float, width: float, height: float, colours: npt.NDArray[np.float64]) -> None:
        """Colours (rows, columns, 3) in a rectangle."""
        self._axes.imshow(colours, extent=(x, x + width, y + height, y), aspect="auto", interpolation="bilinear")
        self._axes.set_xlim(0, self._size[0])
        self._axes.set_ylim(self._size[1], 0)

    def pixels(self) -> Overlay:
        with warnings.catch_warnings():
            # characters that the font lacks are drawn as boxes, which the picture shows
            warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
            self._canvas.draw()
        found: Overlay = np.asarray(self._canvas.buffer_rgba(), dtype=np.float32) / np.float32(255)
        found[..., :3] *= found[..., 3:]
        return found
