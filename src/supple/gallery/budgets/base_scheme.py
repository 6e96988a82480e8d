"""The base scheme of the source: explicit elastic forces, implicit damping."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import supple as sp
from supple.errors import SuppleError
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.loop import Frame
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

H = 0.004
TIME = 0.2
STRONG = 3000.0
"""Viscosity at which explicit damping is unstable at this step [Pa s]."""


@PANELS("S-a12")
class BaseScheme(Panel):
    title = "Semi-implicit Newmark"
    claim = (
        "Damping is solved implicitly once per half step and does not limit the step size. Elastic "
        "forces remain explicit. Obstacles act between the velocity and position updates."
    )
    setup = (
        "stretched, spinning cube (2 x 2 x 2 cells), viscosity 3000 Pa s, steps of 1/250 s; a cube on a rising plate"
    )
    command = "supple run dropped-ball-verlet --set integrator.name=semi-implicit-newmark"

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = round(TIME / H)
        ours = _frames(_cube(STRONG), sp.SemiImplicitNewmark(), H, steps)
        fine = _frames(_cube(STRONG), sp.SemiImplicitNewmark(), H / desk.size(8, 64), steps * desk.size(8, 64))
        explicit = _frames(_cube(STRONG), sp.Verlet(), H, steps)

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            given = {"implicit damping": _energy(ours), "small step": _energy(fine), "Verlet": _energy(explicit)}
            curves(axes, given, "time [s]", "energy / initial energy", log="y", limits=(1e-1, 1e3))
            mark(axes, 1.0, "")

        desk.plot("energies", draw, "The same damping, implicit and explicit.")
        yield Figure(
            "energy with explicit damping, relative to its initial value",
            float(_energy(explicit)[1].max()),
            at_least(10.0),
        )
        end = np.abs(ours[-1].state.x - fine[-1].state.x).max()
        yield Figure("final difference from a run at small steps", float(end), at_most(2e-3), "m")
        yield Figure("difference from Verlet without damping", _against_verlet(), at_most(1e-11), "m")
        yield Figure("observed order with damping", _order(), about(2.0, 0.25))
        yield Figure("height of a cube on a plate rising at 0.5 m/s for 0.5 s", _lifted(), about(0.25, 1e-6), "m")


def _cube(shear: float, *obstacles: sp.Obstacle) -> sp.Model:
    moving = sp.Initial(position=("1.2 * X", "Y", "0.9 * Z"), velocity=("-2 * Y", "2 * X", 0.3))
    shape, still = sp.Cube(cells=2, size=0.2).mesh(), sp.Initial()
    body = sp.Body(
        shape, sp.StableNeoHookean.from_young(2e4, 0.3), density=1000.0, initial=still if obstacles else moving
    )
    damping = [sp.Viscosity(shear=shear)] if shear else []
    gravity = 9.81 if obstacles else 0.0
    return sp.assemble(sp.World([body], obstacles=list(obstacles), damping=damping, gravity=gravity))


def _frames(model: sp.Model, method: sp.Method, h: float, steps: int) -> list[Frame]:
    """Ends at a blow-up."""
    frames: list[Frame] = []
    try:
        for frame in sp.simulate(model, method, h=h, steps=steps):
            frames.append(frame)
    except SuppleError:
        pass
    return frames


def _energy(frames: list[Frame]) -> tuple[Array, Array]:
    total = np.array([frame.ledger.energies.total for frame in frames])
    return np.array([frame.state.t for frame in frames]), total / total[0]


def _against_verlet() -> float:
    ours, theirs = (_frames(_cube(0.0), m, 0.002, 50)[-1].state.x for m in (sp.SemiImplicitNewmark(), sp.Verlet()))
    return float(np.abs(ours - theirs).max())


def _order() -> float:
    """Observed over two halvings of the step, with moderate damping."""
    counts = (50, 100, 200)
    ends = [_frames(_cube(30.0), sp.SemiImplicitNewmark(), 0.1 / n, n)[-1].state.x for n in counts]
    errors = [float(np.abs(a - b).max()) for a, b in pairwise(ends)]
    return float(np.log2(errors[0] / errors[1]))


def _lifted() -> float:
    rising = sp.Moves(translate=sp.Translation((0.0, 0.5, 0.0)))
    plate = sp.Obstacle(sp.HalfSpace(), law="projection", motion=rising)
    last = _frames(_cube(50.0, plate), sp.SemiImplicitNewmark(), 0.002, 250)[-1]
    return float(last.state.x[:, 1].min())
