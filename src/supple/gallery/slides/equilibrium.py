"""A sagging bar: direct computation of its equilibrium, and motion that settles there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_most
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

QUASI, SCENE, YOUNG = "quasi-static", "cantilever", 2e7
BAR = (
    "body.0.mesh.cells=[16, 2, 2]", "body.0.mesh.size=[0.8, 0.1, 0.1]", "body.0.density=1000.0", "time.step=1/120",
    "time.duration=2", f"body.0.material.young={YOUNG}",
)  # fmt: skip
CAPTION = (
    "A bar held at both ends, one of which moves towards the other: successive equilibria, and "
    "motion that overshoots them."
)
DAMPING = "damping=[{ name = 'rayleigh', mass = 6.0, stiffness = 0.0002 }]"


@PANELS("L6")
class QuasiStaticAgainstDynamic(Panel):
    title = "Quasi-static against dynamic"
    claim = (
        "Quasi-static steps yield the equilibrium shape directly. Dynamics oscillates about it, up to "
        "twice the sag without losses, and settles there with damping."
    )
    setup = "clamped bar of 0.8 x 0.1 x 0.1 m (320 tets), E = 2e7 Pa, 2 s at 1/120 s: quasi-static, AVF, damped; sagging-bar"
    command = "supple run sagging-bar"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {
            QUASI: desk.run("still", SCENE, settings=[*BAR, "integrator.name=quasi-static"], steps=3),
            "dynamic": desk.run("swinging", SCENE, settings=BAR),
            "dynamic, damped": desk.run("damped", SCENE, settings=[*BAR, DAMPING]),
        }
        sags = {name: _sag(run) for name, run in runs.items()}
        rest = float(sags[QUASI][-1])

        def draw(canvas: Canvas) -> None:
            t = runs["dynamic"].times
            given = {name: (t, -1e3 * sag) for name, sag in sags.items() if name != QUASI}
            curves(canvas.subplots(), {**given, QUASI: (t, np.full(len(t), -1e3 * rest))}, "time [s]", "tip [mm]")

        desk.plot("tip", draw, "A clamped bar: its tip oscillates about the quasi-static equilibrium.")
        shown = {
            QUASI: desk.run("sagging-still", "sagging-bar"),
            "dynamic": desk.run("sagging", "sagging-bar", settings=["integrator.name=avf", "time.step=1/100"]),
        }
        desk.strip("bar", shown, [0.0, 0.1, 0.25, 0.5, 1.0], CAPTION, camera="front", size=(240, 190))
        half = len(sags["dynamic"]) // 2
        yield Figure(
            "largest undamped sag relative to the static sag",
            float(sags["dynamic"].max()) / rest,
            about(2.0, 0.1),
        )
        yield Figure(
            "mean undamped sag relative to the static sag",
            float(sags["dynamic"][half:].mean()) / rest,
            about(1.0, 0.1),
        )
        settled = abs(float(sags["dynamic, damped"][-1]) / rest - 1.0)
        yield Figure("damped motion: final distance from equilibrium, relative to the sag", settled, at_most(0.01))
        yield Figure(
            "beam theory: static sag relative to q l^4/(8 E I)",
            rest / (1e3 * 9.81 * 0.8**4 / (8 * YOUNG * 0.1**2 / 12)),
        )


def _sag(run: Run) -> Array:
    """Downward displacement of the free end at every frame [m]."""
    tip = run.setup.assemble().mesh.group("bar.right")
    heights = run.positions[:, tip, 1].astype(float).mean(axis=1)
    return np.asarray(heights[0] - heights)
