"""A particle attracted to a line: stability limit of explicit steps, and behaviour of implicit steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

import supple as sp
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.integrators.method import Method
from supple.scene.text.load import load_scene
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PULLS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 4.0, 8.0)
"""Values of h k at which the factor is measured."""
STEPS = 20
FREE = (
    "constraint=[]", "world.gravity=0.0", "body.0.pin=[]", "body.0.initial={ velocity = [1.0, 0.0, 0.0] }",
    "body.0.material.stretch=1e-12",
)  # fmt: skip
"""The bob and its anchor, without the rod, at a common velocity."""


@PANELS("L2")
class ParticleOnALine(Panel):
    title = "Stability of explicit and implicit steps"
    claim = (
        "For y' = -k y, a forward Euler step multiplies y by 1 - h k, which is unstable beyond h = 2/k. "
        "A backward Euler step multiplies it by 1/(1 + h k) at every h."
    )
    setup = (
        "velocity of a mass of 1 kg with drag k, steps with h k from 0.25 to 8; a particle dragged "
        "along a line, k = 60/s"
    )
    command = "supple info forward-euler"

    def study(self, desk: Desk) -> Iterable[Figure]:
        methods = {"forward-euler": sp.ForwardEuler(), "backward-euler": sp.BackwardEuler()}
        found = {name: np.array([_factor(method, pull) for pull in PULLS]) for name, method in methods.items()}
        pulls = np.array(PULLS)
        exact = {"forward-euler": 1.0 - pulls, "backward-euler": 1.0 / (1.0 + pulls)}
        desk.plot("factors", lambda canvas: _draw(canvas, found), CAPTION, size=(8.8, 3.5), wide=True)
        for name in methods:
            missed = float(np.abs(found[name] - exact[name]).max())
            yield Figure(
                f"{name}: largest difference between the measured factor and the formula", missed, at_most(1e-12)
            )
        limit = np.interp(1.0, -found["forward-euler"], pulls)
        yield Figure("h k at the stability limit of forward Euler", float(limit), about(2.0, 1e-9))
        dragged = {name: float(np.abs(_dragged(name, 0.04)[-1, 1])) for name in methods}
        yield Figure(
            "forward Euler: distance from the line after 20 steps with h k = 2.4",
            dragged["forward-euler"],
            at_least(10.0),
        )
        yield Figure("backward Euler: the same", dragged["backward-euler"], at_most(1e-6))


CAPTION = (
    "Left: factor per step, measured in runs (dots) and from the formulas (curves). Right: a "
    "particle dragged along a line, h k = 2.4."
)


def _factor(method: Method, pull: float) -> float:
    """Factor of one step of 1 s on a velocity under drag."""
    drag = f"damping=[{{ name = 'drag', rate = {pull} }}]"
    model = load_scene("pendulum", [*FREE, drag]).make().assemble()
    *_, last = sp.simulate(model, method, h=1.0, steps=1)
    return float(last.state.v[:, 0].mean())


def _dragged(name: str, h: float, k: float = 60.0) -> Array:
    """(n, 2) positions of a particle that is dragged along x and attracted to y = 0."""
    y, path = 1.0, [(0.0, 1.0)]
    for step in range(STEPS):
        y = y * (1.0 - h * k) if name == "forward-euler" else y / (1.0 + h * k)
        path.append(((step + 1) / STEPS, y))
    return np.array(path)


def _draw(canvas: Canvas, found: dict[str, Array]) -> None:
    left, right = canvas.subplots(1, 2)
    fine = np.linspace(0.0, 8.0, 200)
    formulas = {"forward-euler": (fine, 1.0 - fine), "backward-euler": (fine, 1.0 / (1.0 + fine))}
    curves(left, formulas, "h k [-]", "factor per step [-]", title="y' = -k y")
    for name, values in found.items():
        colour = left.get_lines()[list(found).index(name)].get_color()
        left.plot(PULLS, values, "o", color=colour, markersize=5)
    left.axhspan(-1.0, 1.0, color="#888888", alpha=0.15, zorder=0)
    left.annotate("stable", (4.2, -0.75), color="#888888")
    paths = {name: tuple(_dragged(name, 0.04).T) for name in found}
    curves(
        right, paths, "position along the line [m]", "distance from the line [m]", title="dragged", limits=(-3.0, 3.0)
    )
