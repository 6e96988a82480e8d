"""A stretched cube that keeps oscillating while its mesh-scale vibration is damped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.budgets.shared import column, swing, uneven
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

WINDOW = 0.6
"""Time window for the amplitude of the oscillation [s]."""


@PANELS("S1")
class StretchedCube(Panel):
    title = "A stretched cube keeps oscillating"
    claim = (
        "With damping and an energy budget, a stretched cube oscillates smoothly at constant energy. A "
        "variational integrator shows mesh-scale vibration without damping and comes to rest with it."
    )
    setup = "oscillating-cube scene: 3 x 3 x 3 cells, stretched and crumpled, viscosity 10 Pa s, steps of 1/240 s"
    command = "supple compare oscillating-cube --integrators backward-euler,variational"

    def study(self, desk: Desk) -> Iterable[Figure]:
        scene, duration = "oscillating-cube", f"time.duration={desk.size(2.0, 10.0)}"
        cells = f"body.0.mesh.cells={desk.size(3, 6)}"
        variational, undamped = "integrator={name='variational'}", "damping=[]"
        runs = {
            "damped, with a budget": desk.run("budget", scene, settings=[duration, cells]),
            "variational": desk.run("undamped", scene, settings=[duration, cells, variational, undamped]),
            "variational, damped": desk.run("damped", scene, settings=[duration, cells, variational]),
        }
        paths = {name: _top(run) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            above, below = canvas.subplots(2, 1, sharex=True)
            given = {name: (run.times, paths[name]) for name, run in runs.items()}
            curves(above, given, "", "mean height of the top [m]")
            given = {name: (column(run, "time"), column(run, "total")) for name, run in runs.items()}
            curves(
                below,
                given,
                "time [s]",
                "energy [J]",
                limits=(0.0, 1.1 * float(column(runs["variational"], "total")[0])),
            )

        desk.plot("swing", draw, "Height of the top of the cube, and energy.", size=(7.0, 4.6))
        times = np.linspace(0.0, float(runs["variational"].times[-1]), 6)
        desk.strip("motion", runs, times, "Smooth oscillation, mesh-scale vibration, and rest.", size=(170, 170))
        total = column(runs["damped, with a budget"], "total")
        rattles = {name: uneven(run, WINDOW) for name, run in runs.items()}
        damped = column(runs["variational, damped"], "total")
        kept = swing(paths["damped, with a budget"], runs["damped, with a budget"].times, WINDOW)
        yield Figure("energy drift with the budget", float(np.abs(total / total[0] - 1.0).max()), at_most(1e-9))
        yield Figure("amplitude retained with the budget", kept, at_least(0.3))
        yield Figure(
            "motion other than uniform stretch, with the budget",
            rattles["damped, with a budget"],
            at_most(0.6),
            "of the kinetic energy",
        )
        yield Figure(
            "the same, variational without damping", rattles["variational"], at_least(0.7), "of the kinetic energy"
        )
        yield Figure("remaining energy, variational with damping", float(damped[-1] / damped[0]), at_most(0.6))


def _top(run: Run) -> Array:
    group = run.setup.assemble().mesh.groups["cube.top"]
    return np.asarray(run.positions[:, group, 1], dtype=float).mean(axis=1)
