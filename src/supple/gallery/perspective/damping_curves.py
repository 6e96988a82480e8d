"""Numerical damping of an undamped oscillator against the step size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.analysis.damping import damping_curves
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.integrators import INTEGRATORS
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

METHODS = ("backward-euler", "bdf2", "sdirk", "tr-bdf2")
POINTS = 61


@PANELS("A3")
class DampingCurves(Panel):
    title = "Damping of BDF2, SDIRK and TR-BDF2"
    claim = (
        "Second-order methods damp little where the step resolves the motion: TR-BDF2 and SDIRK hardly "
        "at all, BDF2 more. All of them damp much less than backward Euler."
    )
    setup = "one oscillator; amplification matrix of each method's own step, 61 values of h omega from 0.1 to 100"
    command = "supple analyse damping-curves --integrators backward-euler,bdf2,sdirk,tr-bdf2"

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = np.geomspace(0.1, 100.0, POINTS)
        found = desk.kept("damping", lambda: _measured(steps))
        d = {name: np.array(values) for name, values in found.items()}

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            curves(axes, {name: (steps, d[name]) for name in METHODS}, "h omega [-]", "damping d / omega [-]", log="x")
            axes.set_ylim(0.0, 0.9)

        desk.plot("curves", draw, "Numerical damping of each method. The exact solution is undamped.")
        at_one = int(np.argmin(np.abs(steps - 1.0)))
        missed = max(float(np.abs(d[name] / exact(name, steps) - 1.0).max()) for name in METHODS)
        yield Figure("largest relative difference from the closed forms", missed, at_most(1e-6))
        yield Figure("TR-BDF2 at h omega = 1", d["tr-bdf2"][at_one], about(0.0059, 2e-5), printed="near 0")
        yield Figure(
            "BDF2 relative to TR-BDF2 at h omega = 1", d["bdf2"][at_one] / d["tr-bdf2"][at_one], at_least(20.0)
        )
        yield Figure(
            "SDIRK relative to TR-BDF2, minimum over all steps", float((d["sdirk"] / d["tr-bdf2"]).min()), at_least(1.0)
        )
        yield Figure(
            "backward Euler relative to BDF2 at h omega = 1",
            d["backward-euler"][at_one] / d["bdf2"][at_one],
            at_least(5.0),
        )


def _measured(steps: Array) -> dict[str, list[float]]:
    """d/omega of each method, from the amplification matrices of its own steps."""
    found: dict[str, list[float]] = {name: [] for name in METHODS}
    for point in damping_curves({name: INTEGRATORS.find(name)() for name in METHODS}, steps.tolist()):
        found[point.integrator].append(point.damping_over_omega)
    return found


def exact(name: str, steps: Array) -> Array:
    """-2 ln |R(i h omega)| / (h omega) for the stability function R."""
    z = 1j * steps
    if name == "backward-euler":
        R = 1 / (1 - z)
    elif name == "bdf2":
        root = np.sqrt(1 + 2 * z)
        R = np.maximum(np.abs((2 + root) / (3 - 2 * z)), np.abs((2 - root) / (3 - 2 * z)))
    elif name == "tr-bdf2":
        half = (1 + z / 4) / (1 - z / 4)
        R = (4 * half - 1) / (3 * (1 - z / 3))
    else:
        t, w = 1 - np.sqrt(0.5), (1 + np.sqrt(2)) / 2
        first = (1 + t * z) / (1 - t * z)
        R = (1 + w * (first - 1)) / (1 - t * z)
    return np.asarray(-2 * np.log(np.abs(R)) / steps)
