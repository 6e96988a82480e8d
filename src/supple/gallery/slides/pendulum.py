"""A pendulum with a stiff spring and with a rod: penalty against multiplier."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import supple as sp
from supple.errors import StepFailed
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.runs.results import Run
from supple.scene.text.load import load_scene
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

STIFFNESSES = (1e2, 1e3, 1e4, 1e5)
SCENE = "pendulum"
MULTIPLIER = "multiplier"
SHORT = ["time.duration=2", "time.step=0.002", "record.fps=50"]


@PANELS("L4")
class PenaltyAgainstMultiplier(Panel):
    title = "Penalty against multiplier"
    claim = (
        "A stiff spring approximates a fixed length. The error decreases with stiffness, but so does "
        "the stable explicit step. A Lagrange multiplier enforces the length exactly."
    )
    setup = (
        "pendulum scene, 2 s at 1/500 s, midpoint: a rod, and springs of 1e2 to 1e5 N/m; Verlet for the stability limit"
    )
    command = "supple run pendulum"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {MULTIPLIER: desk.run("rod", SCENE, settings=SHORT)}
        for k in STIFFNESSES:
            runs[f"{k:.0e} N/m"] = desk.run(f"spring-{k:.0e}", SCENE, settings=[*SHORT, *_spring(k)])
        exact = float(runs[MULTIPLIER].history["constraint_error"].max())
        errors = np.array([_error(runs[f"{k:.0e} N/m"], k) for k in STIFFNESSES])
        limits = np.array([desk.kept(f"limit-{k:.0e}", partial(_limit, k)) for k in STIFFNESSES])

        def draw(canvas: Canvas) -> None:
            left, middle, right = canvas.subplots(1, 3, width_ratios=(3, 2, 2))
            shown = {name: (run.times, run.positions[:, 1, 0].astype(float)) for name, run in runs.items()}
            curves(left, shown, "time [s]", "x of the bob [m]")
            _falling(middle, errors, "largest length error [m]")
            middle.axhline(exact, color="#d55e00")
            middle.annotate(MULTIPLIER, (1e3, exact), xytext=(0, 4), textcoords="offset points", color="#d55e00")
            _falling(right, limits, "longest stable step of Verlet [s]")

        desk.plot("lengths", draw, CAPTION, size=(10.4, 3.4), wide=True)
        yield Figure("multiplier: largest length error", exact, at_most(1e-12), "m")
        yield Figure("exponent of the stiffness in the length error of springs", _power(errors), about(-1.0, 0.2))
        yield Figure("exponent of the stiffness in the stable explicit step", _power(limits), about(-0.5, 0.05))
        yield Figure("stiffest spring: largest length error", float(errors[-1]), at_least(1e-6), "m")


CAPTION = "Ten times the stiffness: one tenth of the error, and one third of the stable explicit step."


def _spring(k: float) -> list[str]:
    return ["constraint=[]", "body.0.material.name=hooke-spring", f"body.0.material.stretch={k}"]


def _error(run: Run, k: float) -> float:
    """Largest |l - 1| of a spring with energy k/2 (l - 1)^2 [m]."""
    return float(np.sqrt(2.0 * run.history["elastic"].max() / k))


def _limit(k: float) -> float:
    """Longest step at which Verlet is stable over 100 steps [s], by bisection."""
    model = load_scene(SCENE, _spring(k)).make().assemble()
    low, high = 0.5 / np.sqrt(k), 5.0 / np.sqrt(k)
    for _ in range(8):
        h = float(np.sqrt(low * high))
        low, high = (h, high) if _is_stable(model, h) else (low, h)
    return float(low)


def _is_stable(model: sp.Model, h: float) -> bool:
    try:
        *_, last = sp.simulate(model, sp.Verlet(), h=h, steps=100)
    except StepFailed:
        return False
    return bool(np.abs(last.state.x).max() < 10.0)


def _power(values: Array) -> float:
    return float(np.polyfit(np.log(STIFFNESSES), np.log(values), 1)[0])


def _falling(axes: Axes, values: Array, up: str) -> None:
    axes.loglog(STIFFNESSES, values, "o-", color="#0072b2")
    axes.set(xlabel="stiffness [N/m]", ylabel=up)
