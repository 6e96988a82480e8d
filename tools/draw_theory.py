"""Draws docs/images/theory/NAME.png: one picture for each page about the background of the methods, from runs of supple.

    python tools/draw_theory.py [NAME ...]

Names are those of PICTURES; without any, all are drawn, in about a minute.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from drawn_runs import draw, energy, frames, labelled, titled
from matplotlib.figure import Figure

import supple as sp
from supple.budget import quadratic
from supple.render import style

DOCS = Path(__file__).parent.parent / "docs"
BLUE, ORANGE = "#0072b2", "#d55e00"


def ledger() -> Figure:
    """The parts of the ledger of a damped bouncing ball, by AVF and by backward Euler."""
    figure = style.new_figure(9.5, 4.8, "Energy ledger of a damped bouncing ball")
    damping = 'damping=[{name="viscosity", shear=20.0}]'
    for axes, name in zip(figure.subplots(1, 2, sharey=True), ("avf", "backward-euler"), strict=True):
        run = frames("bouncing-ball", {"name": name}, damping)
        t, ledgers = [frame.state.t for frame in run], [frame.ledger for frame in run]
        parts = {key: np.array([getattr(found.energies, key) for found in ledgers]) for key in ENERGIES}
        parts["dissipated"] = np.array([found.dissipated for found in ledgers])
        axes.stackplot(
            t,
            *parts.values(),
            colors=[COLOURS[key] for key in parts],
            linewidth=0,
            labels=["contact" if key == "other" else key for key in parts],
        )
        axes.axhline(ledgers[0].initial, color=style.INK, linestyle="dashed", linewidth=1.2, label="initial total")
        labelled(axes, "time  [s]", "energy  [J]" if name == "avf" else "")
        titled(axes, name)
        axes.set_xlim(0, t[-1])
        if name == "backward-euler":
            axes.text(1.1, 14.0, "lost by the method:\nnegative residual", fontsize=12, color=style.INK, ha="center")
    style.legend_below(figure, axes, columns=6)
    return figure


ENERGIES = ("gravity", "kinetic", "elastic", "other")
"""Parts of the total, from the bottom of the stack."""
COLOURS = {**style.ENERGY_COLOURS, "dissipated": "#c9c9c9"}


def mpm_ledger() -> Figure:
    """The parts of a snowball that hits the ground."""
    figure = style.new_figure(8.0, 4.6, "Snowball: energy changes of grid steps")
    axes = figure.subplots()
    run = frames("snowball", None, h=1 / 960, steps=77)
    t = 1e3 * np.array([frame.state.t for frame in run])
    for key, colour in PARTS.items():
        axes.plot(t, [getattr(frame.ledger.grid, key) for frame in run], color=colour, label=key)
    axes.plot(t, [frame.ledger.residual for frame in run], color=style.INK, linestyle="dashed", label="residual")
    labelled(axes, "time  [ms]", "sum of changes  [J]")
    axes.set_xlim(20, 80)
    style.legend_below(figure, axes, columns=3)
    return figure


PARTS = {"transfer": BLUE, "force": "#e69f00", "collided": "#cc79a7", "plastic": ORANGE, "hardening": "#009e73"}
"""Parts of the ledger of the grid, with their colours."""


def budget() -> Figure:
    """A mass on a spring by backward Euler: bare, and with two kinds of budget."""
    figure = style.new_figure(9.5, 4.4, "Mass on a spring, backward Euler, 20 steps per period")
    left, right = figure.subplots(1, 2)
    for words, settings, colour, alike in (
        ("no budget", (), ORANGE, quadratic.ALIKE),
        ("budget", ("integrator.budget=true",), BLUE, quadratic.ALIKE),
        ("budget, smaller root only", ("integrator.budget=true",), "#e69f00", 0.0),
    ):
        kept, quadratic.ALIKE = quadratic.ALIKE, alike
        try:
            run = swing(settings)
        finally:
            quadratic.ALIKE = kept
        t = [frame.state.t for frame in run]
        left.plot(t, [np.linalg.norm(np.diff(frame.state.x, axis=0)) for frame in run], color=colour, label=words)
        right.plot(t, energy(run) / energy(run)[0], color=colour, linestyle=(0, (4, 4)) if alike == 0.0 else "solid")
    for axes, words in ((left, "length  [m]"), (right, "E/E0  [-]")):
        labelled(axes, "time  [s]", words)
    style.legend_below(figure, left, columns=3)
    return figure


def swing(settings: tuple[str, ...]) -> list[Any]:
    """A mass of 1 kg on a spring of 1 N/m, stretched by 0.3 m."""
    with_spring = (
        "body[0].material.stretch=1.0",
        "body[0].mass=2.0",
        'body[0].pin="start"',
        "body[0].mesh.origin=[0, 0, 0]",
        "body[0].initial={stretch=[1.3, 1, 1]}",
    )
    return frames("rotating-spring", {"name": "backward-euler"}, *with_spring, *settings, h=2 * np.pi / 20, steps=80)


def sensitivities() -> Figure:
    """Finite differences of the height on the page against its derivative by the reverse sweep."""
    page = (DOCS / "theory" / "sensitivities.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code
    names: dict[str, Any] = {}
    exec(compile(code[1], "sensitivities.md", "exec"), names)
    mu = names["bar"].material.mu
    pulled = mu * names["bars"].constants["bar.mu"].sum()
    changes = np.logspace(-9, -1, 33)
    height = {0.0: height_of_the_tip(names, mu)}
    for change in (*changes, *-changes):
        height[change] = height_of_the_tip(names, (1.0 + change) * mu)
    forward = np.array([(height[e] - height[0.0]) / e for e in changes])
    central = np.array([(height[e] - height[-e]) / (2.0 * e) for e in changes])

    figure = style.new_figure(8.0, 4.4, "Finite differences against the reverse sweep")
    axes = figure.subplots()
    for words, found, colour in (("forward differences", forward, ORANGE), ("central differences", central, BLUE)):
        axes.loglog(changes, np.abs(found / pulled - 1.0), "o-", color=colour, markersize=4, label=words)
    labelled(axes, "relative change of the shear modulus  [-]", "relative difference  [-]")
    style.legend_below(figure, axes, columns=2)
    return figure


def height_of_the_tip(names: dict[str, Any], mu: float) -> float:
    """Of the run on the page, with another shear modulus [m]."""
    body = replace(names["bar"], material=sp.StVK(mu, names["bar"].material.lam))
    model = sp.assemble(sp.World([body], gravity=(0, -9.81, 0), damping=(sp.Viscosity(shear=30.0),)))
    *_, last = sp.simulate(model, sp.AVF(), h=1 / 60, steps=30)
    return float(last.state.x[names["tip"], 1].mean())


PICTURES = {
    "budget": budget,
    "ledger": ledger,
    "mpm-ledger": mpm_ledger,
    "sensitivities": sensitivities,
}
"""Pictures by the name of their page."""

if __name__ == "__main__":
    draw(PICTURES, "theory", sys.argv[1:])
