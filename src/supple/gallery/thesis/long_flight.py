"""A free bar that flies and spins for millions of steps, undamped and damped, and damping at two step sizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

STEP = 0.004
"""[s]"""
RECORDED = 400
"""Recorded states of a long flight."""


class _LongFlight(Panel):
    """Verlet steps of the flying-bar scene, with many steps per recorded state."""

    damped: ClassVar[bool]
    threads = 1

    def flight(self, desk: Desk) -> Run:
        substeps = desk.size(125, 5000)
        h = substeps * STEP
        settings = [f"integrator.substeps={substeps}", f"time.step={h:g}", f"time.duration={RECORDED * h:g}"]
        return desk.run("bar", "flying-bar", settings=settings if self.damped else [*settings, "damping=[]"])

    def draw(
        self, desk: Desk, run: Run, what: str, limits: tuple[float, float] | None = None
    ) -> tuple[Array, Array, Array]:
        """E/E0 and the relative changes in both momenta, plotted over the steps; `limits`: of E/E0 - 1."""
        history = run.history
        energy = history["total"] / history["total"][0]
        linear, angular = (_change(np.column_stack([history[k + axis] for axis in "xyz"])) for k in ("p", "l"))
        taken = history["time"] / STEP

        def draw(canvas: Canvas) -> None:
            upper, lower = canvas.subplots(2, 1, sharex=True)
            curves(
                upper,
                {"energy": (taken[1:], energy[1:] - 1.0)},
                "",
                "energy / initial energy - 1",
                limits=limits,
                labels=False,
            )
            given = {"angular momentum": angular, "linear momentum": linear}
            shown = {name: (taken[1:], np.maximum(values[1:], 1e-17)) for name, values in given.items()}
            curves(lower, shown, "step", "relative change", log="y", limits=(1e-17, 1e-6))

        desk.plot("flight", draw, what, size=(7.4, 4.6))
        return energy, linear, angular


@PANELS("K3.3")
class UndampedFlight(_LongFlight):
    title = "Two million steps without damping"
    claim = (
        "Over millions of steps, a variational integrator conserves both momenta of a free bar exactly, "
        "and its energy remains bounded."
    )
    setup = "flying-bar scene (160 tets) without damping, Verlet at 0.004 s; 50,000 steps (full: 2 million)"
    command = "supple run flying-bar --set 'damping=[]' --set integrator.substeps=100 --set time.step=0.4 --set time.duration=400"
    damped = False

    def study(self, desk: Desk) -> Iterable[Figure]:
        what = "Energy remains in a narrow band; momenta are conserved to round-off."
        energy, linear, angular = self.draw(desk, self.flight(desk), what, limits=(-1e-4, 1e-4))
        tenth = len(energy) // 10
        yield Figure("steps", RECORDED * desk.size(125, 5000), printed="2 million")
        yield Figure("largest change in linear momentum", float(linear.max()), at_most(1e-11))
        yield Figure("largest change in angular momentum", float(angular.max()), at_most(1e-9))
        yield Figure("largest deviation from the initial energy", float(np.abs(energy - 1.0).max()), at_most(1e-4))
        moved = float(energy[-tenth:].mean() - energy[1 : 1 + tenth].mean())
        yield Figure("energy drift from the first to the last tenth", abs(moved), at_most(4e-5))


@PANELS("K3.4")
class DampedFlight(_LongFlight):
    title = "Two million damped steps"
    claim = (
        "With structure-preserving damping, the vibration of a free bar decays, and both momenta are "
        "conserved to round-off."
    )
    setup = "flying-bar scene (160 tets), tau = 0.002 s, Verlet at 0.004 s; 50,000 steps (full: 2 million)"
    command = "supple run flying-bar --set integrator.substeps=100 --set time.step=0.4 --set time.duration=400"
    damped = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        run = self.flight(desk)
        energy, linear, angular = self.draw(desk, run, "Damping removes only the vibration; the rotation continues.")
        elastic = run.history["elastic"] / run.history["elastic"][0]
        tenth = len(energy) // 10
        yield Figure("steps", RECORDED * desk.size(125, 5000), printed="2 million")
        yield Figure("largest change in linear momentum", float(linear.max()), at_most(1e-11))
        yield Figure("largest change in angular momentum", float(angular.max()), at_most(1e-9))
        yield Figure("energy retained", float(energy[-1]), at_least(0.95))
        left = float(np.ptp(elastic[-tenth:]))
        yield Figure("residual vibration relative to the initial elastic energy", left, at_most(desk.size(0.05, 1e-3)))


@PANELS("K3.5")
class TwoSteps(Panel):
    title = "Damping at two step sizes"
    claim = (
        "Structure-preserving damping dissipates the same energy at any step size. With damped Newmark, "
        "dissipation depends on the step size."
    )
    setup = "flying-bar scene (160 tets), steps of 0.004 and 0.002 s, 2 s (full: 80 s); Newmark with gamma = 0.6"
    command = "supple compare flying-bar --integrators verlet,newmark:beta=0.3025,gamma=0.6"

    def study(self, desk: Desk) -> Iterable[Figure]:
        duration = f"time.duration={desk.size(2.0, 80.0):g}"
        newmark = ['integrator={name="newmark",beta=0.3025,gamma=0.6}', "damping=[]"]
        runs = {}
        for label, own in (("ours", []), ("newmark", newmark)):
            for part in (1, 2):
                h = STEP / part
                settings = [*own, f"time.step={h:g}", duration]
                runs[f"{label}, {h:g} s"] = desk.run(f"{label}-{part}", "flying-bar", settings=settings).history

        def draw(canvas: Canvas) -> None:
            given = {label: (h["time"], h["total"] / h["total"][0]) for label, h in runs.items()}
            curves(canvas.subplots(), given, "time [s]", "energy / initial energy")

        desk.plot(
            "energy",
            draw,
            ("Structure-preserving damping: one curve for both step sizes. Newmark: half the loss at half the step."),
            size=(7.4, 3.8),
        )
        lost = {label: float(1.0 - h["total"][-1] / h["total"][0]) for label, h in runs.items()}
        for label in ("ours", "newmark"):
            yield Figure(f"energy lost at {STEP:g} s, {label}", lost[f"{label}, {STEP:g} s"])
        ours = lost[f"ours, {STEP / 2:g} s"] / lost[f"ours, {STEP:g} s"]
        theirs = lost[f"newmark, {STEP / 2:g} s"] / lost[f"newmark, {STEP:g} s"]
        yield Figure(
            "loss at half the step relative to the full step, ours", ours, about(1.0, 0.02), printed="the same"
        )
        yield Figure(
            "loss at half the step relative to the full step, Newmark", theirs, at_most(0.75), printed="differs"
        )


def _change(vectors: Array) -> Array:
    """Distance from the initial value, relative to its magnitude."""
    return np.linalg.norm(vectors - vectors[0], axis=1) / np.linalg.norm(vectors[0])
