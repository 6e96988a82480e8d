"""Obstacles defined by a formula alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from supple.contact.obstacles.implicit import ImplicitShape
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.mesh.topology import surface
from supple.runs.results import Run

HILLS = "y - 0.05 * sin(8 * x) * cos(6 * z)"
WAVE = "y - 0.06 * sin(8 * x - 6 * t)"


@PANELS("A-i")
class ImplicitObstacle(Panel):
    title = "Obstacles from a formula"
    claim = (
        "A collision object can be defined as an implicit function of position and time. Contact "
        "requires only its values and derivatives."
    )
    setup = "ball-on-hills (160 tets, AVF, barrier, 80 steps of 1/100 s) and ball-on-wave (projection, 200 steps of 1/200 s)"
    command = "supple run ball-on-hills"

    def study(self, desk: Desk) -> Iterable[Figure]:
        run = desk.run("hills", "ball-on-hills", settings=[f"body.0.mesh.resolution={desk.size(2, 4)}"])
        desk.strip(
            "motion",
            {"ball": run},
            np.linspace(0.0, run.times[-1], 5),
            "A soft ball on ground that is a single expression.",
        )
        wave = desk.run("wave", "ball-on-wave")
        moving = "The same ball on a travelling wave, whose expression contains the time."
        desk.strip("wave", {"ball": wave}, np.linspace(0.0, wave.times[-1], 5), moving)
        gaps, error = _gaps(run)
        history = run.history
        scale = float((history["kinetic"] + np.abs(history["elastic"]) + np.abs(history["gravity"])).max())
        drift = float(np.abs(history["residual"]).max()) / scale
        yield Figure("smallest gap of a surface vertex", gaps, at_least(0.0), unit="m")
        yield Figure("energy error relative to the energy in play", drift, at_most(1e-10))
        yield Figure("largest |grad d| - 1 of the distance, by finite differences", error, at_most(1e-6))
        yield Figure("deepest surface vertex below the travelling wave", _deepest(wave), at_most(1e-7), unit="m")


def _gaps(run: Run) -> tuple[float, float]:
    """Smallest gap of all frames, and largest deviation of the gradient from unit length."""
    shape = ImplicitShape(HILLS)
    outer = np.unique(surface(run.setup.assemble().mesh))
    frames = [x[outer].astype(np.float64) for x in run.positions]
    least = min(float(shape.distance(x).min()) for x in frames)
    x, e = frames[len(frames) // 2], 1e-6
    slopes = [(shape.distance(x + e * axis) - shape.distance(x - e * axis)) / (2 * e) for axis in np.eye(3)]
    return least, float(np.abs(np.linalg.norm(slopes, axis=0) - 1.0).max())


def _deepest(run: Run) -> float:
    """Largest depth of a surface vertex inside the wave over all frames [m]; frames have seven digits."""
    wave, outer = ImplicitShape(WAVE), np.unique(surface(run.setup.assemble().mesh))
    pairs = zip(run.times, run.positions, strict=True)
    return max(-float(wave.at(float(t)).distance(x[outer].astype(np.float64)).min()) for t, x in pairs)
