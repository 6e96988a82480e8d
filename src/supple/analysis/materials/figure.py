"""Curves of several solids as panels of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from supple.analysis.materials.curves import MaterialCurves
from supple.analysis.materials.data import StressData
from supple.render.plots.materials import Dots, Line, MaterialPanel, plot_materials

SYMBOLS = {
    "stretch": "stretch  [-]",
    "amount of shear": "amount of shear  [-]",
    "J": "J = volume / volume at rest  [-]",
}


def draw(found: Mapping[str, MaterialCurves], path: Path, title: str, data: StressData | None = None) -> Path:
    """A panel per mode with the curves of all solids, and measured points."""
    modes = list(dict.fromkeys(mode for one in found.values() for mode in one.curves))
    panels = []
    for mode in modes:
        curves = {label: one.curves[mode] for label, one in found.items() if mode in one.curves}
        loading = next(iter(curves.values())).loading
        lines = [Line(label, c.amount, c.stress, c.stable, c.elliptic, c.defined) for label, c in curves.items()]
        dots = Dots(data[mode].amount, data[mode].stress) if data and mode in data else None
        panels.append(MaterialPanel(mode, SYMBOLS[loading.amount], loading.stress, loading.rest, lines, dots))
    plot_materials(panels, path, title)
    return path
