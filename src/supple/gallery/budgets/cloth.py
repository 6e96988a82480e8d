"""A cloth fixed at two corners: height of its swing, and mesh-scale vibration at a very small step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.budgets.shared import column, mesh_scale
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most
from supple.runs.results import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SCENE = "swinging-cloth"


@PANELS("S11")
class SwingingCloth(Panel):
    title = "A cloth swings back to its initial height"
    claim = "With an energy budget, a cloth fixed at two corners swings back to its release height."
    setup = "swinging-cloth scene (392 triangles), backward Euler at 1/30 s"
    command = (
        "supple run swinging-cloth --set integrator.name=backward-euler --set 'integrator.budget={along=\"motion\"}'"
    )
    expects = Verdict.CORRECTED
    because = (
        "Energy returned along forces, as printed, turns into wrinkles. Energy returned along the "
        "motion turns into swing."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        cells = desk.size(14, 52)
        shared = ["integrator.name=backward-euler", f"body.0.mesh.cells=[{cells}, {cells}]"]
        runs = {
            "along the motion": desk.run("motion", SCENE, settings=[*shared, "integrator.budget={along='motion'}"]),
            "along forces": desk.run("forces", SCENE, settings=[*shared, "integrator.budget={}"]),
            "no budget": desk.run("plain", SCENE, settings=shared),
        }

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            given = {
                name: (column(r, "time"), column(r, "gravity") / column(r, "gravity")[0]) for name, r in runs.items()
            }
            curves(axes, given, "time [s]", "height of the centre / initial height")
            mark(axes, 1.0, "")

        desk.plot("heights", draw, "The first swing.")
        desk.strip("motion", runs, [0.0, 0.3, 0.6, 0.8, 0.97], "Down and back up.", size=(210, 210))
        yield Figure(
            "height regained, along the motion", _regained(runs["along the motion"]), at_least(0.9), "of the fall", "1"
        )
        yield Figure(
            "height regained, along forces as printed", _regained(runs["along forces"]), None, "of the fall", "1"
        )
        yield Figure("height regained without a budget", _regained(runs["no budget"]), at_most(0.6), "of the fall")


def _regained(run: Run) -> float:
    """Rise above the lowest point, relative to the fall."""
    g = column(run, "gravity")
    low = int(g.argmin())
    return float((g[low:].max() - g[low]) / (g[0] - g[low]))


@PANELS("S12")
class RattlingCloth(Panel):
    also = ("S-c7",)
    title = "Mesh-scale vibration of a cloth at a very small step"
    claim = (
        "At a hundredth of the step, the undamped cloth vibrates at mesh scale. Slight damping prevents "
        "this. On a given mesh, damping can be small but not zero."
    )
    setup = "cloth of 200 triangles, Verlet at 1/3000 s, 1.6 s; dashpots of 0, 1e-4 and 1e-3 s times the edge stiffness"
    command = "supple run swinging-cloth --set integrator.name=verlet --set time.step=1/3000"

    def study(self, desk: Desk) -> Iterable[Figure]:
        cells = desk.size(10, 52)
        shared = ["time.step=1/3000", f"time.duration={desk.size(1.6, 4.0)}", f"body.0.mesh.cells=[{cells}, {cells}]"]
        shared += ["integrator.name=verlet", "record.fps=50"]
        runs = {
            name: desk.run(name.replace(" ", "-"), SCENE, settings=[*shared, f"damping={damping}"])
            for name, damping in (
                ("undamped", "[]"),
                ("damping 1e-4", "[{name='dashpot', c=0.04}]"),
                ("damping 1e-3", "[{name='dashpot', c=0.4}]"),
            )
        }
        found = {name: mesh_scale(run) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            given = {name: (run.times[1:], found[name][1:]) for name, run in runs.items()}
            curves(canvas.subplots(), given, "time [s]", "kinetic energy at mesh scale [J]", log="y")

        desk.plot("rattle", draw, "Kinetic energy of each vertex relative to the mean motion of its neighbours.")
        desk.strip(
            "motion",
            runs,
            [0.4, 0.8, 1.2, 1.6],
            "Wrinkles at the scale of a triangle, and their absence.",
            size=(230, 210),
        )
        late = {name: float(energy[runs[name].times >= 1.0].mean()) for name, energy in found.items()}
        yield Figure(
            "mesh-scale energy after 1 s with damping 1e-3, relative to undamped",
            late["damping 1e-3"] / late["undamped"],
            at_most(0.2),
        )
        yield Figure("the same with damping 1e-4", late["damping 1e-4"] / late["undamped"], at_most(0.9), "", "smooth")
        yield Figure(
            "total remaining energy with damping 1e-3",
            float(column(runs["damping 1e-3"], "total")[-1] / column(runs["damping 1e-3"], "total")[0]),
            at_least(0.5),
        )
        undamped = column(runs["undamped"], "total")
        yield Figure("energy drift, undamped", float(np.abs(undamped / undamped[0] - 1.0).max()), at_most(1e-2))
