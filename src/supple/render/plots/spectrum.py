"""Several runs side by side: their energy over time, and the spectrum of their motion."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from supple.render import style
from supple.render.plots.energy import History, energy_scale, level_range
from supple.types import Array

DECADES = 8
"""Power below this fraction of the largest is not drawn."""


def plot_motion(
    histories: Mapping[str, History], spectra: Mapping[str, tuple[Array, Array]], path: Path, title: str, above: float
) -> None:
    """Name -> history, and name -> frequencies [Hz] and power [m^2/s]; high frequencies begin at `above` [Hz]."""
    figure = style.new_figure(8.0, 7.6, title)
    level, power = figure.subplots(2, 1, height_ratios=(2, 3))
    strokes = style.strokes(histories)
    scale = min(energy_scale(history) for history in histories.values())
    levels = []
    for label, history in histories.items():
        look = {"color": strokes[label].colour, "linestyle": strokes[label].pattern, "label": label}
        levels.append(1.0 + (history["total"] - history["total"][0]) / scale)
        level.plot(history["time"], levels[-1], linewidth=2.0, **look)
        frequencies, values = spectra[label]
        power.plot(frequencies[1:], values[1:], linewidth=1.3, **look)
    kind, limits = level_range(np.concatenate(levels))
    level.set_yscale(kind)
    if limits is not None:
        level.set_ylim(limits)
    level.set_xlim(left=0.0)
    level.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    style.dress(level, "1 + (H - H(0)) / energy  [-]")
    top = max(float(values[1:].max(initial=0.0)) for _, values in spectra.values()) or 1.0
    power.set_xscale("log")
    power.set_yscale("log")
    power.set_ylim(top * 10.0**-DECADES, 3.0 * top)
    power.axvline(above, color="#888888", linewidth=0.9)
    style.dress(power, "power of motion  [m²/s]")
    power.set_xlabel("frequency  [Hz]", fontsize=12.5, color=style.INK)
    style.legend_below(figure, level, columns=3)
    style.save(figure, path)
