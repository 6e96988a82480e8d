"""Contact at a curved surface: conditions on positions, velocities, and linearised gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import supple as sp
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.shapes import SphereShape
from supple.contact.obstacles.velocity import Face, VelocityContact
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

LENGTHS = (0.1, 0.3, 0.6)
"""Longest steps, in radii of the ball."""
STEPS = 20_000
GRAVITY, SPEED, H = 9.81, 0.3, 1 / 30
LEAVES = float(np.degrees(np.arccos(2 / 3 + SPEED**2 / (3 * GRAVITY))))
"""Angle at which a point that slides down a ball of 1 m without friction leaves it [degrees]."""
AT = 42.0
"""Angle at which the energies of slides are compared [degrees], and the energy per mass of a free slide there [J/kg]."""
FREE = 0.5 * SPEED**2 + GRAVITY * (1.0 - float(np.cos(np.radians(AT))))
LAWS: dict[str, dict[str, Any]] = {
    "barrier": {"distance": 0.004, "stiffness": 60.0, "per": "vertex"},
    "projection": {"law": "projection"},
    "velocity": {"law": "velocity"},
    "linearised": {"law": "linearised"},
}
ABOVE = {"barrier": 0.003}
"""Initial gap [m]; zero for the other laws."""


@PANELS("A7")
class VelocityLevel(Panel):
    title = "Velocity-level contact on a curved surface"
    claim = (
        "Conditions on velocities or linearised gaps reject plausible steps near a convex surface. "
        "Conditions on positions do not."
    )
    setup = "a vertex on a ball: 20,000 random steps; the same vertex sliding off a cylinder of 1 m, h 1/30 s"
    command = "supple run dropped-ball-verlet --set obstacle.0.law=velocity"

    def study(self, desk: Desk) -> Iterable[Figure]:
        refused = {law: [_refused(law, r) for r in LENGTHS] for law in ("projection", "velocity", "linearised")}
        slides = {law: np.array(desk.kept(law, partial(_slide, law))) for law in LAWS}

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            _draw_steps(left)
            given = {
                law: (path[path[:, 0] < 75.0, 0], 1e3 * path[path[:, 0] < 75.0, 1]) for law, path in slides.items()
            }
            curves(
                right,
                given,
                "angle from the top [degrees]",
                "gap [mm]",
                title="Sliding off a cylinder",
                limits=(-6.0, 25.0),
                labels=False,
            )
            right.axvline(LEAVES, color="#888888", linewidth=0.9, linestyle=(0, (4, 3)))
            right.annotate(
                "separation",
                (LEAVES, 22.5),
                xytext=(-84, 0),
                textcoords="offset points",
                fontsize=8.5,
                color="#888888",
            )
            right.legend(fontsize=8.5, loc="upper left")

        caption = (
            "Left: steps that end outside the ball but are rejected. Right: with one law, a sliding vertex "
            "stays inside the surface; with the other, it is lifted off."
        )
        desk.plot("steps", draw, caption, size=(9.2, 3.9), wide=True)
        for law in ("velocity", "linearised"):
            for r, share in zip(LENGTHS, refused[law], strict=True):
                if r == LENGTHS[-1] or law == "velocity":
                    yield Figure(
                        f"{law}: fraction of plausible steps up to {r:g} R that are rejected",
                        share,
                        at_least(0.5 * _between(r)),
                    )
        yield Figure("projection: the same, maximum over all lengths", max(refused["projection"]), at_most(0.0))
        for law, path in slides.items():
            off = float(np.abs(path[path[:, 0] < AT, 1] - path[0, 1]).max())
            bound = at_most(1.0) if law in {"barrier", "projection"} else at_least(2.0)
            yield Figure(f"{law}: largest distance from the surface before {AT:g} degrees", 1e3 * off, bound, "mm")
        for law, path in slides.items():
            yield Figure(
                f"{law}: kinetic energy there relative to a free slide",
                float(np.interp(AT, path[:, 0], path[:, 2])) / FREE,
            )


def _refused(law: str, longest: float) -> float:
    """Fraction of the steps from the top of a ball of 1 m that end outside the ball but are changed by the law."""
    generator = np.random.default_rng(7)
    ends = np.array([0.0, 1.0, 0.0]) + _in_disc(generator, longest)
    ball = SphereShape((0.0, 0.0, 0.0), 1.0)
    ends = ends[ball.distance(ends) > 0.0]
    start = np.tile([0.0, 1.0, 0.0], (len(ends), 1))
    vertices = np.arange(len(ends), dtype=np.int32)
    if law == "projection":
        put = Projection(ball, vertices).project(start, ends, ends - start)
    else:
        put = VelocityContact([Face(ball, vertices)], law == "linearised").project(start, ends, ends - start, 0.0, 1.0)
    return float((np.abs(put.x - ends).max(axis=1) > 1e-12).mean())


def _in_disc(generator: np.random.Generator, radius: float) -> Array:
    r, angle = radius * np.sqrt(generator.uniform(size=STEPS)), generator.uniform(0.0, 2 * np.pi, STEPS)
    return np.stack([r * np.cos(angle), r * np.sin(angle), np.zeros(STEPS)], axis=1)


def _between(r: float) -> float:
    """Area below the tangent and outside a circle of radius 1, within r of the contact point, relative to the whole
    outside area."""
    down = np.linspace(0.0, r, 20_001)
    # at distance s from the contact point, the circle lies at the angle asin(s/2) below the tangent
    below = float(np.trapezoid(2.0 * np.arcsin(down / 2.0) * down, down))
    return below / (0.5 * np.pi * r * r + below)


def _slide(law: str) -> list[list[float]]:
    """Angle [degrees], gap [m] and kinetic energy per mass [J/kg] of a vertex that slides down a cylinder of 1 m."""
    height = 1.0 + ABOVE.get(law, 0.0)
    rope: Any = sp.Rope(segments=1, length=0.1)
    pair = sp.Body(
        rope, sp.HookeSpring(stretch=1e-6), name="pair", mass=2.0,
        initial=sp.Initial(position=("0", str(height), "X"), velocity=(SPEED, 0.0, 0.0)),
    )  # fmt: skip
    ground = sp.Obstacle(sp.ImplicitShape("x^2 + y^2 - 1"), **LAWS[law])
    model = sp.assemble(sp.World([pair], obstacles=[ground], gravity=GRAVITY), h=H)
    found = []
    for frame in sp.simulate(model, sp.AVF(), h=H, steps=int(1.05 / H)):
        x, y = frame.state.x[0, :2]
        v = frame.state.v[0]
        found.append([float(np.degrees(np.arctan2(x, y))), float(np.hypot(x, y)) - 1.0, 0.5 * float(v @ v)])
    return found


def _draw_steps(axes: Axes) -> None:
    angle = np.linspace(-0.75, 0.75, 400)
    axes.fill_between(np.sin(angle), np.cos(angle), 0.6, color="#b9b3a6", linewidth=0)
    side = np.linspace(-0.6, 0.6, 400)
    axes.fill_between(side, np.sqrt(1.0 - side**2), 1.0, color="#d55e00", alpha=0.45, linewidth=0)
    axes.axhline(1.0, color="#d55e00", linewidth=1.2)
    axes.plot([0.0], [1.0], "o", color="#222222", markersize=6)
    arrows: Sequence[tuple[float, float, str]] = (
        (0.45, 1.12, "#0072b2"),
        (0.5, 0.91, "#d55e00"),
        (-0.4, 0.945, "#d55e00"),
    )
    for x, y, colour in arrows:
        axes.annotate("", (x, y), (0.0, 1.0), arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.6})
    axes.text(-0.64, 1.02, "tangent plane", fontsize=8.5, color="#d55e00")
    axes.text(0.46, 1.13, "allowed", fontsize=8.5, color="#0072b2")
    axes.text(0.3, 0.82, "rejected", fontsize=8.5, color="#d55e00")
    axes.set(xlim=(-0.66, 0.72), ylim=(0.72, 1.22), title="Steps of a vertex on a ball", xticks=[], yticks=[])
    axes.set_aspect("equal")
    axes.grid(visible=False)
