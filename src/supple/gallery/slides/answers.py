"""Three collision responses: a force, an impulse, and a position correction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SCENE = "four-solvers-corotated"
H = 1 / 120
SETTINGS = (
    "integrator.name=avf", "time.duration=0.6", "body.0.material.name=stable-neo-hookean",
    "body.0.initial.translate=[0.0, 0.2, 0.0]",
)  # fmt: skip
OBSTACLE = "obstacle=[{{ shape = 'half-space', law = '{}' }}]"
LAWS = {"force": "barrier", "velocity": "velocity", "position": "projection"}
CAPTION = (
    "The force returns the energy that it stores. Impulses act one step late, so the body remains "
    "below the floor during contact."
)


@PANELS("L3")
class ThreeAnswers(Panel):
    title = "Collision response by force, velocity and position"
    claim = (
        "A collision can be handled by a force, a velocity change, or a position change. All three stop "
        "a body at the floor. The velocity change acts up to one step late."
    )
    setup = (
        "jelly cube of 0.3 m (135 tets) dropped by 0.2 m, AVF, steps of 1/120 s; contact laws barrier, "
        "velocity and projection"
    )
    command = "supple run four-solvers-corotated --set obstacle.0.law=projection"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {name: desk.run(name, SCENE, settings=[*SETTINGS, OBSTACLE.format(law)]) for name, law in LAWS.items()}
        lowest = {name: run.positions[:, :, 1].min(axis=1) for name, run in runs.items()}
        lost = {name: _lost(run) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            heights = {name: (run.times, run.positions[:, :, 1].mean(axis=1)) for name, run in runs.items()}
            curves(left, heights, "time [s]", "height of the centre [m]")
            depths = {name: (runs[name].times, 1e3 * values) for name, values in lowest.items()}
            curves(right, depths, "time [s]", "lowest vertex [mm]", limits=(-30.0, 30.0))

        desk.plot(
            "heights",
            draw,
            CAPTION,
            size=(8.8, 3.4),
            wide=True,
        )
        desk.strip("motion", runs, [0.0, 0.2, 0.28, 0.4, 0.6], "One drop, three responses.", size=(240, 170))
        depth = {name: -1e3 * float(values.min()) for name, values in lowest.items()}
        yield Figure("force: depth below the floor", max(depth["force"], 0.0), at_most(0.0), "mm")
        yield Figure("position: depth below the floor after a step", max(depth["position"], 0.0), at_most(1e-6), "mm")
        fall = float(np.sqrt(2 * 9.81 * 0.2))
        yield Figure(
            "velocity: depth relative to one step at impact speed",
            1e-3 * depth["velocity"] / (fall * H),
            at_most(1.0),
        )
        yield Figure("force: energy lost, relative to that of the fall", lost["force"], at_most(1e-8))
        for name in ("velocity", "position"):
            yield Figure(
                f"{name}: energy gained or lost, relative to that of the fall", abs(lost[name]), at_least(0.02)
            )


def _lost(run: Run) -> float:
    history = run.history
    fall = history["gravity"][0] - history["gravity"].min()
    return float((history["total"][0] - history["total"][-1]) / fall)
