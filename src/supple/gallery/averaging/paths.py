"""One bar, three methods: the straight path of a step, and energy over time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.gallery.averaging.shared import draw_energies, drift, energy
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

STEPS = 60


@PANELS("R1")
class StraightPath(Panel):
    title = "Averaging along a straight path"
    claim = (
        "Forces averaged along the straight path of a step do work exactly equal to the change in "
        "energy. There is no numerical damping and no blow-up."
    )
    setup = "twisting-bar scene (40 tets), 60 steps of 1/30 s; AVF, implicit midpoint and backward Euler"
    command = "supple compare twisting-bar --integrators avf,midpoint,backward-euler"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {
            name: desk.run(
                name, "twisting-bar", settings=[f"integrator={{name='{name}'}}", f"time.duration={STEPS / 30}"]
            )
            for name in ("avf", "midpoint", "backward-euler")
        }
        path = desk.kept("path", first_step)
        share, force = np.array(path["share"]), np.array(path["force"])

        def draw(canvas: Canvas) -> None:
            along, damped, exploded = canvas.subplots(1, 3)
            _draw_path(along, share, force, path)
            draw_energies(damped, {name: runs[name] for name in ("avf", "backward-euler")}, 1.3, "no damping")
            draw_energies(exploded, {name: runs[name] for name in ("avf", "midpoint")}, 12.0, "no blow-up")

        desk.plot(
            "paths", draw, ("Left: force along the path of one step; the area under the curve is the change in energy. "
"Middle and right: energy of the same bar with three methods."), size=(10.5, 3.3), wide=True,
        )  # fmt: skip
        desk.strip(
            "motion", runs, np.linspace(0.0, 1.2, 5), "The same twisted bar with the three methods.", size=(260, 150)
        )
        yield Figure("work along the path minus energy change, relative to the energy", path["gap"], at_most(1e-12))
        yield Figure("energy drift, AVF", drift(runs["avf"]), at_most(1e-11))
        yield Figure("remaining energy, backward Euler", float(energy(runs["backward-euler"])[-1]), at_most(0.05))
        yield Figure("peak energy, implicit midpoint", float(energy(runs["midpoint"]).max()), at_least(10.0))


def first_step() -> dict[str, Any]:
    """Force along the straight path of the fifth AVF step, its integral by Simpson's rule, and the change in energy."""
    import supple as sp

    setup = sp.load("twisting-bar")
    model = setup.assemble()
    *_, before, after = sp.simulate(model, sp.AVF(), h=1 / 30, steps=5)
    x0, x1 = before.state.x, after.state.x
    potential, d = model.system.potential, x1 - x0

    def pull(s: float) -> float:
        return float(np.einsum("ij,ij->", potential.gradient(x0 + s * d), d))

    share = np.linspace(0.0, 1.0, 41)
    work = (pull(0.0) + 4.0 * pull(0.5) + pull(1.0)) / 6.0
    change = sum(potential.by_group(x1).values()) - sum(potential.by_group(x0).values())
    return {
        "share": share.tolist(),
        "force": [pull(float(s)) for s in share],
        "mean": work,
        "gap": abs(work - change) / before.ledger.energies.total,
    }


def _draw_path(axes: Axes, share: Array, force: Array, path: dict[str, Any]) -> None:
    axes.fill_between(share, 0.0, force, color="#56b4e9", alpha=0.35, linewidth=0)
    axes.plot(share, force, color="#0072b2")
    axes.plot([0.0, 0.5, 1.0], np.interp([0.0, 0.5, 1.0], share, force), "o", color="#0072b2", markersize=5)
    axes.axhline(float(path["mean"]), color="#d55e00", linewidth=1.2)
    axes.annotate(
        "average force", (0.02, float(path["mean"])), xytext=(0, 4), textcoords="offset points", color="#d55e00", fontsize=9
    )  # fmt: skip
    axes.set_title("a straight path")
    axes.set_xlabel("fraction of the step")
    axes.set_ylabel("slope of the potential [J]")
