"""A figure whose ears were pulled: energies, iterations, and where a step starts its search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.averaging.shared import draw_energies, drift, energy, iterations
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

METHODS = ("avf", "midpoint", "newmark", "backward-euler")
SIZE = "body.0.mesh.size"


def runs_of(desk: Desk, steps: int) -> dict[str, Run]:
    """The scene by the four methods."""
    mesh = f"{SIZE}={desk.size('small', 'large')}"
    return {
        name: desk.run(
            name, "pulled-ears", settings=[f"integrator={{name='{name}'}}", mesh, f"time.duration={steps / 30}"]
        )
        for name in METHODS
    }


@PANELS("R4")
class PulledEars(Panel):
    also = ("R5",)
    title = "A figure with pulled ears"
    claim = (
        "AVF keeps the energy of a figure with pulled ears; backward Euler dies out, midpoint and Newmark explode, "
        "Newmark after a dip."
    )
    setup = "pulled-ears scene: our figure (440 tets; in full 5,984), mass 10 kg, mu 500 Pa, lambda 10 Pa, 60 steps of 1/30 s"
    command = "supple compare pulled-ears --integrators avf,midpoint,newmark,backward-euler"
    expects = Verdict.CORRECTED
    because = (
        "On this body midpoint dips before it explodes, not Newmark. Either may dip: it depends on the body and on its "
        "initial stretch. On the bar of pulled-bar, Newmark dips to 0.98."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = runs_of(desk, 60)

        def draw(canvas: Canvas) -> None:
            draw_energies(canvas.subplots(), runs, 1e2, log=True)

        desk.plot("energies", draw, "Total energy over its start: AVF stays, the others explode or die out.")
        desk.strip(
            "motion",
            runs,
            (0.0, 0.1, 0.2, 0.5, 1.0, 1.5),
            "Ears released at the same moment.",
            size=(200, 250),
            camera="30,12",
        )
        yield Figure("drift of the energy, AVF", drift(runs["avf"]), at_most(1e-11))
        yield Figure("energy left after 2 s, backward Euler", float(energy(runs["backward-euler"])[-1]), at_most(0.1))
        yield Figure("largest energy, midpoint", float(energy(runs["midpoint"]).max()), at_least(5.0))
        yield Figure("largest energy, Newmark", float(energy(runs["newmark"]).max()), at_least(5.0))
        yield Figure(
            "lowest energy of midpoint before it explodes", float(energy(runs["midpoint"]).min()), at_most(0.95)
        )
        yield Figure("lowest energy of Newmark before it explodes", float(energy(runs["newmark"]).min()))


@PANELS("R14")
class Iterations(Panel):
    title = "Newton iterations per frame"
    claim = (
        "AVF needs about as many iterations as midpoint and Newmark before these explode; backward Euler needs fewest."
    )
    setup = "the runs of R4, their first 30 frames"
    command = "supple compare pulled-ears --integrators avf,midpoint,newmark,backward-euler --steps 30"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = runs_of(desk, 30)
        counts = {name: iterations(run) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            given = {name: (np.arange(1.0, len(n) + 1.0), n) for name, n in counts.items()}
            axes = canvas.subplots()
            curves(axes, given, "frame", "Newton iterations")
            axes.set_ylim(bottom=0.0)

        desk.plot("iterations", draw, "Iterations in each frame, at one step per frame.")
        mean = {name: float(n.mean()) for name, n in counts.items()}
        rival = max(mean["midpoint"], mean["newmark"])
        yield Figure("iterations per frame, AVF", mean["avf"])
        yield Figure("iterations per frame, midpoint", mean["midpoint"])
        yield Figure("iterations per frame, Newmark", mean["newmark"])
        yield Figure("AVF over the larger of these two", mean["avf"] / rival, at_most(1.5))
        yield Figure("backward Euler over AVF", mean["backward-euler"] / mean["avf"], at_most(0.8))


@PANELS("R-s")
class Start(Panel):
    title = "Where the search of a step starts"
    claim = "Starting at x0 + h v0 takes fewer iterations than starting at the target y of the inertia term."
    setup = "pulled-ears scene, 60 steps of AVF with four predictors"
    command = "supple run pulled-ears --set integrator.predictor=target"
    expects = Verdict.NOT_REPRODUCED
    because = (
        "Here the target is the better start, if only slightly: 0.97 of the iterations on the small figure and 0.91 on the large "
        "one. The first force points to where the ears go, and a solve may fall back on the old positions from any start."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        mesh = f"{SIZE}={desk.size('small', 'large')}"
        names = {"coast": "x0 + h v0", "target": "target y", "kick": "x0 + h v0 + h^2/2 a", "stay": "x0"}
        runs = {
            key: desk.run(
                key, "pulled-ears", settings=[f"integrator={{name='avf',rule='simpson',predictor='{key}'}}", mesh]
            )
            for key in names
        }
        total = {key: float(iterations(run).sum()) for key, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            axes.barh(
                list(names.values()),
                [total[key] / 60 for key in names],
                color=["#0072b2", "#999999", "#999999", "#999999"],
            )
            axes.set_xlabel("Newton iterations per step")
            axes.invert_yaxis()
            axes.grid(False, axis="y")

        desk.plot("starts", draw, "The step is the same, its cost is not.", size=(6.4, 2.4))
        yield Figure(
            "iterations from the target over those from x0 + h v0", total["target"] / total["coast"], at_least(1.0)
        )
        yield Figure("iterations per step from x0 + h v0", total["coast"] / 60)
        yield Figure("largest drift of the energy", max(drift(run) for run in runs.values()), at_most(1e-10))
