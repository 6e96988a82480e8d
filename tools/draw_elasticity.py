"""Draws docs/images/methods/NAME.png for the methods of special bodies: corotational ones and springs, from runs of supple.

    python tools/draw_elasticity.py [NAME ...]

Names are those of PICTURES; without any, both are drawn, in a quarter of a minute.
"""

from __future__ import annotations

import sys

from drawn_runs import draw, energy, frames, labelled, plot, titled
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.spatial import ConvexHull

from supple.render import style

REVERSIBLE = "#cc79a7"
"""Of the curve of `corotational-reversible`, which otherwise has the colour of `midpoint`."""


def corotational() -> Figure:
    """A spinning bar with and without frames that rotate, and the energy of three methods."""
    figure = style.new_figure(9.5, 4.9, "Bar that rotates at 1 rad/s, and energy of corotated-bar")
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.2))
    for name, words, colour in (
        ("", "start", "#888888"),
        ("linear", "linear, 1 s later", style.INTEGRATORS["backward-euler"].colour),
        ("corotational", "corotational, 1 s later", style.INTEGRATORS["avf"].colour),
    ):
        draw_outline(left, name, words, colour)
    left.set_aspect("equal")
    labelled(left, "x  [m]", "y  [m]")
    left.legend(fontsize=10.5, frameon=False, loc="upper left")
    left.set_xlim(-0.9, 2.6)
    left.set_ylim(-1.15, 2.7)

    colours = {"corotational-reversible": {"color": REVERSIBLE}}
    for name in ("corotational-reversible", "midpoint", "avf"):
        run = frames("corotated-bar", {"name": name})
        E, look = energy(run), {"linewidth": 1.2, "linestyle": "solid", **colours.get(name, {})}
        plot(right, name, [frame.state.t for frame in run], 1e3 * (E / E[0] - 1), **look)
    labelled(right, "time  [s]", "E/E0 - 1  [1e-3]")
    right.set_ylim(-2.0, 0.25)
    style.legend_below(figure, right, columns=3)
    return figure


def draw_outline(axes: Axes, material: str, words: str, colour: str) -> None:
    """The free bar seen along the axis of its spin of 1 rad/s; at the start if no material is named."""
    spin = "body[0].initial={spin=[0, 0, 1]}"
    run = frames("corotated-bar", {"name": "avf"}, f"body[0].material.name={material or 'linear'}", spin, steps=50)
    x = run[-1 if material else 0].state.x[:, :2]
    hull = ConvexHull(x).vertices
    axes.fill(*x[hull].T, facecolor=colour + "30", edgecolor=colour, linewidth=1.8, label=words)
    axes.plot(*x.T, "o", color=colour, markersize=3)


def conserving_springs() -> Figure:
    """Energy of a spring that rotates, and of a block of springs along edges and altitudes."""
    figure = style.new_figure(9.5, 4.4, "Energy of springs that rotate")
    left, right = figure.subplots(1, 2)
    balanced, plain = "conserving-springs", "conserving-springs, balance = false"
    for name, words, settings, dashes in (
        ("simo-tarnow", "simo-tarnow", (), "solid"),
        ("conserving-springs", plain, ("integrator.balance=false",), (0, (2, 1.5))),
        ("conserving-springs", balanced, (), "solid"),
    ):
        colour = style.INTEGRATORS["bdf2" if words == plain else "midpoint" if words == balanced else name].colour
        for axes, scene in ((left, "rotating-spring"), (right, "spring-tet")):
            if scene == "spring-tet" and words == "simo-tarnow":
                continue
            run = frames(scene, {"name": name}, *settings)
            E = energy(run)
            axes.plot([f.state.t for f in run], E / E[0], color=colour, linestyle=dashes, label=words)
            titled(axes, scene)
    for axes, words in ((left, "E/E0  [-]"), (right, "")):
        labelled(axes, "time  [s]", words)
    left.set_ylim(0.95, 1.25)
    style.legend_below(figure, left, columns=3)
    return figure


PICTURES = {"corotational": corotational, "conserving-springs": conserving_springs}
"""Pictures by the name of their page."""

if __name__ == "__main__":
    draw(PICTURES, "methods", sys.argv[1:])
