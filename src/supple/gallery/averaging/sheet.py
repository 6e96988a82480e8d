"""A wave in a thin sheet, against a run with tiny steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.gallery.desk import Desk
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SCENE = "thin-sheet"
METHODS = ("avf", "bdf2", "backward-euler")
QUARTER = ("body.0.mesh.cells=[60,20]", "body.0.mesh.size=[1.5,0.5]", "body.0.mass=0.25")
"""The first quarter of the sheet: the same cells, the same strike."""
FINER = 300
"""Steps of the gold run for each of the others."""


@PANELS("R9")
class Wave(Panel):
    title = "A wave in a thin sheet"
    claim = "AVF shows the wrinkles of a run with tiny steps; BDF1 and BDF2 lose them."
    setup = (
        "thin-sheet scene, its first quarter (1,281 vertices; in full 5,061 vertices and 24,258 springs), stretch 200, bend 100, "
        "20 steps of 1/30 s; gold: Verlet at 1/9000 s"
    )
    command = "supple compare thin-sheet --integrators avf,bdf2,backward-euler --steps 20"

    def study(self, desk: Desk) -> Iterable[Figure]:
        settings = [*desk.size(QUARTER, ()), f"time.duration={20 / 30}"]
        runs = {
            name: desk.run(name, SCENE, settings=[*settings, f"integrator={{name='{name}'}}"]) for name in METHODS
        }  # fmt: skip
        built = runs["avf"].setup.assemble()
        gold = np.array(list(tiny_steps(built.system, built.state, 1 / 30, 20)))
        moved = np.linalg.norm(gold - built.state.x, axis=(1, 2))
        heights = {
            "tiny steps": gold,
            **{name: np.asarray(run.positions[1:], dtype=float) for name, run in runs.items()},
        }
        errors = {
            name: float((np.linalg.norm(heights[name] - gold, axis=(1, 2)) / moved).mean()) for name in METHODS
        }  # fmt: skip
        across = desk.size(60, 240)
        rough = {name: _rough(x[-1, :, 2].reshape(across + 1, 21)) for name, x in heights.items()}

        def draw(canvas: Canvas) -> None:
            top = np.abs(gold[-1, :, 2]).max()
            for axes, (name, x) in zip(canvas.subplots(2, 2).ravel(), heights.items(), strict=True):
                axes.imshow(
                    x[-1, :, 2].reshape(across + 1, 21).T,
                    cmap="RdBu_r",
                    vmin=-top,
                    vmax=top,
                    aspect="auto",
                    origin="lower",
                )
                axes.set_title(name if name == "tiny steps" else f"{name}: error {errors[name]:.2f}")
                axes.set(xticks=[], yticks=[])
                axes.grid(False)

        desk.plot(
            "heights", draw, "Height of the sheet after 20 frames, on one scale: red is up.", size=(9.0, 3.6), wide=True
        )
        printed = {"avf": "0.188 at full size", "bdf2": "0.249 at full size", "backward-euler": "0.468 at full size"}
        for name in METHODS:
            yield Figure(f"error of the positions, mean over the frames, {name}", errors[name], printed=printed[name])
        yield Figure("error of AVF over that of BDF2", errors["avf"] / errors["bdf2"], at_most(1.0))
        yield Figure("error of AVF over that of BDF1", errors["avf"] / errors["backward-euler"], at_most(0.6))
        yield Figure("ripples kept by AVF, over the gold run", rough["avf"] / rough["tiny steps"], at_least(0.7))
        yield Figure("ripples kept by BDF1", rough["backward-euler"] / rough["tiny steps"], at_most(0.3))
        yield Figure("ripples kept by BDF2", rough["bdf2"] / rough["tiny steps"])


def tiny_steps(system: System, start: State, h: float, frames: int) -> Iterator[Array]:
    """Positions after each frame, by Verlet; written out, since a ledger of every small step would cost more than the step."""
    dt = h / FINER
    x, v = start.x.copy(), system.motion.drive(start.v, 0.0)
    inverse = np.zeros((system.n, 1))
    inverse[system.free, 0] = 1.0 / system.mass[system.free]
    kick = -0.5 * dt * inverse * system.potential.gradient(x)
    for _ in range(frames):
        for _ in range(FINER):
            v += kick
            x += dt * v
            kick = -0.5 * dt * inverse * system.potential.gradient(x)
            v += kick
        yield x.copy()


def _rough(z: Array) -> float:
    """How much of the height changes from node to node along the sheet."""
    return float(np.linalg.norm(np.diff(z, axis=0)))
