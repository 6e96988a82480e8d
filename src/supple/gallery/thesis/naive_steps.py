"""Step rules of a pendulum evaluated at the old position, at the new one, and as part of the equations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.symplectic import AdaptiveSymplectic
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.thesis.toys import RULES, arrays, base_step, drift, pendulum, series, steps
from supple.gallery.verdicts import Figure, at_least, at_most

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

RULE = RULES["phase"]
METHODS = {
    "old position": AdaptiveNaive(RULE),
    "new position": AdaptiveNaive(RULE, at="end"),
    "reversible": AdaptiveReversible(RULE),
    "symplectic": AdaptiveSymplectic(RULE),
}


@PANELS("K3.7")
class NaiveSteps(Panel):
    title = "Naive and symmetric step control of a pendulum"
    claim = (
        "If the step is chosen from the old or from the new position, the energy of a pendulum drifts. "
        "If step control is part of the equations, it does not."
    )
    setup = "pendulum from 2 rad, midpoint rule, phase rule with a mean step of 0.03 s; 1500 steps (full: 6000)"
    because = (
        "Measured with the phase rule. With the acceleration rule, the energy of symplectic steps "
        "oscillates by a thousandth every 1,100 steps. Over 6,000 steps this counts as a drift of 5e-3."
    )
    command = "supple run pendulum-adaptive --set integrator.name=adaptive-naive --set integrator.at=end"

    def study(self, desk: Desk) -> Iterable[Figure]:
        count, h = desk.size(1500, 6000), base_step(RULE)
        runs = {
            label: arrays(desk.kept(label.split()[0], partial(series, pendulum(), method, h, steps(count))))
            for label, method in METHODS.items()
        }

        def draw(canvas: Canvas) -> None:
            given = {label: (run["step"], run["energy"]) for label, run in runs.items()}
            curves(canvas.subplots(), given, "step", "energy / initial energy")

        desk.plot("energy", draw, "Energy of the pendulum over the steps.", size=(7.4, 3.8))
        scale = 6000 / count
        old, new, reversible, symplectic = (drift(run["energy"]) * scale for run in runs.values())
        yield Figure("drift over 6000 steps, old position", old, at_most(-5e-3), printed="drifts")
        yield Figure("drift over 6000 steps, new position", new, at_least(5e-3), printed="drifts")
        yield Figure("drift over 6000 steps, reversible", abs(reversible), at_most(5e-4), printed="none")
        yield Figure("drift over 6000 steps, symplectic", abs(symplectic), at_most(5e-4), printed="none")
