"""A thin shell that is dented and snaps back."""

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
"""Prescribed depth of the pole [m]."""


@PANELS("L7")
class SnappingShell(Panel):
    title = "A shell snaps back"
    claim = (
        "Stretch, area and bending energies of triangles make a shell. Pressed in, it stores energy in "
        "a dent. Released, it snaps back to its rest shape."
    )
    setup = (
        "discrete shell of 1,280 triangles, radius 0.1 m: pole pressed in by 8 cm in 20 steps; released "
        "from a mirrored dent"
    )
    command = "supple run snapping-shell"

    def study(self, desk: Desk) -> Iterable[Figure]:
        pressed, back = desk.run("pressed", SCENE, settings=PRESSED), desk.run("back", SCENE)
        _drawn(desk, pressed, back)
        force, _ = _force(pressed)
        peak = int(np.argmax(force[: len(force) // 2]))
        softer = float(force[peak:].min() / force[peak])
        yield Figure("lowest finger force after the first peak, relative to the peak", softer, at_most(0.9))
        stored = float(pressed.history["external_work"][-1] / pressed.history["elastic"][-1])
        yield Figure("work of the finger relative to the energy stored in the pressed shell", stored, about(1.0, 0.05))
        history, dent = back.history, float(back.history["total"][0])
        yield Figure("energy of the dent", dent, at_least(0.5), "J")
        yield Figure(
            "largest fraction of it that becomes kinetic", float(history["kinetic"].max()) / dent, at_least(0.1)
        )
        yield Figure(
            "final elastic energy relative to that of the dent", float(history["elastic"][-1]) / dent, at_most(0.05)
        )
        yield Figure(
            "largest final distance of a vertex from its rest position, relative to the radius",
            _missed(back),
            at_most(0.1),
        )


def _drawn(desk: Desk, pressed: Run, back: Run) -> None:
    force, depth = _force(pressed)
    history = back.history

    def draw(canvas: Canvas) -> None:
        left, right = canvas.subplots(1, 2)
        given = {"force": (1e3 * depth, force)}
        curves(left, given, "depth of the pole [mm]", "force [N]", title="pressed", labels=False)
        given = {name: (1e3 * history["time"], history[name]) for name in ("elastic", "kinetic")}
        curves(right, given, "time [ms]", "energy [J]", title="after release")

    words = (
        "Left: the force reaches a peak, beyond which the dent grows unstably. Right: the energy of the "
        "dent becomes kinetic within 50 ms."
    )
    desk.plot("energies", draw, words, size=(8.8, 3.4), wide=True)
    quarters, early = [0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 1 / 60, 2 / 60, 3 / 60, 0.5]
    desk.strip("press", {"pressed": pressed}, quarters, "The pole is pressed in, in equilibrium.", size=(220, 190))
    desk.strip("snap", {"back": back}, early, "Released from the mirrored dent.", size=(220, 190))


MOTION = (
    "body.0.motion=[{ group = 'pole', keyframes = [{ time = 0.0, offset = [0, 0, 0] }, "
    f"{{ time = 1.0, offset = [0, {-DEPTH}, 0] }}] }}]"
)
PRESSED = (
    "body.0.initial={}", "integrator.name=quasi-static", "time.step=0.05", "time.duration=1", "record.fps=20", MOTION,
)  # fmt: skip


def _force(run: Run) -> tuple[Array, Array]:
    """Finger force between two equilibria: work divided by displacement."""
    work, time = run.history["external_work"], run.history["time"]
    return np.diff(work) / np.diff(DEPTH * time), DEPTH * 0.5 * (time[1:] + time[:-1])


def _missed(run: Run) -> float:
    rest = run.setup.assemble().mesh.vertices
    return float(np.linalg.norm(run.positions[-1] - rest, axis=1).max()) / 0.1
