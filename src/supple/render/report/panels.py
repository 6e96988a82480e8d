"""Plots of a page as data: columns, strokes and axes of the curves.

Drift is computed here, in double precision: a plot of H itself could not show 1e-12 of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from supple.recording.history import series
from supple.render import style
from supple.render.plots.energy import CEILING, FLOOR, History, energy_scale, finite, level_range

MOST = 4000
"""Rows of a history that a page draws; longer ones are thinned."""
AXES = {
    "x": style.Stroke("#d55e00"),
    "y": style.Stroke("#009e73", (7.0, 1.8)),
    "z": style.Stroke("#0072b2", (2.4, 1.2)),
}
Values = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Curve:
    """One line of the legend; `sign` shows only values above (1) or below (-1) zero, as dots."""

    label: str
    stroke: style.Stroke
    x: Values
    y: Values
    width: float = 1.8
    sign: int = 0


@dataclass(frozen=True)
class Panel:
    """One plot. A logarithmic scale shows sizes; symlog is linear below `linear` and logarithmic beyond."""

    name: str
    title: str
    across: str
    """Quantity of the horizontal axis, with its unit."""
    up: str
    unit: str
    """Unit of the values, for the read-out."""
    curves: tuple[Curve, ...]
    note: str = ""
    scale: Literal["linear", "log", "symlog"] = "linear"
    linear: float = 1.0
    limits: tuple[float, float] | None = None
    """Initial vertical range; fitted if None."""
    bars: float = 0.0
    """Width of the bars, 0 for lines."""
    across_unit: str = "s"


def thinning(history: History) -> int:
    """Stride of the drawn rows."""
    return max(1, -(-len(history["time"]) // MOST))


def thinned(values: npt.NDArray[Any], every: int) -> Values:
    """Every n-th value, and the last one."""
    kept = np.union1d(np.arange(0, len(values), every), [len(values) - 1])
    return np.ascontiguousarray(values[kept], dtype=np.float64)


def energy_panels(history: History) -> list[Panel]:
    """Energies of one run, and the energy created or lost by the numerics."""
    every = thinning(history)
    t = thinned(history["time"], every)
    scale = energy_scale(history)
    curves = []
    for name, colour in style.ENERGY_COLOURS.items():
        if name == "total" or np.any(np.nan_to_num(history[name])):
            width = 2.6 if name == "total" else 1.8
            curves.append(Curve(name, style.Stroke(colour), t, thinned(history[name], every), width))
    exploded = np.abs(finite(history["total"])).max(initial=0.0) > CEILING * scale
    split = Panel(
        "energy", "Energy by kind", "time  [s]", "energy  [J]", "J", tuple(curves),
        scale="symlog" if exploded else "linear", linear=10.0 ** np.ceil(np.log10(scale)),
    )  # fmt: skip
    drift = thinned(history["residual"] / scale, every)
    pieces = [Curve("drift", style.Stroke("#999999"), t, drift, 1.0)]
    for sign, label, colour in ((1, "gained", style.GAINED), (-1, "lost", style.LOST)):
        if np.any(np.sign(drift) == sign):
            pieces.append(Curve(label, style.Stroke(colour), t, drift, sign=sign))
    note = f"Energy created or lost by the numerics since the start, over the {scale:.4g} J in play."
    return [split, _drift(tuple(pieces), note)]


def comparison_panels(histories: Mapping[str, History]) -> list[Panel]:
    """Energy level, drift and potential energy of several runs, each in the stroke of its method."""
    # One scale for all, the smallest: a diverging run makes the work of gravity arbitrarily large.
    scale = min(energy_scale(history) for history in histories.values())
    strokes = style.strokes(histories)
    levels, drifts = [], []
    for label, history in histories.items():
        every = thinning(history)
        t, total = thinned(history["time"], every), history["total"]
        levels.append(Curve(label, strokes[label], t, thinned(1.0 + (total - total[0]) / scale, every), 2.2))
        drifts.append(Curve(label, strokes[label], t, thinned(history["residual"] / scale, every), 2.2))
    kind, limits = level_range(np.concatenate([curve.y for curve in levels]))
    note = f"H: total energy; the energy in play is {scale:.4g} J. The same method has the same colour in every plot."
    level = Panel(
        "energy", "Energy relative to the start", "time  [s]", "1 + (H - H(0)) / energy  [-]", "", tuple(levels), note,
        kind, limits=limits,
    )  # fmt: skip
    note = "Energy created or lost by the numerics since the start, over the energy in play."
    return [level, _drift(tuple(drifts), note), _potential(histories, strokes)]


def _potential(histories: Mapping[str, History], strokes: Mapping[str, style.Stroke]) -> Panel:
    curves = []
    for label, history in histories.items():
        every = thinning(history)
        values = thinned(series(history, "potential"), every)
        curves.append(Curve(label, strokes[label], thinned(history["time"], every), values))
    note = "Elastic, gravitational and contact energy together: a body that keeps swinging returns to its extremes."
    return Panel(
        "potential", "Potential energy", "time  [s]", "potential energy  [J]", "J", tuple(curves), note,
        **_held(curves),
    )  # fmt: skip


def _drift(curves: tuple[Curve, ...], note: str) -> Panel:
    values = np.abs(finite(np.concatenate([curve.y for curve in curves])))
    values = values[values > FLOOR]
    top = min(float(values.max(initial=FLOOR)), CEILING)
    bottom = min(float(values.min(initial=top)), top / 1e3)
    limits = max(bottom / 2, FLOOR / 2), max(top * 3, FLOOR * 1e3)
    return Panel("drift", "Drift", "time  [s]", "|residual| / energy  [-]", "", curves, note, "log", limits=limits)


def momentum_panels(histories: Mapping[str, History]) -> list[Panel]:
    """Linear and angular momentum: components for one run, magnitudes for several."""
    note = "Of the free vertices; gravity, pins and scripts change it."
    kinds = (
        ("momentum", "Linear momentum", "p", "kg m/s", note),
        ("spin", "Angular momentum", "l", "kg m²/s", "About the origin, of the same vertices."),
    )
    strokes = style.strokes(histories)
    panels = []
    for name, title, letter, unit, words in kinds:
        curves = []
        for label, history in histories.items():
            every = thinning(history)
            t = thinned(history["time"], every)
            parts = {axis: thinned(history[letter + axis], every) for axis in AXES}
            if len(histories) == 1:
                curves += [Curve(axis, AXES[axis], t, values) for axis, values in parts.items()]
            else:
                with np.errstate(over="ignore"):  # of a diverged run
                    size = np.linalg.norm(list(parts.values()), axis=0)
                curves.append(Curve(label, strokes[label], t, size))
        axis_label = f"{title.lower()}  [{unit}]" if len(histories) == 1 else f"|{title.lower()}|  [{unit}]"
        held = _held(curves) if len(histories) > 1 else {}
        panels.append(Panel(name, title, "time  [s]", axis_label, unit, tuple(curves), words, **held))
    return panels


def _held(curves: list[Curve]) -> dict[str, Any]:
    """Axis for several runs of which one diverges, on which the others stay visible."""
    tops = sorted(top for curve in curves if (top := float(np.abs(finite(curve.y)).max(initial=0.0))) > 0.0)
    if len(tops) < 2 or tops[-1] < CEILING * tops[-2]:
        return {}
    return {"scale": "symlog", "linear": 10.0 ** np.ceil(np.log10(tops[-2]))}
