"""Draws docs/images/methods/NAME.png for semi-implicit and exponential methods: the remaining energy of the scene fixed-beam.

    python tools/draw_beam.py [NAME ...]

Names are those of PICTURES; without any, both are drawn, in a quarter of a minute.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

from drawn_runs import draw, energy, frames, labelled, plot
from matplotlib.figure import Figure

from supple.render import style
from supple.types import Array


def semi_implicit() -> Figure:
    """Energy lost by the fixed beam: each semi-implicit method follows the implicit one that it linearises."""
    figure = style.new_figure(8.0, 4.4, "Fixed beam: linear solves (dashed), full solves (wide)")
    axes = figure.subplots()
    for pair in (("backward-euler", "si"), ("bdf2", "sbdf2"), ("tr-bdf2", "str-sbdf2")):
        for name in pair:
            wide = {"linewidth": 5.0, "alpha": 0.35, "linestyle": "solid"} if name == pair[0] else {"linewidth": 2.0}
            plot(axes, name, *remaining({"name": name}), **wide)
    labelled(axes, "time  [s]", "remaining energy  [-]")
    style.legend_below(figure, axes, columns=3)
    return figure


def exponential() -> Figure:
    """Energy that remains with few and many exponential modes, between backward Euler and no loss."""
    figure = style.new_figure(8.0, 4.4, "Fixed beam: energy with 1, 5 and 40 exponential modes")
    axes = figure.subplots()
    plot(axes, "avf", *remaining({"name": "avf"}))
    for modes, dashes in ((40, "solid"), (5, (0, (5, 1.5))), (1, (0, (1, 1.2)))):
        words = f"siere, {modes} mode" + "s" * (modes > 1)
        plot(axes, "siere", *remaining({"name": "siere", "modes": modes}), label=words, linestyle=dashes, linewidth=2.0)
    plot(axes, "backward-euler", *remaining({"name": "backward-euler"}))
    labelled(axes, "time  [s]", "remaining energy  [-]")
    style.legend_below(figure, axes, columns=3)
    return figure


def remaining(method: Mapping[str, Any]) -> tuple[list[float], Array]:
    """Times [s], and the energy above equilibrium relative to its initial value."""
    run = frames("fixed-beam", method)
    E = energy(run)
    return [frame.state.t for frame in run], (E - equilibrium()) / (E[0] - equilibrium())


@cache
def equilibrium() -> float:
    """Energy of the beam at rest [J]."""
    return float(energy(frames("fixed-beam", {"name": "quasi-static"}, steps=1))[-1])


PICTURES = {"semi-implicit": semi_implicit, "exponential": exponential}
"""Pictures by the name of their page."""

if __name__ == "__main__":
    draw(PICTURES, "methods", sys.argv[1:])
