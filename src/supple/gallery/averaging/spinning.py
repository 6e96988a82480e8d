"""A character spinning about one fixed vertex: angular momentum with midpoint, with AVF, and in a reference run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.averaging.shared import energy, energy_curves
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most, within
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

SCENE = "spinning-figure"


def momentum(run: Run) -> Array:
    """Magnitude of the angular momentum about the fixed vertex, relative to its initial value, row by row."""
    history = run.history
    setup = run.setup.assemble()
    hub = setup.state.x[setup.mesh.group("hub")[0]]
    about_origin, linear = (
        np.column_stack([np.asarray(history[f"{kind}{axis}"], dtype=float) for axis in "xyz"]) for kind in "lp"
    )
    length = np.linalg.norm(about_origin - np.cross(hub, linear), axis=1)
    return np.asarray(length / length[0])


@PANELS("R7")
class Spinning(Panel):
    also = ("R8",)
    title = "A character spins about one fixed vertex"
    claim = (
        "Midpoint conserves angular momentum until it blows up. With AVF it oscillates near its initial "
        "value and remains bounded."
    )
    setup = (
        "spinning-figure scene: our character (440 tets; full: 3,148), mass 1 kg, mu 400 Pa, lambda 10 "
        "Pa, 240 steps of 1/30 s; reference: symplectic Euler at 1/30000 s"
    )
    command = "supple compare spinning-figure --integrators avf,midpoint"

    def study(self, desk: Desk) -> Iterable[Figure]:
        mesh = f"body.0.mesh.size={desk.size('small', 'medium')}"
        runs = {
            name: desk.run(name, SCENE, settings=[f"integrator={{name='{name}'}}", mesh, "time.duration=8"])
            for name in ("avf", "midpoint")
        }
        gold = desk.run("gold", SCENE, settings=[
            "integrator={name='symplectic-euler'}", mesh, "time.step=1/30000", f"time.duration={desk.size(0.2, 4)}",
            "record.fps=30",
        ])  # fmt: skip
        spins = {name: momentum(run) for name, run in runs.items()}
        fine = momentum(gold)

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            given = {name: (np.asarray(run.history["time"]), spins[name]) for name, run in runs.items()}
            every = slice(None, None, 200)
            curves(left, {**given, "symplectic-euler": (np.asarray(gold.history["time"])[every], fine[every])}, "time [s]",
                   "relative angular momentum", limits=(0.9, 1.05))  # fmt: skip
            curves(right, energy_curves(runs), "time [s]", "relative energy", log="y", limits=(0.5, 1e4))
            mark(right, 1.0, "")

        desk.plot(
            "momentum",
            draw,
            "Angular momentum about the fixed vertex, and energy, with both methods.",
            size=(9.6, 3.3),
            wide=True,
        )
        desk.strip(
            "motion",
            {**runs, "gold": gold},
            (0.0, 0.067, 0.133, 0.2),
            "The first revolutions.",
            size=(200, 200),
            camera="20,20",
        )
        yield Figure(
            "change in angular momentum, midpoint", float(np.abs(spins["midpoint"] - 1.0).max()), at_most(1e-8)
        )
        yield Figure("peak energy, midpoint", float(energy(runs["midpoint"]).max()), at_least(100.0))
        yield Figure("lowest angular momentum, AVF", float(spins["avf"].min()), at_least(0.9))
        yield Figure("highest angular momentum, AVF", float(spins["avf"].max()), at_most(1.1))
        yield Figure("change in angular momentum, reference", float(np.abs(fine - 1.0).max()), at_most(1e-9))
        yield Figure("energy drift, AVF", float(np.abs(energy(runs["avf"]) - 1.0).max()), at_most(1e-11))


@PANELS("R-c6")
class LongSpin(Panel):
    title = "Angular momentum over 10,000 frames"
    claim = "Over long times the angular momentum of AVF oscillates about a fixed value and does not drift."
    setup = "spinning-figure scene, AVF, 1,500 frames (full: 10,000), one step of 1/30 s per frame"
    command = "supple run spinning-figure --steps 10000"
    expects = Verdict.CORRECTED
    because = (
        "It remains bounded but drifts. Over 10,000 frames it oscillates about 0.974 times its initial "
        "value for some 6,000 frames and then falls to 0.89. AVF does not conserve angular momentum by "
        "construction."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        frames = desk.size(1500, 10_000)
        run = desk.run(
            "long", SCENE, settings=[f"time.duration={frames / 30}", "integrator={name='avf'}", "record.fps=1"]
        )
        spin = momentum(run)
        mean, trend = _trend(spin)

        def draw(canvas: Canvas) -> None:
            axes: Axes = canvas.subplots()
            axes.plot(np.arange(len(spin)), spin, color="#0072b2", linewidth=0.5)
            axes.plot(*mean, "o-", color="#d55e00", markersize=4)
            axes.annotate("means over tenths of the run", (mean[0][-1], mean[1][-1]), xytext=(0, 26), textcoords="offset points",
                          color="#d55e00", fontsize=9, ha="right")  # fmt: skip
            axes.set(xlabel="frame", ylabel="relative angular momentum")

        desk.plot(
            "long",
            draw,
            ("Angular momentum drops within the first revolution as the body stretches, and then oscillates."),
        )
        yield Figure("lowest", float(spin.min()), within(0.8, 1.0))
        yield Figure("highest", float(spin.max()), within(0.95, 1.2))
        yield Figure(
            "change over the run, least-squares fit through the means of ten intervals", trend, within(-0.15, 0.15)
        )
        yield Figure("energy drift", float(np.abs(energy(run) - 1.0).max()), at_most(1e-9))


def _trend(spin: Array) -> tuple[tuple[Array, Array], float]:
    """Means over ten equal intervals, their positions, and the change over the whole run along the fitted line."""
    parts = np.array_split(spin[1:], 10)
    middles = (np.arange(10) + 0.5) * len(spin) / 10
    means = np.array([part.mean() for part in parts])
    return (middles, means), float(np.polyfit(middles / len(spin), means, 1)[0])
