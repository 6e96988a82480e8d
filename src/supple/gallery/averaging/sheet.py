"""A wave in a thin sheet, compared with a reference run at small steps."""

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
"""The first quarter of the sheet, with the same cells and the same impact."""
FINER = 300
"""Reference steps per step of the other methods."""


@PANELS("R9")
class Wave(Panel):
    title = "A wave in a thin sheet"
    claim = "AVF reproduces the wrinkles of a reference run with very small steps. BDF1 and BDF2 lose them."
    setup = (
        "thin-sheet scene, its first quarter (1,281 vertices; full: 5,061 vertices and 24,258 springs), "
        "stretch 200, bend 100, 20 steps of 1/30 s; reference: Verlet at 1/9000 s"
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
            "reference": gold,
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
                axes.set_title(name if name == "reference" else f"{name}: error {errors[name]:.2f}")
                axes.set(xticks=[], yticks=[])
                axes.grid(False)

        desk.plot(
            "heights",
            draw,
            "Height of the sheet after 20 frames, on a common colour scale; red is up.",
            size=(9.0, 3.6),
            wide=True,
        )
        printed = {"avf": "0.188 at full size", "bdf2": "0.249 at full size", "backward-euler": "0.468 at full size"}
        for name in METHODS:
            yield Figure(f"position error, mean over the frames, {name}", errors[name], printed=printed[name])
        yield Figure("error of AVF relative to BDF2", errors["avf"] / errors["bdf2"], at_most(1.0))
        yield Figure("error of AVF relative to BDF1", errors["avf"] / errors["backward-euler"], at_most(0.6))
        yield Figure(
            "ripples retained by AVF, relative to the reference", rough["avf"] / rough["reference"], at_least(0.7)
        )
        yield Figure("ripples retained by BDF1", rough["backward-euler"] / rough["reference"], at_most(0.3))
        yield Figure("ripples retained by BDF2", rough["bdf2"] / rough["reference"])


def tiny_steps(system: System, start: State, h: float, frames: int) -> Iterator[Array]:
    """Positions after each frame, by Verlet. Coded as a plain loop, because an energy ledger would cost more than
    each small step."""
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
    """Magnitude of the height variation between neighbouring nodes along the sheet."""
    return float(np.linalg.norm(np.diff(z, axis=0)))
