"""A damped character that keeps bouncing on its feet, and one that falls down stairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.contact.obstacles.obstacle import ObstacleContact
from supple.gallery.budgets.shared import centre, column, folded, swing
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

WINDOW = 1.5
"""Time window for the amplitude of the oscillation [s]."""


@PANELS("S13")
class BouncingOnItsFeet(Panel):
    title = "A damped character keeps bouncing"
    claim = "With an energy budget, a stretched character with fixed feet keeps bouncing indefinitely despite damping."
    setup = "figure-on-its-feet scene: our character (440 tets), viscosity 10 Pa s, backward Euler at 1/60 s, 10 s"
    command = "supple run figure-on-its-feet"

    def study(self, desk: Desk) -> Iterable[Figure]:
        shared = [f"body.0.mesh.size={desk.size('small', 'large')}", f"time.duration={desk.size(10.0, 60.0)}"]
        runs = {
            "with a budget": desk.run("budget", "figure-on-its-feet", settings=shared),
            "no budget": desk.run("plain", "figure-on-its-feet", settings=[*shared, "integrator.budget=false"]),
        }
        tops = {name: np.asarray(run.positions[:, :, 1], dtype=float).max(axis=1) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            given = {name: (run.times, tops[name]) for name, run in runs.items()}
            curves(canvas.subplots(), given, "time [s]", "height of the ears [m]")

        desk.plot("swing", draw, "Height of the ear tips.", size=(7.2, 3.2))
        times = [0.0, 0.25, 0.5, 9.0, 9.25, 9.5]
        desk.strip("motion", runs, times, "Initially, and after nine seconds.", size=(150, 220), camera="20,8")
        total = column(runs["with a budget"], "total")
        kept = {name: swing(tops[name], run.times, WINDOW) for name, run in runs.items()}
        yield Figure("amplitude retained after 10 s, with a budget", kept["with a budget"], at_least(0.7))
        yield Figure("amplitude retained after 10 s, no budget", kept["no budget"], at_most(0.1))
        yield Figure("energy drift, with a budget", float(np.abs(total / total[0] - 1.0).max()), at_most(1e-9))
        taken = float(column(runs["with a budget"], "dissipated")[-1] / total[0])
        yield Figure("dissipated energy relative to the energy", taken, at_least(1.0))


@PANELS("S16")
class DownTheStairs(Panel):
    title = "A character falls down stairs"
    claim = "With an energy budget, a soft character with self-contact tumbles down stairs."
    setup = (
        "figure-on-stairs scene: our character (440 tets), 0.5 m tall, stairs of 0.2 m, Rayleigh "
        "stiffness 0.005 s, 1/100 s"
    )
    command = "supple run figure-on-stairs"

    def study(self, desk: Desk) -> Iterable[Figure]:
        shared = [f"body.0.mesh.size={desk.size('small', 'medium')}", f"time.duration={desk.size(1.8, 3.0)}"]
        run = desk.run("stairs", "figure-on-stairs", settings=shared)
        y = centre(run)

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            time, total = column(run, "time"), column(run, "total")
            given = {
                "energy": (time, total / total[0]),
                "energy plus held energy": (time, (total + column(run, "held")) / total[0]),
                "gravity": (time, column(run, "gravity") / total[0]),
            }
            curves(axes, given, "time [s]", "relative to the initial energy")
            mark(axes, 1.0, "")

        desk.plot("energies", draw, "Each stair dissipates energy; the budget restores 30 % of it.")
        desk.strip(
            "motion",
            {"figure": run},
            np.linspace(0.0, 1.5, 6),
            "Down four stairs.",
            size=(240, 220),
            camera="30,12",
        )
        yield Figure("drop of the centre", float(y[0] - y[-1]), at_least(0.5), "m")
        yield Figure("smallest gap to the stairs in any frame", _smallest_gap(run), at_least(0.0), "m")
        yield Figure("frames with self-contact", folded(run))
        given = column(run, "external_work")[-1] / column(run, "dissipated")[-1]
        yield Figure("restored fraction of the dissipated energy", float(given), about(0.3, 1e-9))


def _smallest_gap(run: Run) -> float:
    """Minimum over all vertices and frames [m]."""
    terms = [t for t in run.setup.assemble().system.potential.terms if isinstance(t, ObstacleContact)]
    return min(float(term.gaps(np.asarray(x, dtype=float)).min()) for term in terms for x in run.positions)
