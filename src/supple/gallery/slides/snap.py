"""A thin shell that is pressed in and snaps back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.runs.results import Run
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SCENE = "snapping-shell"
DEPTH = 0.08
"""To which the pole is pressed [m]."""


@PANELS("L7")
class SnappingShell(Panel):
    title = "A shell snaps back"
    claim = (
        "Stretch, area and bending of triangles make a shell: pressed in it stores energy in a dent, let go it snaps back to "
        "its shape."
    )
    setup = "discrete shell of 1,280 triangles, radius 0.1 m: its pole pressed by 8 cm in 20 steps; let go from a mirrored dent"
    command = "supple run snapping-shell"

    def study(self, desk: Desk) -> Iterable[Figure]:
        pressed, back = desk.run("pressed", SCENE, settings=PRESSED), desk.run("back", SCENE)
        _drawn(desk, pressed, back)
        force, _ = _force(pressed)
        peak = int(np.argmax(force[: len(force) // 2]))
        softer = float(force[peak:].min() / force[peak])
        yield Figure("force of the finger after its first peak, at least, over the peak", softer, at_most(0.9))
        stored = float(pressed.history["external_work"][-1] / pressed.history["elastic"][-1])
        yield Figure("work of the finger over the energy that the pressed shell stores", stored, about(1.0, 0.05))
        history, dent = back.history, float(back.history["total"][0])
        yield Figure("energy of the dent", dent, at_least(0.5), "J")
        yield Figure("greatest share of it that is motion", float(history["kinetic"].max()) / dent, at_least(0.1))
        yield Figure(
            "elastic energy at the end over that of the dent", float(history["elastic"][-1]) / dent, at_most(0.05)
        )
        yield Figure("farthest vertex from its place at the end, over the radius", _missed(back), at_most(0.1))


def _drawn(desk: Desk, pressed: Run, back: Run) -> None:
    force, depth = _force(pressed)
    history = back.history

    def draw(canvas: Canvas) -> None:
        left, right = canvas.subplots(1, 2)
        given = {"force": (1e3 * depth, force)}
        curves(left, given, "depth of the pole [mm]", "force [N]", title="pressed", labels=False)
        given = {name: (1e3 * history["time"], history[name]) for name in ("elastic", "kinetic")}
        curves(right, given, "time [ms]", "energy [J]", title="let go")

    words = "Left: the force passes a peak, beyond which the dent grows by itself. Right: the dent becomes motion within 50 ms."
    desk.plot("energies", draw, words, size=(8.8, 3.4), wide=True)
    quarters, early = [0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 1 / 60, 2 / 60, 3 / 60, 0.5]
    desk.strip("press", {"pressed": pressed}, quarters, "Pressed at the pole, in equilibrium.", size=(220, 190))
    desk.strip("snap", {"back": back}, early, "Let go from the mirrored dent.", size=(220, 190))


MOTION = (
    "body.0.motion=[{ group = 'pole', keyframes = [{ time = 0.0, offset = [0, 0, 0] }, "
    f"{{ time = 1.0, offset = [0, {-DEPTH}, 0] }}] }}]"
)
PRESSED = (
    "body.0.initial={}", "integrator.name=quasi-static", "time.step=0.05", "time.duration=1", "record.fps=20", MOTION,
)  # fmt: skip


def _force(run: Run) -> tuple[Array, Array]:
    """Of the finger between two equilibria: its work over the way."""
    work, time = run.history["external_work"], run.history["time"]
    return np.diff(work) / np.diff(DEPTH * time), DEPTH * 0.5 * (time[1:] + time[:-1])


def _missed(run: Run) -> float:
    rest = run.setup.assemble().mesh.vertices
    return float(np.linalg.norm(run.positions[-1] - rest, axis=1).max()) / 0.1
