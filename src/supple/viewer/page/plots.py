"""Plots in the panel: energies, energy drift of the numerics, momenta, solver iterations."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.escaping import markup
from supple.render.style import ENERGY_COLOURS, INK, integrator_stroke
from supple.types import Array
from supple.viewer.figures import ENERGIES, INDEX

if TYPE_CHECKING:
    from viser import ViserServer

POINTS = 200
FLOOR = 1e-17
HEIGHT = 150


class Plots:
    """Four plots over time; the last `POINTS` points, or a whole film thinned to that many."""

    def __init__(self, server: ViserServer, span: tuple[float, float] | None = None, other: str = "") -> None:
        """`span`: fixed limits of the time axis [s]; `other`: the method whose total energy is drawn beside."""
        self._rows: deque[Array] = deque(maxlen=POINTS)
        self._others: deque[float] = deque(maxlen=POINTS)
        self._server, self._span = server, span
        self._handles: dict[str, Any] = {}
        with server.gui.add_folder("plots"):
            curves = [(name, ENERGY_COLOURS[name], ()) for name in ENERGIES]
            self._legend = server.gui.add_html("")
            self._handles["energy"] = self._plot("energy  [J]", [*curves, ("other method", "#888888", (4.0, 3.0))])
            self._handles["drift"] = self._plot("drift: log10 |residual| / energy", [("drift", "#d55e00", ())])
            server.gui.add_html(_legend([("linear  [kg m/s]", "#0072b2"), ("angular  [kg m²/s]", "#e69f00")]))
            self._handles["momentum"] = self._plot("momentum", [("linear", "#0072b2", ()), ("angular", "#e69f00", ())])
            self._handles["iterations"] = self._plot("iterations per step", [("iterations", INK, ())])
        self.compare(other)

    def compare(self, other: str) -> None:
        """Name the method whose total energy is drawn beside; none if empty."""
        named = [(name, ENERGY_COLOURS[name]) for name in ENERGIES]
        if other:
            colour = integrator_stroke(other).colour
            named.append((f"total of {other}", colour))
            series = list(self._handles["energy"].series)
            series[-1] = {**series[-1], "stroke": colour, "label": f"total of {other}"}
            self._handles["energy"].series = tuple(series)
        self._legend.content = _legend(named)

    def add(self, figures: Array, other_total: float = np.nan) -> None:
        """One more point; a step back in time restarts the curves."""
        if self._rows and figures[INDEX["time"]] < self._rows[-1][INDEX["time"]]:
            self.clear()
        if self._rows and figures[INDEX["time"]] == self._rows[-1][INDEX["time"]]:
            self._rows.pop()
            self._others.pop()
        self._rows.append(figures)
        self._others.append(other_total)

    def clear(self) -> None:
        """Clear all points."""
        self._rows.clear()
        self._others.clear()

    def send(self) -> None:
        """Draw the added points."""
        if self._rows:
            self.draw(np.stack(self._rows), np.array(self._others))

    def draw(self, rows: Array, others: Array | None = None) -> None:
        """Draw rows of figures."""
        t = rows[:, INDEX["time"]]
        total = rows[:, INDEX["total"]]
        beside = total if others is None else np.where(np.isfinite(others), others, total)
        with np.errstate(invalid="ignore", divide="ignore"):
            drift = np.abs(rows[:, INDEX["residual"]]) / rows[:, INDEX["scale"]]
        drift = np.log10(np.clip(np.nan_to_num(drift, nan=FLOOR, posinf=1e9), FLOOR, 1e9))
        self._set("energy", t, *(rows[:, INDEX[name]] for name in ENERGIES), beside)
        self._set("drift", t, drift)
        self._set("momentum", t, rows[:, INDEX["momentum"]], rows[:, INDEX["angular_momentum"]])
        self._set("iterations", t, rows[:, INDEX["iterations"]])

    def _set(self, name: str, *data: Array) -> None:
        finite = (np.clip(np.nan_to_num(values), -1e30, 1e30) for values in data)
        self._handles[name].data = tuple(np.ascontiguousarray(values, dtype=np.float64) for values in finite)

    def _plot(self, title: str, curves: list[tuple[str, str, tuple[float, ...]]]) -> Any:
        empty = np.zeros(1)
        across: dict[str, Any] = {"time": False}
        if self._span is not None:
            across |= {"auto": False, "range": self._span}
        series: list[Any] = [{"label": "t [s]"}]
        for label, colour, dash in curves:
            series.append({"label": label, "stroke": colour, "width": 1.5, "points": {"show": False}, "dash": dash})
        plain = {"size": 26, "font": "11px sans-serif", "grid": {"stroke": "#e4e6ea"}}
        return self._server.gui.add_uplot(
            (empty,) * (1 + len(curves)), tuple(series), title=title, scales={"x": across},
            axes=(plain, {**plain, "size": 58}), legend={"show": False}, height=HEIGHT,
        )  # fmt: skip


def _legend(named: list[tuple[str, str]]) -> str:
    words = " ".join(
        f'<span style="margin-right:0.7em;white-space:nowrap"><span style="color:{colour}">&#9632;</span> {markup(name)}</span>'
        for name, colour in named
    )
    return f'<div style="font-size:0.72em;padding:0.2em 0.9em;line-height:1.5">{words}</div>'
