"""Cost of a given accuracy with adaptive and constant steps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.adaptive.error_control import ErrorControl
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rule import Rule
from supple.adaptive.rules import AccelerationRule, ElasticRule
from supple.analysis.convergence import placed, trials
from supple.analysis.reference import dop853
from supple.analysis.timed_run import Problem
from supple.analysis.yardstick import yardstick
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.term import EnergyTerm
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.scene.text.load import load_scene
from supple.solvers.options import SolverOptions
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ECCENTRICITY = 0.9
Trials = dict[str, list[dict[str, Any]]]


class Sun(EnergyTerm):
    """W = -1/r of the only vertex."""

    elements = np.zeros((1, 1), np.int32)

    def element_values(self, x: Array) -> Array:
        return -1.0 / np.linalg.norm(x, axis=1)

    def element_gradients(self, x: Array) -> Array:
        return x[None] / np.linalg.norm(x) ** 3

    def element_hessians(self, x: Array) -> Array:
        r = float(np.linalg.norm(x))
        return (np.eye(3) / r**3 - 3.0 * x[0][:, None] * x[0] / r**5)[None]


def comet() -> tuple[System, State]:
    """A unit mass at the apoapsis of an orbit with a semi-major axis of 1 m and a period of 2 pi s."""
    far = 1.0 + ECCENTRICITY
    speed = math.sqrt((1.0 - ECCENTRICITY) / far)
    start = State(0.0, np.array([[far, 0.0, 0.0]]), np.array([[0.0, speed, 0.0]]))
    return build_system(start.x, np.ones(1), [Sun()]), start


@PANELS("K-c36")
class AdaptiveCost(Panel):
    title = "Cost at equal error: adaptive and constant steps"
    claim = "Adaptive steps reach a given error in less time than constant steps."
    setup = "three-masses scene, 3 s; a comet with eccentricity 0.9, one orbit; midpoint rule, compared with DOP853"
    command = "supple analyse work-precision three-masses --integrators midpoint,adaptive-reversible:rule=elastic"
    expects = Verdict.NOT_REPRODUCED
    because = (
        "Step control does not pay off for a motion as uniform as that of three masses. It does for "
        "non-uniform motion: a comet needs several times fewer force evaluations. A mass bouncing on a "
        "soft floor does not benefit either (0.46). On a stiff floor, most reversible steps could not "
        "be solved."
    )
    alone = True

    def study(self, desk: Desk) -> Iterable[Figure]:
        masses, orbit = (desk.kept(name, make) for name, make in (("masses", _masses), ("comet", _comet)))

        def draw(canvas: Canvas) -> None:
            from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

            for axes, (title, found) in zip(
                canvas.subplots(1, 2), (("three masses", masses), ("comet", orbit)), strict=True
            ):
                given = {name: _columns(rows, "evaluations") for name, rows in found.items()}
                curves(axes, given, "force evaluations", "error of x [m]", title=title, log="xy", labels=False)
                axes.margins(0.06)
                for line in axes.get_lines():
                    line.set(marker="o", markersize=4)
                for axis in (axes.xaxis, axes.yaxis):
                    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
                    axis.set_minor_formatter(NullFormatter())
            axes.legend(fontsize=8.5)

        desk.plot("work", draw, "Error against cost; lower left is better.", size=(8.8, 3.9), wide=True)
        for title, found, bound in (("three masses", masses, at_least(1.0)), ("comet", orbit, at_least(1.5))):
            for cost in ("evaluations", "wall_seconds"):
                gain = _gain(found, cost)
                what = "force evaluations" if cost == "evaluations" else "wall time"
                yield Figure(
                    f"{title}: {what}, constant relative to reversible", gain, bound if cost == "evaluations" else None
                )


def _masses() -> Trials:
    model = load_scene("three-masses", []).make().assemble()
    counts = (150, 300, 600)
    return _trials((model.system, model.state), 3.0, ElasticRule(2.582), counts, counts)


def _comet() -> Trials:
    return _trials(comet(), 4.5, AccelerationRule(4.0), (500, 1000, 2000), (60, 120, 240))


def _trials(
    setup: tuple[System, State], duration: float, rule: Rule, constant: tuple[int, ...], followed: tuple[int, ...]
) -> Trials:
    """Runs of three methods with increasing numbers of steps: `constant` steps, and the longest of the adaptive ones."""
    system, start = setup
    problem = Problem(system, placed(system, start), duration, SolverOptions(tolerance=1e-12))
    end = dop853(system, problem.start, duration, lambda t: None)
    measure = yardstick(system, problem.start, end)
    methods: dict[str, tuple[Method, tuple[int, ...]]] = {
        "constant": (Midpoint(), constant),
        "reversible": (AdaptiveReversible(rule), followed),
        "by error": (ErrorControl(Midpoint(), tolerance=1e-2), followed),
    }
    return {
        name: [asdict(trial) for trial in trials(problem, {name: method}, counts, measure)]
        for name, (method, counts) in methods.items()
    }


def _columns(rows: list[dict[str, Any]], cost: str) -> tuple[Array, Array]:
    good = [row for row in rows if not row["failure"]]
    return np.array([row[cost] for row in good]), np.array([row["error_x"] for row in good])


def _gain(found: Trials, cost: str) -> float:
    """Cost of constant steps relative to reversible control, at the middle of the errors that both reach."""
    (a, e), (b, f) = (_columns(found[name], cost) for name in ("constant", "reversible"))
    error = math.exp((math.log(max(e.min(), f.min())) + math.log(min(e.max(), f.max()))) / 2)
    at = [np.interp(math.log(error), np.log(errors[::-1]), np.log(costs[::-1])) for costs, errors in ((a, e), (b, f))]
    return float(np.exp(at[0] - at[1]))
