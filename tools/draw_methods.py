"""Draws docs/images/methods/NAME.png: one picture for each page about a family of integrators, from runs of supple.

    python tools/draw_methods.py [NAME ...]

Names are those of PICTURES; without any, all are drawn, in about a minute.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import numpy as np
from drawn_runs import draw, energy, frames, labelled, logarithmic, momentum, plot, titled
from matplotlib.figure import Figure

from supple.analysis.damping import damping_curves
from supple.analysis.oscillator import oscillator
from supple.dynamics.state import State
from supple.integrators import INTEGRATORS
from supple.loop import simulate
from supple.render import style
from supple.types import Array

ROUND_OFF = 1e-16
"""Smallest error that is drawn."""


def avf() -> Figure:
    """Largest energy error of the twisting bar at step sizes from 1/1000 s to 1 s."""
    figure = style.new_figure(8.0, 4.4, "Twisting bar: energy error against step size")
    axes = figure.subplots()
    steps = np.geomspace(1e-3, 1.0, 16)
    for name in ("midpoint", "trapezoid", "backward-euler", "tr-bdf2", "avf"):
        runs = [energy(frames("twisting-bar", {"name": name}, h=h, steps=30)) for h in steps]
        plot(axes, name, steps, [np.abs(E / E[0] - 1).max() for E in runs], marker="o", markersize=4)
    axes.axvline(1 / 30, color=style.FAINT, linewidth=5, zorder=0)
    axes.text(1 / 31, 1e-6, "one step\nper frame", fontsize=11, color=style.INK, ha="right")
    logarithmic(axes, "step size  [s]", "largest |E/E0 - 1|  [-]")
    axes.set_xscale("log")
    style.legend_below(figure, axes, columns=3)
    return figure


def implicit() -> Figure:
    """Energy of an undamped oscillator over ten periods of about six steps each."""
    figure = style.new_figure(8.0, 4.4, "Undamped oscillation, six steps per period (h omega = 1)")
    axes = figure.subplots()
    system, start = oscillator(1.0), State(0.0, np.array([[1.0, 0.0, 0.0]]), np.zeros((1, 3)))
    for name, height, words in (
        ("backward-euler", -0.05, "backward-euler"),
        ("bdf2", 0.03, "bdf2"),
        ("sdirk3", 0.11, "sdirk3"),
        ("generalized-alpha", 0.26, "generalized-alpha"),
        ("sdirk", 0.64, "sdirk"),
        ("tr-bdf2", 0.72, "tr-bdf2, bathe"),
        ("sdirk4", 0.96, "sdirk4"),
        ("midpoint", 1.04, "midpoint, trapezoid,\nnewmark, gauss4"),
    ):
        E = energy(list(simulate(system, INTEGRATORS[name](), start, 1.0, 63)))
        plot(axes, name, np.arange(64) / (2 * np.pi), E / E[0], linewidth=2.0)
        colour = style.INTEGRATORS[name].colour
        axes.text(10.15, height, words, color=colour, fontsize=11.5, va="bottom" if "\n" in words else "center")
    labelled(axes, "periods", "E/E0  [-]")
    axes.set_xlim(0, 10)
    return figure


def explicit() -> Figure:
    """Energy errors of a bar, and the growth per step of a linear oscillation."""
    figure = style.new_figure(9.5, 4.6, "Explicit methods: energy error and stability limit")
    left, right = figure.subplots(1, 2)
    h_omega = np.linspace(0.02, 3.2, 160)
    for name in ("forward-euler", "explicit-midpoint", "symplectic-euler", "verlet", "rk4"):
        E = energy(frames("twisting-bar", {"name": name}, h=1 / 1200, steps=2400, fatal=False))
        error = np.clip(np.maximum.accumulate(np.abs(E / E[0] - 1))[1:], 1e-6, 1e6)
        plot(left, name, np.arange(1, len(E)) / 1200, error, linestyle="solid")
        points = damping_curves({name: INTEGRATORS[name]()}, h_omega.tolist())
        growth = [np.exp(-point.damping_over_omega * point.h_omega / 2) for point in points]
        dashed = {"linestyle": (0, (4, 4))} if name == "verlet" else {"linestyle": "solid"}
        plot(right, name, h_omega, growth, **dashed)
    logarithmic(left, "time  [s]", "largest |E/E0 - 1| so far  [-]")
    left.set_ylim(1e-6, 1e2)
    titled(left, "twisting bar, h = 1/1200 s")
    labelled(right, "h omega  [-]", "factor per step  [-]")
    right.set(xlim=(0, 3.2), ylim=(0.5, 2.0))
    titled(right, "amplitude of a linear oscillation")
    style.legend_below(figure, left, columns=3)
    return figure


def energy_momentum() -> Figure:
    """Errors of energy and angular momentum of the tumbling bar."""
    figure = style.new_figure(9.5, 4.2, "Tumbling bar, h = 1/30 s")
    left, right = figure.subplots(1, 2, sharey=True)
    for name in ("midpoint", "avf", "gonzalez", "simo-tarnow"):
        run = frames("tumbling-bar", {"name": name})
        t, E, L = [f.state.t for f in run], energy(run), momentum("tumbling-bar", run)
        for axes, error in (
            (left, np.abs(E / E[0] - 1)),
            (right, np.linalg.norm(L - L[0], axis=1) / np.linalg.norm(L[0])),
        ):
            plot(axes, name, t[1:], np.maximum(np.maximum.accumulate(error)[1:], ROUND_OFF))
    logarithmic(left, "time  [s]", "largest relative error so far  [-]")
    logarithmic(right, "time  [s]", "")
    titled(left, "energy")
    titled(right, "angular momentum")
    style.legend_below(figure, left, columns=4)
    return figure


def composition() -> Figure:
    """Errors of a free bar after half a second against the step size, with and without composition."""
    figure = style.new_figure(8.0, 4.6, "Tumbling bar: order 2, and order 4 by composition")
    axes = figure.subplots()
    counts = np.array([50, 100, 200, 400, 800, 1600])
    exact = end_of_tumbling({"name": "gauss4"}, 2048)
    for name in ("verlet", "avf"):
        for options, words in (({"name": name}, name), ({"name": "yoshida", "of": name}, f"yoshida of {name}")):
            errors = [np.abs(end_of_tumbling(options, n) - exact).max() for n in counts]
            line = {"marker": "o", "linestyle": "solid"} if words == name else {"marker": "s", "linestyle": "dashed"}
            plot(axes, name, 500.0 / counts, errors, label=words, **line)
    h = np.array([0.32, 2.2])
    for power, level in ((2, 1.5e-5), (4, 1.5e-8)):
        axes.plot(h, level * (h / h[0]) ** power, color="#888888", linestyle="dotted", label=f"slope {power}")
    logarithmic(axes, "step size  [ms]", "largest error of x  [m]")
    axes.set_xscale("log")
    axes.set_xticks(500.0 / counts, [f"{500.0 / count:g}" for count in counts])
    axes.minorticks_off()
    style.legend_below(figure, axes, columns=3)
    return figure


def end_of_tumbling(options: Mapping[str, str], steps: int) -> Array:
    """Positions after half a second [m]."""
    return np.array(frames("tumbling-bar", options, "solver.tolerance=1e-13", h=0.5 / steps, steps=steps)[-1].state.x)


def index() -> Figure:
    """Energy that each method gains or loses in three seconds of an undamped cantilever."""
    figure = style.new_figure(8.0, 7.4, "Undamped cantilever, h = 1/60 s: energy after 3 s")
    axes = figure.subplots()
    start = energy(frames("cantilever", {"name": "avf"}, steps=1))[0]
    swing = start - energy(frames("cantilever", {"name": "quasi-static"}, steps=1))[-1]
    found = {name: ending(name) / swing for name in ("yoshida of avf", *CANTILEVER.split())}
    names = sorted(found, key=lambda name: -abs(found[name]))
    for row, change in enumerate(found[name] for name in names):
        size, colour = max(abs(change), ROUND_OFF), style.GAINED if change > 0 else style.LOST
        axes.hlines(row, ROUND_OFF, size, color=style.FAINT, linewidth=2)
        axes.plot(size, row, "o", color=colour, markersize=8)
    for colour, words in ((style.GAINED, "gained"), (style.LOST, "lost")):
        axes.plot([], [], "o", color=colour, markersize=8, label=words)
    labelled(axes, "|change| / energy above equilibrium  [-]", "")
    axes.set_yticks(range(len(names)), names)
    axes.set(xscale="log", xlim=(ROUND_OFF, 3))
    axes.legend(fontsize=11.5, frameon=False, loc="upper right")
    return figure


def ending(words: str) -> float:
    """Energy created or lost by a method [J]."""
    method, _, inner = words.partition(" of ")
    return float(frames("cantilever", {"name": method, "of": inner} if inner else {"name": method})[-1].ledger.residual)


CANTILEVER = """
    avf simo-tarnow gonzalez midpoint trapezoid gauss4 variational sdirk sdirk3 sdirk4 tr-bdf2 bdf2 backward-euler
    generalized-alpha si sbdf2 str-sbdf2 s-sdirk ere siere beere sbdf2-ere bdf2-ere str-sbdf2-ere tr-bdf2-ere xpbd
"""
"""Methods that are stable on the cantilever at its step size."""
PICTURES = {
    "index": index,
    "avf": avf,
    "implicit": implicit,
    "explicit": explicit,
    "energy-momentum": energy_momentum,
    "composition": composition,
}
"""Pictures by the name of their page; draw_elasticity.py and draw_beam.py draw the others."""

if __name__ == "__main__":
    draw(PICTURES, "methods", sys.argv[1:])
