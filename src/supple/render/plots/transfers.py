"""What transfers of material points lose of a vibration, over time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from supple.render import style
from supple.render.style import Stroke
from supple.types import Array

Courses = Mapping[str, Mapping[str, Array]]
"""Label -> columns time [s], energy and amplitude [-]; what is no number is not drawn."""

COLOURS = {
    "pic": "#d55e00",
    "flip": "#e69f00",
    "apic": "#0072b2",
    "affine-flip": "#009e73",
    "asflip": "#cc79a7",
}
OTHERS = "#555555"
DASHES: tuple[tuple[float, ...], ...] = ((), (4.0, 1.6), (1.2, 1.4), (5.0, 1.4, 1.2, 1.4))
"""Of the first, second ... variant of a transfer."""


def plot_transfers(courses: Courses, path: Path, title: str) -> None:
    """Energy and amplitude over time, a curve for each transfer."""
    figure = style.new_figure(8.0, 7.6, title)
    energy, amplitude = figure.subplots(2, 1, sharex=True)
    for (name, course), stroke in zip(courses.items(), _strokes(list(courses)), strict=True):
        look = {"color": stroke.colour, "linestyle": stroke.pattern, "linewidth": 1.8, "label": name}
        energy.plot(course["time"], course["energy"], **look)
        amplitude.plot(course["time"], course["amplitude"], **look)
    energy.set_xlim(left=0.0)
    amplitude.set_ylim(bottom=0.0)
    style.dress(energy, "energy gained / vibration  [-]")
    style.dress(amplitude, "amplitude / start  [-]")
    amplitude.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, energy, columns=4)
    style.save(figure, path)


def _strokes(labels: list[str]) -> list[Stroke]:
    """The colour of the transfer that a label starts with; its variants differ in their dashes."""
    seen: dict[str, int] = {}
    found = []
    for label in labels:
        name = label.partition(":")[0]
        seen[name] = seen.get(name, -1) + 1
        found.append(Stroke(COLOURS.get(name, OTHERS), DASHES[seen[name] % len(DASHES)]))
    return found
