"""Vibration losses of material-point transfers over time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from supple.render import style
from supple.types import Array

Courses = Mapping[str, Mapping[str, Array]]
"""Label -> columns time [s], energy and amplitude [-]; NaN values are not drawn."""


def plot_transfers(courses: Courses, path: Path, title: str) -> None:
    """Energy and amplitude over time, a curve for each transfer."""
    figure = style.new_figure(8.0, 7.6, title)
    energy, amplitude = figure.subplots(2, 1, sharex=True)
    strokes = style.transfer_strokes(courses)
    for name, course in courses.items():
        look = {"color": strokes[name].colour, "linestyle": strokes[name].pattern, "linewidth": 1.8, "label": name}
        energy.plot(course["time"], course["energy"], **look)
        amplitude.plot(course["time"], course["amplitude"], **look)
    energy.set_xlim(left=0.0)
    amplitude.set_ylim(bottom=0.0)
    style.dress(energy, "energy gained / vibration  [-]")
    style.dress(amplitude, "amplitude / start  [-]")
    amplitude.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, energy, columns=4)
    style.save(figure, path)
