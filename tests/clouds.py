"""Recorded runs of material points, made without simulating: a block that falls and spreads, with some drops beside it."""

from pathlib import Path

import numpy as np

from supple.mesh.mesh import Mesh, join
from supple.mesh.shapes.solid import Bar
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.clouds import spacings_text
from supple.recording.film import body_ranges
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import COLUMNS, COUNTS, HistoryWriter

FPS = 10.0
SCENE = """
title = "heap"
[world]
up = "y"
[time]
step = 0.1
duration = 0.3
[[obstacle]]
name = "floor"
shape = "half-space"
"""


def block(cells: int = 8, size: float = 1.0, jitter: float = 0.5, drops: int = 5) -> Mesh:
    """Points of a cube on the ground, and drops high above it."""
    rng = np.random.default_rng(1)
    spacing = size / cells
    lattice = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    x = spacing * (lattice + 0.5 + jitter * rng.uniform(-0.5, 0.5, lattice.shape))
    high = size * np.stack([np.linspace(0, 1, drops), np.full(drops, 1.6), np.full(drops, 0.5)], axis=1)
    return Mesh(np.concatenate([x, high]))


def moved(x: np.ndarray, t: float) -> np.ndarray:
    """Flatter and wider, with its volume."""
    middle, wide = np.array([0.5, 0.0, 0.5]), 1.0 + t
    return middle + (x - middle) * np.array([wide, 1.0 / wide**2, wide])


def record_cloud(
    folder: Path, frames: int = 4, spacing: float | None = None, beside: bool = False, cells: int = 8
) -> Path:
    """A cloud by the name of sand, and perhaps a box of tets; `spacing` is recorded if given."""
    named = {"sand": block(cells)}
    if beside:
        named["box"] = Bar(cells=(2, 2, 2), size=(0.5, 0.5, 0.5), origin=(2.0, 0.0, 0.0)).mesh()
    whole = join(named)
    metadata = {
        "up": "y", "scene": "heap", "integrator": "mpm",
        "bodies": body_ranges([(name, mesh.n) for name, mesh in named.items()]),
    }  # fmt: skip
    if spacing is not None:
        metadata["spacings"] = spacings_text([("sand", spacing)])
    run = RunFolder.create(folder)
    run.scene.write_text(SCENE, encoding="utf-8")
    writer = AnimationWriter.create(
        run.animation, Cells.of(whole, np.arange(named["sand"].n)), whole.n, frames, metadata
    )
    for k in range(frames):
        x = moved(whole.vertices, k / FPS)
        v = (moved(whole.vertices, k / FPS + 1e-4) - x) / 1e-4
        writer.record(k / FPS, x, v, 100.0 * (1 + k) * (1.2 - x[:, 1]).clip(0))
    writer.close()
    history = HistoryWriter.create(run.history)
    for k in range(frames):
        row = dict.fromkeys(COLUMNS, 0.0) | dict.fromkeys(COUNTS, 0)
        history.append(
            row | {"step": k, "time": k / FPS, "h": 1 / FPS, "kinetic": 2.0 * k, "gravity": 9.0, "total": 9.0}
        )
    history.close()
    run.mark(RunStatus.FINISHED)
    run.close()
    return folder
