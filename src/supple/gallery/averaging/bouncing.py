"""A bouncing character: contact springs that switch on and off between steps, against exactly averaged contact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.averaging.shared import draw_energies, drift, energy
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BARRIER = "obstacle=[{name='ground',shape='half-space',law='barrier',distance=0.05}]"
RAYLEIGH = "damping=[{name='rayleigh',stiffness=0.01}]"


@PANELS("R12")
class Bouncing(Panel):
    also = ("R13",)
    title = "A character bounces off the ground"
    claim = (
        "With contact springs that switch on and off, the energy of a bouncing character drifts up "
        "slowly. Rayleigh damping limits the drift."
    )
    setup = (
        "bouncing-figure scene: our character (440 tets), mass 1 kg, mu 35 Pa, lambda 20 Pa, 8 m tall, "
        "120 steps of 1/30 s"
    )
    command = "supple run bouncing-figure --set obstacle.0.law=barrier"
    expects = Verdict.CORRECTED
    because = (
        "The drift is caused by springs that switch on or off between steps. Our remedy is a barrier "
        "whose force is averaged exactly over the step. The same character then conserves energy to "
        "round-off without damping. We use k = 20 N/m; at the printed 200 N/m the energy of this "
        "character grows rapidly, not slowly."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = f"time.duration={desk.size(4, 10)}"
        scene = "bouncing-figure"
        runs = {
            "springs": desk.run("springs", scene, settings=[steps]),
            "springs, damped": desk.run("damped", scene, settings=[steps, RAYLEIGH]),
            "barrier": desk.run("barrier", scene, settings=[steps, BARRIER]),
        }
        stiff = desk.run("stiff", scene, settings=[steps, "obstacle.0.stiffness=20"])

        def draw(canvas: Canvas) -> None:
            draw_energies(canvas.subplots(), runs, 1.6)

        desk.plot("energies", draw, "Total energy relative to its initial value.")
        desk.strip(
            "motion", runs, np.linspace(0.0, 3.0, 7), "The three contact models.", size=(190, 240), camera="30,8"
        )
        yield Figure("final energy, springs", float(energy(runs["springs"])[-1]), at_least(1.05))
        yield Figure(
            "final energy, springs and Rayleigh damping", float(energy(runs["springs, damped"])[-1]), at_most(1.05)
        )
        yield Figure("energy drift, barrier", drift(runs["barrier"]), at_most(1e-11))
        yield Figure("final energy, springs of 200 N/m", float(energy(stiff)[-1]))
