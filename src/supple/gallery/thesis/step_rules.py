"""Three step-size rules on a pendulum."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from supple.adaptive.reversible import AdaptiveReversible
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.thesis.toys import RULES, arrays, base_step, pendulum, series, steps
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.integrators.implicit.midpoint import Midpoint
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MEAN = 0.06
"""Mean step [s]."""
COUNT = 120
SHADES = {"constant": "#777777", "poses": "#0072b2", "phase": "#d55e00", "acceleration": "#009e73"}


@PANELS("K3.8")
class StepRules(Panel):
    title = "Three step-size rules"
    claim = (
        "One rule spaces the poses of a pendulum evenly, one spaces its states evenly in phase space, "
        "and one takes short steps where the force is large."
    )
    setup = f"pendulum from 2 rad, reversible step control, {COUNT} steps of {MEAN:g} s on average"
    command = "supple run pendulum-adaptive --set integrator.rule=phase"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {"constant": arrays(desk.kept("constant", lambda: _run(None)))}
        for name in RULES:
            runs[name] = arrays(desk.kept(name, partial(_run, name)))

        def draw(canvas: Canvas) -> None:
            grid = canvas.subplots(3, 4, height_ratios=(5, 3, 3))
            for k, (name, run) in enumerate(runs.items()):
                _column(grid[:, k], name, run)
            for row, label in enumerate(("poses of one swing", "angle [rad]\nover steps", "angle [rad]\nover time")):
                grid[row, 0].set_ylabel(label)

        desk.plot(
            "rules", draw, "Poses of one swing, and the angle over steps and over time with a dot at each step.",
            size=(9.0, 5.6), wide=True,
        )  # fmt: skip
        pose = {name: _unevenness(np.abs(np.diff(run["q"]))) for name, run in runs.items()}
        phase = {name: _unevenness(_distance(run)) for name, run in runs.items()}
        yield Figure("non-uniformity of poses, constant steps", pose["constant"])
        yield Figure(
            "non-uniformity of poses, rule poses, relative to constant steps",
            pose["poses"] / pose["constant"],
            at_most(0.8),
        )
        yield Figure("non-uniformity in phase space, constant steps", phase["constant"])
        yield Figure(
            "non-uniformity in phase space, rule phase, relative to constant steps",
            phase["phase"] / phase["constant"],
            at_most(0.8),
        )
        yield Figure(
            "step at small force relative to step at large force, rule acceleration",
            _ratio(runs["acceleration"]),
            at_least(1.5),
        )


def _run(name: str | None) -> dict[str, list[float]]:
    method = Midpoint() if name is None else AdaptiveReversible(RULES[name])
    h = MEAN if name is None else base_step(RULES[name], MEAN)
    return series(pendulum(), method, h, steps(COUNT), v=lambda f: f.state.v[0, 0])


def _column(axes: Array, name: str, run: dict[str, Array]) -> None:
    swing, over_steps, over_time = axes
    colour = SHADES[name]
    half = run["t"] <= run["t"][1 + int(np.argmax(np.diff(np.sign(run["v"][1:])) != 0))]  # until it turns round
    _pendulum(swing, run["q"][half], colour)
    swing.set_title(name)
    over_steps.plot(run["q"], color=colour)
    over_time.plot(run["t"], run["q"], ".-", color=colour, markersize=3.0, linewidth=0.8)
    for other in (over_steps, over_time):
        other.set_ylim(-2.2, 2.2)


def _pendulum(axes: Axes, q: Array, colour: str) -> None:
    for angle in q:
        axes.plot([0.0, np.sin(angle)], [0.0, -np.cos(angle)], color=colour, linewidth=0.7, alpha=0.5)
    axes.plot(np.sin(q), -np.cos(q), "o", color=colour, markersize=4.0)
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 0.6), aspect="equal", xticks=[], yticks=[])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _distance(run: dict[str, Array]) -> Array:
    """Distances between successive states, with angles in rad and rates in rad/s."""
    return np.hypot(np.diff(run["q"]), np.diff(run["v"]))


def _unevenness(distances: Array) -> float:
    """Standard deviation divided by the mean."""
    return float(distances.std() / distances.mean())


def _ratio(run: dict[str, Array]) -> float:
    """Mean step in the quarter with the smallest force, relative to that in the quarter with the largest."""
    force, dt = np.abs(np.sin(run["q"][1:])), run["dt"][1:]
    low, high = np.quantile(force, (0.25, 0.75))
    return float(dt[force <= low].mean() / dt[force >= high].mean())
