"""A damped ball that rebounds to its drop height."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from supple.gallery.budgets.shared import bounces, centre, column, height, residual
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, about, at_least, at_most
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

TOP, FLOOR = 0.6, 0.1
"""Heights of the centre initially and at first contact [m]."""
DAMPED = 0.004
"""Rayleigh stiffness [s]. An undamped rebound loses as much energy to vibration."""
FALL = 0.4
FIGURE = (
    "body.0.mesh={shape='character', size='small', height=0.4, foot=[0.0, 0.404, 0.0]}", "body.0.material.young=3e5",
    "obstacle.0.distance=0.004", "damping.0.stiffness=0.02", "time.duration=2.2",
)  # fmt: skip
"""A character dropped by FALL [m] in place of the ball."""


@PANELS("S2")
class Bounce(Panel):
    also = ("S14",)
    title = "A damped ball rebounds to its drop height"
    claim = "With an energy budget, a damped soft ball rebounds to its drop height at constant energy."
    setup = "ball of 0.1 m (rebounding-ball scene), drop of 0.5 m, Rayleigh stiffness 0.004 s, steps of 1/100 s"
    command = "supple run rebounding-ball"
    expects = Verdict.CORRECTED
    because = (
        "The printed scheme returns energy along elastic and viscous forces in each step. Total energy "
        "is then constant, but it ends up in vibration, because internal forces cannot lift a body in "
        "flight. We hold the energy until the ground pushes and release it as the shape recovers; the "
        "ball then regains its height."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        long, short = f"time.duration={desk.size(3.1, 6.0)}", f"time.duration={desk.size(1.7, 6.0)}"
        scene, plain, avf = "rebounding-ball", "integrator.budget=false", "integrator.name=avf"
        printed = "integrator.budget={dissipation=1.0}"
        share = "integrator.budget={release='rebound', restore=0.6}"
        runs = {
            "backward-euler, rebound": desk.run("rebound", scene, settings=[long]),
            "avf, rebound": desk.run("avf", scene, settings=[long, avf]),
            "restore = 0.6": desk.run("share", scene, settings=[long, share, "damping.0.stiffness=0.02"]),
            "budget as printed": desk.run("printed", scene, settings=[short, printed]),
            "no budget": desk.run("plain", scene, settings=[short, plain]),
        }
        paths = {name: height(run, TOP) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            curves(
                axes, {name: (column(run, "time"), paths[name]) for name, run in runs.items()}, "time [s]",
                "height of the centre [m]", limits=(0.0, 0.66),
            )  # fmt: skip
            mark(axes, TOP, "initial height")

        desk.plot(
            "heights",
            draw,
            "With the same damping, only energy released during the rebound turns into height.",
            size=(7.4, 3.6),
        )
        shown = {"rebound": runs["backward-euler, rebound"], "no budget": runs["no budget"]}
        desk.strip(
            "motion",
            shown,
            [0.0, 0.3, 0.34, 0.38, 0.45, 0.7],
            "Fall, impact and rebound.",
            size=(170, 240),
            camera="front",
        )
        yield from _figures(runs)
        figure = centre(desk.run("figure", scene, settings=FIGURE))
        lowest = min(bounces(figure, float(figure[0]) - FALL)[:3])
        yield Figure(
            "lowest of three bounces of our character, which also spins", lowest, at_least(0.95), "of the drop"
        )


def _figures(runs: Mapping[str, Run]) -> Iterable[Figure]:
    found = {name: bounces(height(run, TOP), FLOOR) for name, run in runs.items()}
    yield Figure(
        "lowest of the first four bounces, backward Euler",
        min(found["backward-euler, rebound"][:4]),
        at_least(0.97),
        "of the drop",
        "1",
    )
    yield Figure(
        "lowest of the first four bounces, AVF", min(found["avf, rebound"][:4]), at_least(0.97), "of the drop", "1"
    )
    yield Figure(
        "first bounce with restore = 0.6, at five times the damping",
        found["restore = 0.6"][0],
        about(0.6, 0.03),
        "of the drop",
    )
    yield Figure(
        "largest residual of the ledger, relative to the energy", residual(runs["avf, rebound"]), at_most(1e-9)
    )
    yield Figure("first bounce without a budget", max(found["no budget"], default=0.0), at_most(0.3), "of the drop")
    yield Figure(
        "first bounce, energy returned along forces as printed",
        found["budget as printed"][0],
        None,
        "of the drop",
        "1",
    )
