"""The energies of a run as SVG, written as text: loading matplotlib would take longer than a short run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.errors import RecordError
from supple.escaping import markup as escape
from supple.recording.files import replace_bytes
from supple.render import style
from supple.render.plots.axis import Scale
from supple.render.plots.energy import History, finite
from supple.render.report.panels import Curve, Panel, energy_panels
from supple.render.report.static_plot import envelope
from supple.types import Array

WIDTH, HEIGHT = 800, 640
LEFT, RIGHT, TOP, BOTTOM = 92, 20, 50, 52
"""Margins around the panels."""
LEGEND = 34
"""Margin above each panel."""
SHARES = (3, 2)
"""Heights of the panels."""
DOT = 1.8
MARGIN = 0.04
"""Margin around curves, as a fraction of their range."""


@dataclass(frozen=True)
class Frame:
    """Position of a panel in the picture, and the range it shows."""

    top: float
    height: float
    times: tuple[float, float]
    range: tuple[float, float]

    def across(self, t: Array) -> Array:
        """Pixels from the left."""
        begin, end = self.times
        return LEFT + (t - begin) / (end - begin) * (WIDTH - LEFT - RIGHT)

    def down(self, place: Array) -> Array:
        """Pixels from the top, clipped to just outside the panel."""
        low, high = self.range
        share = np.clip((place - low) / (high - low), -1.0, 2.0)
        return self.top + (1 - share) * self.height


def plot_energy(history: History, path: Path, title: str) -> None:
    """The energies of a run (J) over its time (s), and below the energy created or lost by the numerics, in an SVG file."""
    if not len(history["time"]):
        raise RecordError(f"{path}: the history to plot has no rows; run at least the initial state")
    replace_bytes(path, picture(energy_panels(history), title).encode())


def picture(panels: Sequence[Panel], title: str) -> str:
    """Two panels, one above the other, with a common time axis."""
    times = _range(np.concatenate([curve.x for panel in panels for curve in panel.curves]), 0.0)
    room = HEIGHT - TOP - BOTTOM - LEGEND * len(panels)
    parts, top = [], float(TOP)
    for k, (panel, share) in enumerate(zip(panels, SHARES, strict=True)):
        scale = Scale(panel.scale, panel.linear)
        height = room * share / sum(SHARES)
        frame = Frame(top + LEGEND, height, times, _vertical(panel, scale))
        parts += [*_grid(panel, scale, frame, last=k == len(panels) - 1), *_legend(panel, top + 22)]
        parts.append(f'<clipPath id="c{k}"><rect x="{LEFT}" y="{frame.top:.1f}" width="{WIDTH - LEFT - RIGHT}" '
                     f'height="{height:.1f}"/></clipPath><g clip-path="url(#c{k})">')  # fmt: skip
        parts += [_drawn(curve, scale, frame) for curve in panel.curves]
        parts.append("</g>")
        top += LEGEND + height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="{style.INK}">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="16" y="30" font-size="18" font-weight="bold">{escape(title)}</text>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _range(values: Array, margin: float) -> tuple[float, float]:
    numbers = finite(values)
    low, high = (float(numbers.min()), float(numbers.max())) if len(numbers) else (0.0, 1.0)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = 0.5 * abs(high) or 1.0
        return (low, low + room) if margin == 0 else (low - room, high + room)
    return low - margin * (high - low), high + margin * (high - low)


def _vertical(panel: Panel, scale: Scale) -> tuple[float, float]:
    if panel.limits is not None:
        low, high = scale(np.array(panel.limits))
        return float(low), float(high)
    return _range(scale(np.concatenate([curve.y for curve in panel.curves])), MARGIN)


def _grid(panel: Panel, scale: Scale, frame: Frame, last: bool) -> list[str]:
    """Tick lines and labels, and axis titles; the lowest panel has the labels of the time axis."""
    right, bottom = WIDTH - RIGHT, frame.top + frame.height
    parts = []
    for tick in scale.ticks(*frame.range, count=6):
        y = float(frame.down(np.array(tick.at)))
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{style.FAINT}"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick.text}</text>')  # fmt: skip
    for tick in Scale().ticks(*frame.times, count=8):
        x = float(frame.across(np.array(tick.at)))
        parts.append(f'<path d="M{x:.1f} {frame.top:.1f}V{bottom:.1f}" stroke="{style.FAINT}"/>')
        if last:
            parts.append(f'<text x="{x:.1f}" y="{bottom + 19:.1f}" text-anchor="middle">{tick.text}</text>')
    middle = frame.top + frame.height / 2
    parts += [
        f'<path d="M{LEFT} {frame.top:.1f}V{bottom:.1f}H{right}" stroke="#888888" fill="none"/>',
        f'<text transform="translate(22 {middle:.1f}) rotate(-90)" text-anchor="middle">{escape(panel.up)}</text>',
    ]
    if last:
        parts.append(
            f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(panel.across)}</text>'
        )
    return parts


def _legend(panel: Panel, y: float) -> list[str]:
    parts, x = [], float(LEFT)
    for curve in panel.curves:
        mark = f'<path d="M{x:.0f} {y - 4:.0f}h22" stroke="{curve.stroke.colour}" stroke-width="{curve.width}"/>'
        if curve.sign:
            mark = f'<circle cx="{x + 11:.0f}" cy="{y - 4:.0f}" r="4" fill="{curve.stroke.colour}"/>'
        parts.append(f'{mark}<text x="{x + 28:.0f}" y="{y:.0f}">{escape(curve.label)}</text>')
        x += 52 + 8 * len(curve.label)
    return parts


def _drawn(curve: Curve, scale: Scale, frame: Frame) -> str:
    """A line with gaps at missing values, or dots where the values have the curve's sign."""
    t, y = (values.astype(np.float64) for values in envelope(curve))
    places = scale(y)
    seen = np.isfinite(places) & ((np.sign(y) == curve.sign) if curve.sign else True)
    xs, ys = frame.across(t), frame.down(places)
    if curve.sign:
        dots = "".join(f"M{a:.1f} {b:.1f}h0" for a, b in zip(xs[seen], ys[seen], strict=True))
        return f'<path d="{dots}" stroke="{curve.stroke.colour}" stroke-width="{2 * DOT}" stroke-linecap="round"/>'
    words, pen = [], "M"
    for a, b, here in zip(xs, ys, seen, strict=True):
        if here:
            words.append(f"{pen}{a:.1f} {b:.1f}")
        pen = "L" if here else "M"
    return f'<path d="{"".join(words)}" stroke="{curve.stroke.colour}" stroke-width="{curve.width}" fill="none"/>'
