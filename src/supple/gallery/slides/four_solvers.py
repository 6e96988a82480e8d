"""One cube with the four solvers of the summary: a shell, material points, finite elements, position-based dynamics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

import supple as sp
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.render.plots.energy import energy_scale
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

FPS = 60
SHELL = (
    "body=[{ mesh = { shape = 'box', cells = [6, 6, 6], size = [0.3, 0.3, 0.3] }, density = 20.0, "
    "material = { name = 'discrete-shell', stretch = 40.0, area = 500.0, bend = 0.0125 }, "
    "initial = { translate = [0.0, 0.1, 0.0] } }]"
)
"""Edge, area and bending stiffness close to that of a 2 cm sheet."""
FLOOR = "obstacle.0={ shape = 'half-space', law = 'separate' }"


@PANELS("L1")
class FourSolvers(Panel):
    title = "Four solvers, one cube"
    claim = (
        "A jelly cube can be modelled as a discrete shell, explicit material points, implicit corotated "
        "finite elements, or XPBD constraints. All four fall and bounce, with different cost and energy "
        "loss."
    )
    setup = "cube of 0.3 m dropped by 0.1 m, E = 1e5 Pa, 1/120 s: four-solvers scenes, discrete shell, explicit points"
    command = "supple compare four-solvers-shell four-solvers-points four-solvers-corotated four-solvers-xpbd"
    alone = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {
            "shell": desk.run("shell", "four-solvers-shell", settings=["integrator.name=avf", SHELL]),
            "points": desk.run("points", "four-solvers-points", sp.Mpm(cell=0.1), settings=[FLOOR]),
            "corotated": desk.run("corotated", "four-solvers-corotated"),
            "xpbd": desk.run("xpbd", "four-solvers-xpbd"),
        }
        levels = {name: _level(run) for name, run in runs.items()}
        seconds = {name: _seconds(run) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2, width_ratios=(3, 2))
            curves(left, levels, "time [s]", "retained energy [-]")
            right.bar(list(seconds), [1e3 * s for s in seconds.values()], color="#0072b2")
            right.set_ylabel(f"time per frame of 1/{FPS} s [ms]")
            right.set_yscale("log")
            right.tick_params(axis="x", rotation=30)

        desk.plot(
            "energies", draw, "Left: 1 + energy change relative to the released energy.", size=(8.4, 3.4), wide=True
        )
        desk.strip("motion", runs, [0.0, 0.15, 0.25, 0.4], "The same drop with four methods.", size=(240, 170))
        for name, run in runs.items():
            yield Figure(f"{name}: bounce height relative to the drop", _bounce(run), at_least(0.05))
        yield Figure("shell (AVF): energy lost", 1.0 - float(levels["shell"][1][-1]), at_most(1e-9))
        yield Figure("corotated (backward Euler): energy lost", 1.0 - float(levels["corotated"][1][-1]), at_least(0.5))
        for name in ("points", "xpbd"):
            yield Figure(f"{name}: energy lost", 1.0 - float(levels[name][1][-1]))
        for name, found in seconds.items():
            yield Figure(f"{name}: time per frame", 1e3 * found, unit="ms")


def _level(run: Run) -> tuple[np.ndarray, np.ndarray]:
    history = run.history
    return history["time"], 1.0 + (history["total"] - history["total"][0]) / energy_scale(history)


def _bounce(run: Run) -> float:
    """Rise of the centre above its lowest point relative to its fall, from the energy of gravity."""
    gravity = run.history["gravity"]
    lowest = int(np.argmin(gravity))
    return float((gravity[lowest:].max() - gravity[lowest]) / (gravity[0] - gravity[lowest]))


def _seconds(run: Run) -> float:
    """Wall time per frame: the median step, which excludes compilation."""
    history = run.history
    return float(np.median(history["wall_seconds"][1:] / history["h"][1:])) / FPS
