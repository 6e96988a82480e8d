"""Contact sheets: many runs in rows and columns, each in a cell of the same size, with headings or with a label below."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from supple.errors import SuppleError
from supple.render.layout import BAR, Area, Layout, Writing
from supple.render.style import INK

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

CELL = (240, 180)
"""Pixels of a cell, by default."""
LARGEST = 16384
"""Largest number of pixels along a side of a sheet."""
LEADING = 1.3
"""Line spacing, in text heights."""
_GAP = 2  # pixels between cells, for a line
_CUT = "…"
_MEASURED = 100  # text height in pixels at which widths are measured


@dataclass(frozen=True)
class Cell:
    """A cell of a sheet."""

    row: int
    column: int
    run: Path | None
    """Run to draw; None for a grey cell."""
    label: str = ""
    """Label below the picture."""
    note: str = ""
    """Reason for a grey cell."""


@dataclass(frozen=True)
class Sheet:
    """Cells and the headings of their columns and rows; lines of a heading are separated by newlines. Positions without a cell
    stay white."""

    cells: tuple[Cell, ...]
    columns: tuple[str, ...]
    """One heading each; empty for none."""
    rows: tuple[str, ...]

    @property
    def runs(self) -> list[Path]:
        """Runs to draw, in the order of the cells."""
        return [cell.run for cell in self.cells if cell.run is not None]


@dataclass(frozen=True)
class _Frame:
    """Pixels of a sheet: of each cell, its label, and the strips with headings above and on the left."""

    wide: int
    high: int
    font: float
    left: int
    top: int
    below: int

    def area(self, cell: Cell) -> Area:
        left = self.left + cell.column * (self.wide + _GAP)
        return Area(left, self.top + cell.row * (self.high + self.below + _GAP), self.wide, self.high)


def sheet_layout(sheet: Sheet, cell: tuple[int, int], barred: bool) -> Layout:
    """A sheet with cells of this size; `barred`: with a colour bar at the bottom."""
    frame = _frame(sheet, cell)
    foot = (BAR if barred else 2.2) * frame.font
    width = frame.left + len(sheet.columns) * (frame.wide + _GAP) - _GAP
    height = frame.top + len(sheet.rows) * (frame.high + frame.below + _GAP) + round(foot)
    width, height = width + width % 2, height + height % 2  # H.264 halves the resolution of colours
    if max(width, height) > LARGEST:
        raise SuppleError(
            f"--size: {len(sheet.columns)} columns and {len(sheet.rows)} rows of {frame.wide}x{frame.high} make a sheet of "
            f"{width}x{height} pixels; at most {LARGEST} per side are allowed: give a smaller --size, or other "
            "--columns and --rows"
        )
    areas = [frame.area(c) for c in sheet.cells]
    placed = list(zip(sheet.cells, areas, strict=True))
    writings = [*_headings(sheet, frame), *(text for c, area in placed for text in _texts(c, area, frame))]
    return Layout(
        width,
        height,
        frame.font,
        len(sheet.columns),
        tuple(area for c, area in placed if c.run is not None),
        tuple(writings),
        tuple(_lines(sheet, frame)),
        tuple(area for c, area in placed if c.run is None),
    )


def _frame(sheet: Sheet, cell: tuple[int, int]) -> _Frame:
    wide, high = cell
    font = min(max(0.075 * high, 11.0), 0.06 * wide + 2.0, 30.0)
    names = [line for heading in sheet.rows for line in heading.splitlines()]
    left = min(max((width_of(line, font) for line in names), default=0.0) + 1.4 * font, 1.5 * wide) if names else 0.0
    headings = max(len(heading.splitlines()) for heading in sheet.columns)
    labels = max((len(_wrapped(c.label, wide, font)) for c in sheet.cells), default=0)
    strips = [(LEADING * lines + 0.5) * font if lines else 0.0 for lines in (headings, labels)]
    return _Frame(wide, high, font, round(left), round(strips[0]), round(strips[1]))


def _headings(sheet: Sheet, frame: _Frame) -> Iterator[Writing]:
    """Headings of columns, centred, and of rows, on the left at mid-height."""
    font = frame.font
    for k, heading in enumerate(sheet.columns):
        area = frame.area(Cell(0, k, None))
        for n, line in enumerate(heading.splitlines()):
            text = _cut(line, frame.wide, font)
            yield Writing(area.left + frame.wide / 2, (0.4 + LEADING * n) * font, text, font, INK, True, "center")
    for k, heading in enumerate(sheet.rows):
        lines, area = heading.splitlines(), frame.area(Cell(k, 0, None))
        top = area.top + (frame.high - LEADING * len(lines) * font) / 2
        for n, line in enumerate(lines):
            yield Writing(
                0.7 * font, top + LEADING * n * font, _cut(line, frame.left - 0.7 * font, font), font, INK, True
            )


def _texts(cell: Cell, area: Area, frame: _Frame) -> Iterator[Writing]:
    """The label below a cell, and in the middle of a grey one its note, truncated to fit."""
    font, middle = frame.font, area.left + frame.wide / 2
    for n, line in enumerate(_wrapped(cell.label, frame.wide, font)):
        yield Writing(middle, area.top + frame.high + (0.3 + LEADING * n) * font, line, font, INK, align="center")
    if cell.run is not None:
        return
    lines, room = _wrapped(cell.note, frame.wide, font), max(1, int((frame.high - font) / (LEADING * font)))
    if len(lines) > room:
        lines = [*lines[: room - 1], _cut(lines[room - 1] + _CUT, frame.wide, font)]
    top = area.top + (frame.high - LEADING * len(lines) * font) / 2
    for n, line in enumerate(lines):
        yield Writing(middle, top + LEADING * n * font, line, font, INK, align="center")


def _lines(sheet: Sheet, frame: _Frame) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Faint lines between columns and between rows."""
    last = frame.area(Cell(len(sheet.rows) - 1, len(sheet.columns) - 1, None))
    right, foot = last.left + last.width, last.top + last.height + frame.below
    for k in range(1, len(sheet.columns)):
        x = frame.area(Cell(0, k, None)).left - _GAP / 2
        yield (x, x), (frame.top, foot)
    for k in range(1, len(sheet.rows)):
        y = frame.area(Cell(k, 0, None)).top - _GAP / 2
        yield (frame.left, right), (y, y)


def width_of(text: str, font: float) -> float:
    """Width in pixels of bold text of a height."""
    return float(_bold().getlength(text)) * font / _MEASURED


@cache
def _bold() -> FreeTypeFont:
    """The font used by matplotlib."""
    from matplotlib.font_manager import FontProperties, findfont
    from PIL.ImageFont import truetype

    return truetype(findfont(FontProperties(weight="bold")), _MEASURED)


def _wrapped(text: str, wide: int, font: float) -> list[str]:
    """Lines of a text that fit into a cell."""
    if not text:
        return []
    letters = max(4, int(len(text) * (wide - font) / max(width_of(text, font), 1.0)))
    return [_cut(line, wide, font) for line in textwrap.wrap(text, letters)]


def _cut(text: str, wide: float, font: float) -> str:
    """A line truncated to fit."""
    if width_of(text, font) <= wide - 0.4 * font:
        return text
    while text and width_of(text + _CUT, font) > wide - 0.4 * font:
        text = text[:-1]
    return text + _CUT
