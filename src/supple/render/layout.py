"""Layout of the panels and captions of a picture, the same on all pictures of a film."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from supple.render.camera import View
from supple.render.style import INK

BAR = 4.3
"""Height of the bottom strip with the colour bar, in text heights."""


@dataclass(frozen=True)
class Writing:
    """A line of text, measured in pixels from the upper left corner of the picture."""

    x: float
    y: float
    """Position of its top."""
    text: str
    size: float
    colour: str = INK
    bold: bool = False
    align: str = "left"


@dataclass(frozen=True)
class Area:
    """Pixels of a picture."""

    left: int
    top: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns."""
        return slice(self.top, self.top + self.height), slice(self.left, self.left + self.width)


@dataclass(frozen=True)
class Layout:
    """A picture before anything is drawn into its panels."""

    width: int
    height: int
    font: float
    """Text height [pixels]."""
    columns: int
    panels: tuple[Area, ...]
    """One panel per run, all of the same size."""
    writings: tuple[Writing, ...] = ()
    lines: tuple[tuple[tuple[float, float], tuple[float, float]], ...] = ()
    """Extent in x and in y."""
    blanks: tuple[Area, ...] = ()
    """Grey cells of runs that cannot be shown."""


def side_by_side(
    labels: Sequence[str],
    tones: Sequence[str],
    size: tuple[int, int],
    barred: bool,
    fit: Callable[[int, int], View],
) -> Layout:
    """Runs beside or below each other in a picture of a given size, each with its label in a corner. `tones` are the colours
    of their second lines; `fit` gives the view of a panel of a given size; `barred`: with a colour bar at the bottom."""
    width, height = size
    font = min(max(0.034 * height, 11.0), 0.034 * width + 4.0)
    room = height - (round(BAR * font) if barred else 0)
    columns = _columns(len(labels), width, room, fit)
    wide, high = width // columns, room // -(-len(labels) // columns)
    panels = tuple(_panel(k, len(labels), columns, width, wide, high) for k in range(len(labels)))
    writings, lines = [], []
    for k, (label, tone, area) in enumerate(zip(labels, tones, panels, strict=True)):
        title, _, method = label.partition("\n")
        left, top = area.left + 0.7 * font, area.top + 0.6 * font
        writings.append(Writing(left, top, title, font, INK, bold=True))
        writings.append(Writing(left, top + 1.35 * font, method, font, tone if method else INK, bold=True))
        if area.top:
            lines.append(((0, width), (area.top, area.top)))
        if area.left and k % columns:
            lines.append(((area.left, area.left), (area.top, area.top + high)))
    return Layout(width, height, font, columns, panels, tuple(writings), tuple(lines))


def _panel(k: int, count: int, columns: int, width: int, wide: int, high: int) -> Area:
    """Panels in rows; an incomplete last row is centred."""
    row, column = divmod(k, columns)
    in_row = min(columns, count - row * columns)
    return Area((width - in_row * wide) // 2 + column * wide, row * high, wide, high)


def _columns(count: int, width: int, height: int, fit: Callable[[int, int], View]) -> int:
    """Beside or below each other, whichever shows the bodies larger; beside each other if similar."""
    best = 0.0
    found = count
    for columns in range(count, 0, -1):
        view = fit(width // columns, height // -(-count // columns))
        magnified = view.focal / view.distance
        if magnified > 1.15 * best:
            best, found = magnified, columns
    return found
