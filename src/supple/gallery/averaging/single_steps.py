"""One particle on a line: root finding gets stuck where minimisation does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from supple.analysis.one_dimension import (
    DOUBLE_WELL,
    QUARTIC,
    ROOT,
    STARTS,
    QuarticStep,
    WellStep,
    avf_step,
)
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

BAD, GOOD = "#d55e00", "#0072b2"
POINTS = 90
"""Grid points of a map along each axis."""


@PANELS("R2")
class Stuck(Panel):
    title = "Local minima of the discrete gradient residual"
    claim = (
        "The residual of the discrete gradient for 128 x^4 has local minima. Newton's method with the "
        "residual as merit function gets stuck there."
    )
    setup = "one particle, x0 = -1.10 m, v0 = 12.25 m/s, one step of 0.033 s (also 0.0066 and 0.003 s)"
    command = "python examples/one_dimension.py"

    def study(self, desk: Desk) -> Iterable[Figure]:
        long, short = QuarticStep(0.033), QuarticStep(0.0066)
        ends = {step.h: step.path()[-1] for step in (long, short, QuarticStep(0.003))}

        wide, near = _Map.of(long, (-1.45, 1.45), (-28.0, 28.0)), _Map.of(short, (-1.5, -0.85), (10.0, 19.5))

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            wide.draw(left, "h = 0.033 s: stuck across the well")
            near.draw(right, "h = 0.0066 s: solved")

        desk.plot(
            "contours", draw, ("Residual of the step (light: small) over position and velocity, with the level curve of the "
"energy and the damped Newton iterates. The long step ends in a local minimum off the curve."), size=(10.0, 3.8), wide=True,
        )  # fmt: skip
        x1, v1 = avf_step(QUARTIC, long.x0, long.v0, long.h)
        gain = long.energy(ends[long.h]) - long.energy(long.start)
        yield Figure("residual where Newton's method stops, h = 0.033 s", _size(long, ends[long.h]), at_least(1.0))
        yield Figure("energy gained there", gain, about(13.2, 0.1), "J")
        yield Figure("residual, h = 0.0066 s", _size(short, ends[short.h]), at_most(1e-10))
        error = abs(long.energy(np.array([x1, v1])) / long.energy(long.start) - 1.0)
        yield Figure("energy error of AVF at h = 0.033 s", error, at_most(1e-12))


def _size(step: QuarticStep, z: Array) -> float:
    return float(np.linalg.norm(step.residual(z)))


@dataclass(frozen=True)
class _Map:
    """Residual and energy on a grid in the plane of position and velocity."""

    step: QuarticStep
    x: Array
    v: Array
    residual: Array
    energy: Array

    @classmethod
    def of(cls, step: QuarticStep, x: tuple[float, float], v: tuple[float, float]) -> _Map:
        xs, vs = np.linspace(*x, POINTS), np.linspace(*v, POINTS)
        plane = [[np.array([a, b]) for a in xs] for b in vs]
        residual = np.array([[_size(step, z) for z in row] for row in plane])
        return cls(step, xs, vs, residual, np.array([[step.energy(z) for z in row] for row in plane]))

    def draw(self, axes: Axes, title: str) -> None:
        step, logs = self.step, np.log10(self.residual)
        levels = np.quantile(logs, np.linspace(0.0, 0.9, 14))
        axes.contourf(self.x, self.v, logs, levels=levels, cmap="Blues", extend="max", alpha=0.45)
        axes.contour(
            self.x, self.v, self.energy, levels=[step.energy(step.start)], colors=["#888888"], linewidths=1.3
        )  # fmt: skip
        path = np.array(step.path())
        axes.plot(path[:, 0], path[:, 1], "o-", color=BAD, linewidth=0.9, markersize=4)
        end = "stuck" if _size(step, path[-1]) > 1e-6 else "solved"
        self._named(axes, step.start, "s", "#00724f", "start", (7, -11))
        self._named(axes, path[-1], "o", BAD, end, (-10, 8))
        solution = np.array(avf_step(QUARTIC, step.x0, step.v0, step.h))
        self._named(axes, solution, "*", "#8a5d00", "AVF", (9, -3))
        axes.set(xlabel="position [m]", ylabel="velocity [m/s]", title=title)
        axes.grid(False)

    @staticmethod
    def _named(axes: Axes, z: Array, marker: str, colour: str, text: str, away: tuple[int, int]) -> None:
        axes.plot(*z, marker, color=colour, markersize=13 if marker == "*" else 6)
        side = "right" if away[0] < 0 else "left"
        axes.annotate(
            text,
            (float(z[0]), float(z[1])),
            xytext=away,
            textcoords="offset points",
            color=colour,
            fontsize=9.5,
            ha=side,
        )


@PANELS("R3")
class DoubleWell(Panel):
    title = "Double well: minimisation against root finding"
    claim = (
        "In a double well, minimisation finds an energy-conserving step from every initial guess. A "
        "damped Newton method for the stationarity equation does not."
    )
    setup = (
        "V = 10 x + 1500 (x^2 - 1)^2, x0 = 0.6 m, v0 = -9 m/s, one AVF step of 0.04 s, 601 initial guesses in [-3, 3]"
    )
    command = "python examples/one_dimension.py"

    def study(self, desk: Desk) -> Iterable[Figure]:
        step = WellStep()
        starts = STARTS[:: desk.size(5, 1)]
        ends = desk.kept("ends", lambda: [[step.on_F(s)[-1], step.on_g(s)[-1]] for s in starts])
        roots, minima = np.array(ends).T

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            _merits(left, step)
            right.plot(starts, roots, ".", color=BAD, markersize=5)
            right.plot(starts, minima, ".", color=GOOD, markersize=3)
            right.annotate("root finding: false minimum", (0.3, -0.72), color=BAD, fontsize=9)
            right.annotate("minimisation: always the solution", (-2.9, ROOT + 0.07), color=GOOD, fontsize=9)
            right.set(
                xlabel="initial guess [m]", ylabel="final x [m]", title="convergence by initial guess", ylim=(-1.1, 1.5)
            )

        desk.plot("well", draw, ("Left: merit functions of both approaches, with the iterates from x = 0. Right: final point for "
"each initial guess."),
                  size=(9.6, 3.5), wide=True)  # fmt: skip
        x1, v1 = avf_step(DOUBLE_WELL, step.x0, step.v0, step.h)
        before, after = (DOUBLE_WELL(x) + v * v / 2 for x, v in ((step.x0, step.v0), (x1, v1)))
        yield Figure(
            "fraction of initial guesses that fail, minimisation",
            float((np.abs(minima - ROOT) > 1e-8).mean()),
            at_most(0.0),
        )
        yield Figure(
            "fraction of initial guesses that fail, root finding",
            float((np.abs(roots - ROOT) > 1e-8).mean()),
            at_least(0.05),
        )
        yield Figure("energy error of the step", abs(after / before - 1.0), at_most(1e-12))


def _merits(axes: Axes, step: WellStep) -> None:
    x = np.linspace(-1.35, 1.45, 400)
    for curve, path, colour, name, at in (
        (step.F**2, step.on_F(0.0), BAD, "F squared", (-1.25, 3.2)),
        (step.g, step.on_g(0.0), GOOD, "objective g", (0.15, 3.1)),
    ):
        axes.plot(x, curve(x), color=colour)
        axes.plot(path, curve(np.array(path)), "o-", color=colour, linewidth=0.7, markersize=4)
        axes.plot(path[-1], curve(path[-1]), "*", color=colour, markersize=14)
        axes.annotate(name, at, color=colour, fontsize=9)
    axes.set(ylim=(-0.6, 5.0), xlabel="x after the step [m]", ylabel="merit", title="two merit functions")
