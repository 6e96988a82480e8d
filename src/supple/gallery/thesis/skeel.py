"""A spring with variable steps: by a rule at the start of a step, and by a rule that is part of the equations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import AccelerationRule, SwitchingRule
from supple.adaptive.symplectic import AdaptiveExplicit
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.thesis.toys import arrays, mass_on_spring, series, steps
from supple.gallery.verdicts import Figure, at_most, within
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.method import Method

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

STEP, STEPS = 0.7, 1000
RULE = AccelerationRule(1.0 / np.sqrt(3.0))
"""Full steps where the spring is slack, half steps where it is stretched by 1 m."""
METHODS: dict[str, Method] = {
    "0.7 s while loading, 0.35 s while unloading": AdaptiveNaive(SwitchingRule(), of=Verlet()),
    "always 0.7 s": Verlet(),
    "adaptive-explicit": AdaptiveExplicit(RULE),
    "adaptive-reversible": AdaptiveReversible(RULE),
}
NAMES = ("switched", "plain", "explicit", "reversible")


@PANELS("K3.6")
class SwitchedSpring(Panel):
    title = "A spring with alternating steps"
    claim = (
        "A spring uses one stable step while loading and another while unloading, and its energy blows "
        "up. With step control derived from the variational principle, its energy remains bounded."
    )
    setup = f"unit mass on a unit spring from 1 m, Verlet, steps of {STEP:g} and {STEP / 2:g} s; {STEPS} steps each"
    command = "supple run skeel-spring"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = [
            arrays(desk.kept(name, partial(series, mass_on_spring(), method, STEP, steps(STEPS))))
            for name, method in zip(NAMES, METHODS.values(), strict=True)
        ]

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2, width_ratios=(3, 2))
            given = {label: (run["step"], run["energy"]) for label, run in zip(METHODS, runs, strict=True)}
            curves(left, given, "step", "energy / initial energy", log="y", labels=False)
            left.legend(fontsize=8.5, loc="upper left")
            few = slice(1, 40)
            curves(
                right, {label: (run["step"][few], run["dt"][few]) for label, run in zip(METHODS, runs, strict=True)},
                "step", "step [s]", labels=False,
            )  # fmt: skip

        desk.plot("energy", draw, "Left: energy. Right: the step sizes taken.", size=(8.6, 3.8), wide=True)
        switched, _, explicit, reversible = (run["energy"] for run in runs)
        for k, exact in ((200, 10.958), (500, 485.73), (1000, 2.2188e5)):
            bound = within(0.99 * exact, 1.01 * exact)
            yield Figure(
                f"energy / initial energy after {k} steps, alternating", float(switched[k]), bound, printed="explodes"
            )
        yield Figure(
            "largest energy / initial energy, explicit symplectic control", float(explicit.max()), at_most(1.5)
        )
        yield Figure(
            "largest deviation from the initial energy, reversible control",
            float(np.abs(reversible - 1.0).max()),
            at_most(0.05),
        )
        shorter = float(runs[3]["dt"][1:].min() / runs[3]["dt"][1:].max())
        yield Figure("shortest relative to longest step, reversible control", shorter, at_most(0.7))
