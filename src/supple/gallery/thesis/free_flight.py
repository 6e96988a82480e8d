"""A bar in free flight whose motion decays to a rigid rotation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


@PANELS("K2.4")
class FreeFlight(Panel):
    title = "A damped bar in free flight"
    claim = (
        "Damping that conserves both momenta removes all vibration from a bar in flight and leaves a rigid rotation."
    )
    setup = "flying-bar scene (160 tets), Verlet with structure-preserving damping, 8 s"
    command = "supple run flying-bar"

    def study(self, desk: Desk) -> Iterable[Figure]:
        run = desk.run("bar", "flying-bar", settings=["time.duration=8.0", "damping.0.tau=0.05"])
        history = run.history
        spins = np.column_stack([history[axis] for axis in ("lx", "ly", "lz")])
        share = history["elastic"] / history["elastic"][0]

        def draw(canvas: Canvas) -> None:
            given = {what: (history["time"], history[what]) for what in ("kinetic", "elastic", "total")}
            curves(canvas.subplots(), given, "time [s]", "energy [J]")

        desk.plot(
            "energies",
            draw,
            ("Elastic energy decays to that of the centrifugal stretch. Translation and rotation persist."),
        )
        desk.strip(
            "motion", {"bar": run}, np.linspace(0.0, run.times[-1], 5), "A stretched, spinning bar becomes rigid."
        )
        yield Figure("drift of the angular momentum", _drift(spins), at_most(1e-11))
        yield Figure(
            "residual vibration relative to the initial elastic energy", float(np.ptp(share[-250:])), at_most(0.02)
        )
        yield Figure("kinetic energy retained", float(history["kinetic"][-1] / history["kinetic"][0]), at_least(0.9))


def _drift(vectors: Array) -> float:
    """Largest change relative to the initial magnitude."""
    return float(np.linalg.norm(vectors - vectors[0], axis=1).max() / np.linalg.norm(vectors[0]))
