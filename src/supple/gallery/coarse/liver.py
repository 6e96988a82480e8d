"""An organ with stiff vessels that falls to the ground, and its coarse version."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.coarsening.cage import cage
from supple.coarsening.coarse_body import load_coarse_body
from supple.coarsening.coarsen import coarsen
from supple.contact.obstacles.half_space import HalfSpace
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.integrators.implicit.bdf2 import BDF2
from supple.loop import simulate
from supple.model.assemble import assemble
from supple.model.body import Body
from supple.model.fine_body import fine_body
from supple.model.initial import Initial, Turn
from supple.model.materials.coarse import Coarse
from supple.model.obstacle import Obstacle
from supple.model.source import CoarseFile
from supple.model.world import World
from supple.runs.results import Run
from supple.scene.text.load import load_scene
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

GRAVITY = 9.81
STEP = 1 / 100
GROUND = Obstacle(HalfSpace(), name="ground")
FULL = 22
"""Resolution with 213 thousand tets."""
COLOUR = "#b1403a"
CLOSE = 0.004
"""Height above the ground from which steps are timed [m]."""


@PANELS("K4.1")
class FallingLiver(Panel):
    title = "An organ with vessels falls to the ground"
    claim = (
        "A coarse organ of 640 tets falls, lands and wobbles like the fine one of 200 thousand, over 100 times faster."
    )
    setup = (
        "liver-with-veins scene: 2,500 tets and their coarse version for the motion, 43,940 tets for "
        "the time per step; BDF2, 1/100 s; contact at the fine surface"
    )
    command = "supple coarsen liver-with-veins --cells 7,3,4; then mesh = { coarse = FILE, contact = 'fine' }"
    alone = True
    threads = 2

    def study(self, desk: Desk) -> Iterable[Figure]:
        shown, timed = desk.size(5, FULL), desk.size(13, FULL)
        steps = desk.size(40, 60)
        worlds = _worlds(desk.folder, shown, Initial(translate=(0.0, 0.14, 0.0), rotate=_tilt()))
        runs = {name: desk.run(name, world, BDF2(), h=STEP, steps=steps) for name, world in worlds.items()}
        made = load_coarse_body(_coarse_file(desk.folder, shown))
        tets = {"fine": made.facts["fine_tets"], "coarse": made.facts["coarse_tets"]}
        labels = {f"{name}\n{tets[name]:,} tets": run for name, run in runs.items()}
        times = np.array([0.0, 0.12, 0.17, 0.26, steps * STEP])
        desk.strip(
            "fall",
            labels,
            times,
            "Both show the fine surface. The coarse organ touches the ground with its own.",
        )
        heights = {name: _fallen(run, float(made.mass.sum())) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            given = {name: (run.history["time"], heights[name]) for name, run in runs.items()}
            curves(canvas.subplots(), given, "time [s]", "rise of the centre of mass [m]")

        desk.plot("heights", draw, "Both bodies land, bounce and settle at the same times.")
        low = -float(heights["fine"].min())
        off = float(np.abs(heights["coarse"] - heights["fine"]).max())
        yield Figure("largest difference between the heights, relative to the drop", off / low, at_most(0.1))
        seconds = desk.kept("seconds", lambda: _seconds(desk.folder, timed, desk.size(3, 12)))
        facts = load_coarse_body(_coarse_file(desk.folder, timed)).facts
        what = f"time per step at impact, {facts['fine_tets']:,} tets relative to {facts['coarse_tets']}"
        yield Figure(what, seconds["fine"] / seconds["coarse"], at_least(100.0), "times", "over 100", timed=True)


def _worlds(folder: Path, resolution: int, initial: Initial) -> dict[str, World]:
    """The fine organ above the ground, and the coarse one at the same place."""
    file = _coarse_file(folder, resolution)
    body = load_scene("liver-with-veins", [f"body[0].mesh.resolution={resolution}"]).make().world.bodies[0]
    fine = replace(body, pin=(), initial=initial, colour=COLOUR)
    coarse = Body(CoarseFile(str(file), contact="fine"), Coarse(), name="liver", initial=initial, colour=COLOUR)
    return {
        name: World([own], obstacles=[GROUND], gravity=GRAVITY) for name, own in (("fine", fine), ("coarse", coarse))
    }


def _coarse_file(folder: Path, resolution: int) -> Path:
    """The coarse organ, built once."""
    file = folder / f"liver-{resolution}.npz"
    if not file.exists():
        fine = fine_body(load_scene("liver-with-veins", [f"body[0].mesh.resolution={resolution}"]).make().world)
        coarsen(fine, cage(fine.vertices, fine.tets, (7, 3, 4) if resolution < FULL else (8, 4, 4))).save(file)
    return file.resolve()


def _tilt() -> Turn:
    return Turn(axis=(0.0, 0.0, 1.0), angle=0.45, centre=(0.0, 0.0, 0.0))


def _fallen(run: Run, mass: float) -> Array:
    """Height of the centre of mass relative to the start [m]."""
    gravity = np.asarray(run.history["gravity"])
    return (gravity - gravity[0]) / (mass * GRAVITY)


def _seconds(folder: Path, resolution: int, steps: int) -> dict[str, float]:
    """Median wall time of steps that start just above the ground at 1 m/s."""
    lowest = float(load_coarse_body(_coarse_file(folder, resolution)).skin[:, 1].min())
    falling = Initial(translate=(0.0, CLOSE - lowest, 0.0), velocity=(0.0, -1.0, 0.0))
    found = {}
    for name, world in _worlds(folder, resolution, falling).items():
        model = assemble(world, h=STEP)
        walls, began = [], time.perf_counter()
        for _ in simulate(model.system, BDF2(), model.state, STEP, steps):
            walls.append(time.perf_counter() - began)
            began = time.perf_counter()
        found[name] = float(np.median(walls[2:]))  # the first step includes the analysis of the matrix
    return found
