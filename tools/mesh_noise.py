"""Noise at the scale of the mesh at the end of runs: how fast vertices move against the mean of their neighbours.

    python tools/mesh_noise.py RUN_FOLDER ...

Prints root mean squares over inner vertices of the first body of each run, and the mean number of Newton iterations per step.

- |v - mean of the neighbours' v| [m/s], between the last two frames;
- |x - mean of the neighbours' x| over the mean edge [-], in the last frame.
"""

import sys
from pathlib import Path

import numpy as np

from supple.mesh.topology import surface
from supple.recording.history import read_history
from supple.recording.playback import open_animation
from supple.scene.text.load import load_scene


def main(folder: Path) -> None:
    mesh = load_scene(folder / "scene.toml").make().assemble(overlapping=True).placed[0].mesh
    corners = surface(mesh)
    sides = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    edges, uses = np.unique(sides, axis=0, return_counts=True)
    inner = np.setdiff1d(edges.ravel(), edges[uses == 1].ravel())
    length = np.linalg.norm(mesh.vertices[edges[:, 0]] - mesh.vertices[edges[:, 1]], axis=1).mean()
    count = np.bincount(edges.ravel(), minlength=mesh.n)

    def apart(field: np.ndarray) -> float:
        """Root mean square distance from the mean of the neighbours."""
        total = np.zeros_like(field)
        np.add.at(total, edges[:, 0], field[edges[:, 1]])
        np.add.at(total, edges[:, 1], field[edges[:, 0]])
        off = (field - total / np.maximum(count, 1)[:, None])[inner]
        return float(np.sqrt((off**2).sum(axis=1).mean()))

    with open_animation(folder / "animation.vtkhdf") as animation:
        last = len(animation) - 1
        before, after = (animation.points(k)[: mesh.n].astype(float) for k in (last - 1, last))
        h = animation.times[last] - animation.times[last - 1]
    iterations = read_history(folder / "history.csv")["newton_iterations"][1:].mean()
    speed = apart((after - before) / h)
    sys.stdout.write(
        f"{folder}: {speed:.3f} m/s, {apart(after) / length:.3f} of an edge, {iterations:.1f} iterations per step\n"
    )


for run in sys.argv[1:]:
    main(Path(run))
