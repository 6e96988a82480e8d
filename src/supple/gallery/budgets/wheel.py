"""A wheel with self-contact that hits the ground."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from supple.gallery.budgets.shared import bounces, centre, folded, residual, spin, tops
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

GRAVITY = 9.81
FLOOR = 0.2
"""Height of the centre at first contact with the ground [m]."""


@PANELS("S15")
class Wheel(Panel):
    title = "A folding wheel regains its height"
    claim = (
        "With an energy budget, a damped wheel that falls on its rim and folds into self-contact regains its height."
    )
    setup = "rebounding-wheel scene: 252 tets, drop of 0.4 m, Rayleigh stiffness 0.01 s, backward Euler at 1/100 s"
    command = "supple run rebounding-wheel"
    expects = Verdict.CORRECTED
    because = (
        "Energy is released while the ground pushes (S2), not in each step. From the third bounce on, "
        "part of the energy is in the spin, which a rebound does not change. With AVF, part of it "
        "remains in vibration."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        size = desk.size([], ["body.0.mesh.around=24", "body.0.mesh.across=2"])
        settings = ["time.duration=3.2", *size]
        runs = {
            "rebound": desk.run("rebound", "rebounding-wheel", settings=settings),
            "avf, rebound": desk.run("avf", "rebounding-wheel", settings=[*settings, "integrator.name=avf"]),
            "no budget": desk.run("plain", "rebounding-wheel", settings=[*settings, "integrator.budget=false"]),
        }
        paths = {name: centre(run) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            given = {name: (run.times, paths[name]) for name, run in runs.items()}
            curves(axes, given, "time [s]", "height of the centre [m]", limits=(0.0, 0.68))
            mark(axes, float(paths["rebound"][0]), "initial height")

        desk.plot("heights", draw, "Height of the centre of the wheel.")
        times = [0.0, 0.28, 0.34, 0.4, 0.46, 0.74]
        shown = {name: runs[name] for name in ("rebound", "no budget")}
        desk.strip(
            "motion", shown, times, "The hole closes, and its sides come into contact.", size=(190, 230), camera="20,10"
        )
        yield Figure(
            "first bounce with the budget", bounces(paths["rebound"], FLOOR)[0], at_least(0.97), "of the drop", "1"
        )
        found = _with_spin(runs["rebound"])
        yield Figure("lowest of four bounces", min(bounces(paths["rebound"], FLOOR)[:4]), None, "of the drop", "1")
        yield Figure(
            "lowest of four bounces, including the energy of the spin", min(found), at_least(0.97), "of the drop"
        )
        yield Figure("lowest bounce with AVF", min(bounces(paths["avf, rebound"], FLOOR)[:3]), None, "of the drop")
        yield Figure(
            "first bounce without a budget",
            max(bounces(paths["no budget"], FLOOR), default=0.0),
            at_most(0.6),
            "of the drop",
        )
        yield Figure("frames with self-contact", folded(runs["rebound"]), at_least(3))
        yield Figure("largest residual of the ledger, relative to the energy", residual(runs["rebound"]), at_most(1e-9))


def _with_spin(run: Run) -> list[float]:
    """Heights of the first four bounces as energies, including rotation, relative to the energy of the drop."""
    path, system = centre(run), run.setup.assemble().system
    drop = GRAVITY * float(system.mass[system.free].sum()) * float(path[0] - FLOOR)
    heights = bounces(path, FLOOR)
    return [high + spin(run, frame) / drop for high, frame in zip(heights, tops(path), strict=True)][:4]
