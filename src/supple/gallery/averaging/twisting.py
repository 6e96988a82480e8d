"""A twisted bar that untwists and swings back: numerical damping of Bathe's method."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.averaging.shared import draw_energies, drift, energy
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_most

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


@PANELS("R10")
class Bathe(Panel):
    also = ("R11",)
    title = "Twisting bar: numerical damping of Bathe's method"
    claim = "Bathe's composite method is stable on a twisting bar but damps it visibly. AVF conserves its energy."
    setup = "twisting-bar scene (40 tets; full: 3,440 tets), mass 1 kg, mu 1000 Pa, lambda 500 Pa, 100 steps of 1/30 s"
    command = "supple compare twisting-bar --integrators avf,bathe"

    def study(self, desk: Desk) -> Iterable[Figure]:
        mesh = desk.size("body.0.mesh.cells=[8,1,1]", "body.0.mesh.cells=[43,4,4]")
        runs = {
            name: desk.run(
                name, "twisting-bar", settings=[f"integrator={{name='{name}'}}", mesh, f"time.duration={100 / 30}"]
            )
            for name in ("avf", "bathe")
        }

        def draw(canvas: Canvas) -> None:
            draw_energies(canvas.subplots(), runs, 1.3)

        desk.plot("energies", draw, "With AVF the bar retains all of its energy; with Bathe's method, a third of it.")
        desk.strip("motion", runs, np.linspace(0.0, 100 / 30, 6), "The amplitude of the twist decays with Bathe's method.",
                   size=(240, 150))  # fmt: skip
        left = float(energy(runs["bathe"])[-1])
        yield Figure("energy drift, AVF", drift(runs["avf"]), at_most(1e-11))
        if desk.full:
            yield Figure("remaining energy after 100 steps, Bathe", left, at_most(0.7))
        else:
            yield Figure("remaining energy after 100 steps, Bathe", left, about(0.34, 0.02))
