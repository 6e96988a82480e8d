"""A stretched ball is released: with damping it comes to rest smoothly, without damping its energy moves to high frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from supple.analysis.motion_spectrum import MotionSpectrum, motion_spectrum
from supple.damping.structure_preserving import StructurePreserving
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.integrators.explicit.symplectic import Verlet
from supple.materials.mooney_rivlin import ModifiedNeoHookean
from supple.mesh.shapes.round import Ball
from supple.model.body import Body
from supple.model.initial import Initial
from supple.model.world import World
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SUBSTEPS, STEP = 5, 0.02
"""Verlet steps per frame, and frame interval [s]."""
WINDOW = 100
"""Frames per spectrum."""
HIGH = 8.0
"""Lower limit of high frequencies: twice the frequency of the first oscillation [Hz]."""


def ball(damping: StructurePreserving | None, resolution: int) -> World:
    """A soft ball of 1 m, stretched by 15 %."""
    body = Body(
        Ball(radius=0.5, resolution=resolution).mesh(),
        ModifiedNeoHookean(3e3, 1.5e4),
        name="ball",
        density=1000.0,
        initial=Initial(stretch=(1.15, 0.9325, 0.9325)),
    )
    return World([body], gravity=0.0, damping=[] if damping is None else [damping])


@PANELS("K2.1")
class ReleasedBall(Panel):
    title = "A stretched ball is released"
    claim = (
        "A damped ball returns to rest smoothly. Without damping, the energy of its oscillation moves "
        "to ever higher frequencies."
    )
    setup = "soft ball of 1 m stretched by 15 %, Verlet at 0.004 s; 1,280 tets, 16 s (full: 4,320 tets, 40 s)"
    command = "supple analyse spectrum gallery/panels/K2.1/runs/undamped"

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps, resolution = desk.size(800, 2000), desk.size(4, 6)
        runs = {
            name: desk.run(name, ball(damping, resolution), Verlet(SUBSTEPS), h=STEP, steps=steps)
            for name, damping in (("undamped", None), ("damped", StructurePreserving(0.006, "explicit")))
        }
        free, calm = runs["undamped"], runs["damped"]
        early, late = (_spectrum(free, part) for part in (slice(0, WINDOW), slice(-WINDOW, None)))

        spectra = {
            "undamped, first 2 s": early,
            "undamped, last 2 s": late,
            "damped, last 2 s": _spectrum(calm, slice(-WINDOW, None)),
        }
        what = (
            "Left: spectra of the motion; frequencies to the right of the dashed line count as high. Right: "
            "elastic energy."
        )
        desk.plot("spectrum", partial(_draw, spectra, runs), what, size=(9.4, 3.8), wide=True)
        times = [0.0, 0.3, 0.6, 0.9, STEP * (steps - 20), STEP * steps]
        what = "Early and late: the damped ball is round and at rest, the undamped one still wobbles."
        desk.strip("motion", runs, times, what, size=(200, 180))
        shares = [spectrum.above(HIGH) / spectrum.above(0.0) for spectrum in (early, late)]
        yield Figure("fraction of the motion at high frequencies, undamped, first 2 s", shares[0], at_most(0.2))
        yield Figure("the same in the last 2 s, relative to the first 2 s", shares[1] / shares[0], at_least(3.0))
        left = calm.history["total"][-1] / calm.history["total"][0]
        yield Figure("remaining energy, damped", float(left), at_most(0.01))
        drift = free.history["total"] / free.history["total"][0] - 1.0
        yield Figure("largest deviation from the initial energy, undamped", float(np.abs(drift).max()), at_most(0.02))


def _draw(spectra: Mapping[str, MotionSpectrum], runs: Mapping[str, Run], canvas: Canvas) -> None:
    left, right = canvas.subplots(1, 2, width_ratios=(1, 1))
    shown = {name: (s.frequencies[1:], s.power[1:]) for name, s in spectra.items()}
    curves(left, shown, "frequency [Hz]", "power of the motion [m²/s]", log="y", limits=(1e-12, 10.0), labels=False)
    left.axvline(HIGH, color="#888888", linewidth=0.9, linestyle=(0, (4, 3)))
    left.legend(fontsize=8.5, loc="upper right")
    histories = {name: run.history for name, run in runs.items()}
    energies = {name: (h["time"], h["elastic"] / h["elastic"][0]) for name, h in histories.items()}
    curves(right, energies, "time [s]", "elastic energy / initial value")


def _spectrum(run: Run, part: slice) -> MotionSpectrum:
    return motion_spectrum(run.velocities[part], STEP)
