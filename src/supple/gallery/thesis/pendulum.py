"""Three Euler methods on a pendulum."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import colours_of, curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.thesis.toys import ANGLE, G, arrays, pendulum, series, steps
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.integrators.explicit.runge_kutta import ForwardEuler
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.method import Method
from supple.loop import Frame
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

STEP, STEPS = 0.08, 250
METHODS: dict[str, Method] = {
    "forward-euler": ForwardEuler(),
    "backward-euler": BackwardEuler(),
    "symplectic-euler": SymplecticEuler(),
}


@PANELS("K3.1")
class Pendulum(Panel):
    title = "Three Euler methods on a pendulum"
    claim = (
        "Explicit Euler gains energy, implicit Euler loses energy, and the energy of symplectic Euler remains bounded."
    )
    setup = f"1 kg on a rod of 1 m, described by its angle, released at {ANGLE:g} rad; {STEPS} steps of {STEP:g} s"
    command = "supple compare pendulum --integrators avf,midpoint,backward-euler"

    def study(self, desk: Desk) -> Iterable[Figure]:
        found = {}
        for name, method in METHODS.items():
            found[name] = arrays(desk.kept(name, partial(series, pendulum(), method, STEP, steps(STEPS), v=_rate)))

        def draw(canvas: Canvas) -> None:
            grid = canvas.add_gridspec(2, 3, height_ratios=(5, 4))
            for k, (name, run) in enumerate(found.items()):
                _phase(canvas.add_subplot(grid[0, k]), name, run)
            given = {name: (run["t"], run["energy"]) for name, run in found.items()}
            curves(canvas.add_subplot(grid[1, :]), given, "time [s]", "energy / initial energy", limits=(0.0, 2.5))

        desk.plot(
            "phase", draw, ("Top: angle and angular velocity at every step, with the exact trajectory (grey). Bottom: "
"energy."),
            size=(8.0, 6.0), wide=True,
        )  # fmt: skip
        ends = {name: float(run["energy"][-1]) for name, run in found.items()}
        bounded = found["symplectic-euler"]["energy"]
        yield Figure("final energy / initial energy, forward Euler", ends["forward-euler"], at_least(2.0))
        yield Figure("final energy / initial energy, backward Euler", ends["backward-euler"], at_most(0.01))
        yield Figure(
            "largest deviation from the initial energy, symplectic Euler",
            float(np.abs(bounded - 1.0).max()),
            at_most(0.15),
        )
        halves = np.split(bounded[1:], 2)
        yield Figure(
            "energy drift from the first half to the second, symplectic Euler",
            abs(float(halves[1].mean() - halves[0].mean())),
            at_most(0.01),
        )


def _phase(axes: Axes, name: str, run: dict[str, Array]) -> None:
    """Points on the level curve of the energy; angles beyond a full turn re-enter on the other side."""
    q = np.linspace(-ANGLE, ANGLE, 401)
    v = np.sqrt(np.maximum(2.0 * G * (np.cos(q) - np.cos(ANGLE)), 0.0))
    axes.plot(np.concatenate([q, q[::-1]]), np.concatenate([v, -v[::-1]]), color="#999999", linewidth=1.0)
    turned = (run["q"] + np.pi) % (2.0 * np.pi) - np.pi
    axes.plot(turned, run["v"], ".", color=colours_of(METHODS)[name].colour, markersize=3.0)
    axes.set(xlim=(-np.pi, np.pi), ylim=(-9.5, 9.5), title=name, xlabel="angle [rad]")
    if name == "forward-euler":
        axes.set_ylabel("angular velocity [rad/s]")


def _rate(frame: Frame) -> float:
    return float(frame.state.v[0, 0])
