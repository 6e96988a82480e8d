"""Coarse balls that bounce sideways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

import supple as sp
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.render.style import scene_strokes

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SPEED = 3.0
"""Impact speed [m/s]."""
ANGLES = (0.3, 0.8, 1.7, 2.5)
"""Orientations of the ball [rad]."""


@PANELS("S-c8")
class OffCentre(Panel):
    title = "Coarse balls bounce sideways"
    claim = "A coarse ball bounces sideways because it is not round. The effect decreases with resolution."
    setup = "balls of 20 to 1280 tets in four orientations hit rough ground (friction 0.8) at 3 m/s, backward Euler at 1/200 s"
    command = "supple run bouncing-ball --set body.0.mesh.resolution=1 --set obstacle.0.friction=0.8"

    def study(self, desk: Desk) -> Iterable[Figure]:
        finest = desk.size(4, 8)
        found: dict[str, list[float]] = desk.kept("sideways", lambda: {
            str(resolution): [_sideways(resolution, angle) for angle in ANGLES] for resolution in range(1, finest + 1)
        })  # fmt: skip
        means = {int(resolution): float(np.mean(values)) for resolution, values in found.items()}

        def draw(canvas: Canvas) -> None:
            axes, stroke = canvas.subplots(), scene_strokes(["mean"])["mean"]
            for resolution, values in found.items():
                axes.scatter([int(resolution)] * len(values), values, s=18, color="#888888", zorder=3)
            axes.plot(list(means), list(means.values()), color=stroke.colour)
            last = max(means)
            axes.annotate(
                "mean of four\norientations",
                (last, means[last]),
                (6, 8),
                textcoords="offset points",
                color=stroke.colour,
            )
            axes.set_yscale("log")
            axes.set_xticks(list(means))
            axes.set_xlabel("rings of elements from the centre to the surface")
            axes.set_ylabel("sideways speed / impact speed")

        desk.plot("sideways", draw, "Sideways speed after the first bounce.")
        yield Figure("sideways speed of the coarsest ball", means[1], at_least(0.05), "of the impact")
        yield Figure("sideways speed of the finest ball", means[finest], at_most(0.02), "of the impact")
        falls = np.diff(np.log(list(means.values())))
        yield Figure(
            "largest change between successive resolutions (logarithm; negative: decrease)",
            float(falls.max()),
            at_most(0.0),
        )


def _sideways(resolution: int, angle: float) -> float:
    """Speed along the ground after the first bounce, relative to the impact speed."""
    turned = sp.Initial(
        rotate=sp.Turn(axis=(1.0, 0.3, 0.7), angle=angle), translate=(0.0, 0.12, 0.0), velocity=(0.0, -SPEED, 0.0)
    )
    shape = sp.Ball(radius=0.1, centre=(0.0, 0.0, 0.0), resolution=resolution).mesh()
    ball = sp.Body(shape, sp.StableNeoHookean.from_young(1e5, 0.4), density=1000.0, initial=turned)
    ground = sp.Obstacle(sp.HalfSpace(), distance=0.004, friction=0.8)
    model = sp.assemble(sp.World([ball], obstacles=[ground]))
    *_, last = sp.simulate(model, sp.BackwardEuler(), h=0.005, steps=24)
    mass = model.system.mass
    velocity = mass @ last.state.v / mass.sum()
    return float(np.hypot(velocity[0], velocity[2]) / SPEED)
