"""A tree after a gust, and a jelly brick on a shaken plate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def place(run: Run, group: str, axis: int) -> Array:
    """Mean coordinate of a group relative to its start, frame by frame [m]."""
    members = run.setup.assemble().mesh.group(group)
    found = np.asarray(run.positions[:, members, axis], dtype=float).mean(axis=1)
    return np.asarray(found - found[0])


def swing(way: Array, times: Array, begin: float, end: float) -> float:
    """Range of a motion within a time span."""
    part = way[(times >= begin - 1e-9) & (times <= end + 1e-9)]
    return float(np.ptp(part))


@PANELS("A1")
class Tree(Panel):
    title = "A swaying tree"
    claim = (
        "SIERE, a semi-implicit method with an exponential part for the slow modes, lets a tree sway "
        "with one linear solve per step."
    )
    setup = (
        "swaying-tree scene: our tree (1,998 vertices; full: 8,235), Young's modulus 1.5e8 Pa, 20 "
        "modes, 90 steps of 1/30 s"
    )
    command = "supple run swaying-tree"

    def study(self, desk: Desk) -> Iterable[Figure]:
        mesh = desk.size("body.0.mesh.size=small", "body.0.mesh.size=medium")
        runs = {
            name: desk.run(name, "swaying-tree", settings=[mesh, f"integrator={chosen}"])
            for name, chosen in (
                ("avf", "{name='avf'}"), ("siere", "{name='siere',modes=20}"), ("backward-euler", "{name='backward-euler'}")
            )
        }  # fmt: skip
        ways = {name: (run.times, place(run, "tips", 0)) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            curves(canvas.subplots(), ways, "time [s]", "sway of the tips [m]")

        desk.plot("sway", draw, "Mean displacement of the tips along the gust.")
        shown = {name: runs[name] for name in ("siere", "backward-euler")}
        desk.strip("motion", shown, np.linspace(0.0, 1.2, 5), "A gust from the left.", size=(220, 240), camera="0,8")
        kept = {name: swing(way, t, 1.5, 3.0) / swing(way, t, 0.0, 1.5) for name, (t, way) in ways.items()}
        yield Figure("sway retained in the second half, SIERE", kept["siere"], at_least(0.5))
        yield Figure("SIERE relative to backward Euler", kept["siere"] / kept["backward-euler"], at_least(1.2))
        yield Figure("sway retained in the second half, AVF", kept["avf"])
        yield Figure(
            "maximum Newton iterations per step, SIERE", _most(runs["siere"], "newton_iterations"), at_most(1.0)
        )
        yield Figure(
            "maximum Newton iterations per step, backward Euler", _most(runs["backward-euler"], "newton_iterations")
        )


def _most(run: Run, column: str) -> float:
    return float(np.asarray(run.history[column], dtype=float)[1:].max())


@PANELS("A1.2")
class Brick(Panel):
    title = "A jelly brick"
    claim = "A jelly brick with a shaken base leans and oscillates, and keeps moving after the base stops."
    setup = "jelly-brick scene (1,000 tets), Young's modulus 6e3 Pa, base shaken by 2 cm for 0.5 s, 120 steps of 1/60 s"
    command = "supple run jelly-brick"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {
            name: desk.run(name, "jelly-brick", settings=[f"integrator={chosen}"])
            for name, chosen in (("siere", "{name='siere',modes=10}"), ("backward-euler", "{name='backward-euler'}"))
        }
        ways = {name: (run.times, place(run, "top", 0)) for name, run in runs.items()}
        foot = place(runs["siere"], "bottom", 0)

        def draw(canvas: Canvas) -> None:
            curves(
                canvas.subplots(), {**ways, "foot": (runs["siere"].times, foot)}, "time [s]", "displacement along x [m]"
            )

        desk.plot("ringing", draw, "Displacement of the top of the brick and of its base.")
        desk.film("motion", runs, "Both bricks on the same plate.", size=(640, 300), camera="30,12", slow=2.0)
        late = {name: swing(way, t, 1.5, 2.0) / swing(way, t, 0.0, 0.5) for name, (t, way) in ways.items()}
        yield Figure(
            "residual oscillation after 1.5 s relative to the excitation, SIERE", late["siere"], at_least(0.25)
        )
        yield Figure(
            "residual oscillation after 1.5 s relative to the excitation, backward Euler",
            late["backward-euler"],
            at_most(late["siere"]),
        )
