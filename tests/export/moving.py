"""A recorded film of a bending bar (tets), a cloth (triangles) and a rope (edges), whose motion is known."""

from pathlib import Path

import numpy as np

from supple.export.export import Choice, Exported, export, find_format
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh, join
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.film import Film, body_ranges, open_film
from supple.recording.folder import RunFolder

FPS = 24.0
FRAMES = 12


def bodies() -> dict[str, Mesh]:
    bar = SHAPES.find("bar")(cells=(4, 2, 2), size=(1.0, 0.5, 0.5)).mesh()
    corners = np.array([[0, 0, 2.0], [1, 0, 2], [1, 1, 2], [0, 1, 2]])
    cloth = Mesh(corners, triangles=np.array([[0, 1, 2], [0, 2, 3]]))
    beads = np.stack([np.linspace(0, 1, 6), np.zeros(6), np.full(6, 3.0)], axis=1)
    rope = Mesh(beads, edges=np.array([[0, 1], [2, 1], [2, 3], [3, 4], [4, 5]]))
    return {"bar": bar, "my cloth": cloth, "rope": rope}


def motion(X: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities at time t of the rest positions X."""
    wave = X[:, :1] + 0.5 * np.array([1.0, 2.0, 3.0])
    return X + 0.2 * np.sin(3 * t + wave), 0.6 * np.cos(3 * t + wave)


def record(
    folder: Path, meshes: dict[str, Mesh], times: np.ndarray, up: str = "y", burst: int | None = None
) -> RunFolder:
    """A run folder with frames at these times; from the frame `burst` on positions are not numbers."""
    run = RunFolder.create(folder)
    whole = join(meshes)
    metadata = {"up": up, "scene": "moving", "bodies": body_ranges([(name, mesh.n) for name, mesh in meshes.items()])}
    writer = AnimationWriter.create(run.animation, Cells.of(whole), whole.n, len(times), metadata)
    for k, t in enumerate(times):
        x, v = motion(whole.vertices, t)
        x = x if burst is None or k < burst else x * np.nan
        writer.record(float(t), x, v, np.abs(x[:, 0]) * (1 + t))
    writer.close()
    run.close()
    return run


def film(folder: Path, up: str = "y", only: str | None = None, burst: int | None = None) -> Film:
    meshes = {name: mesh for name, mesh in bodies().items() if only in (None, name)}
    return open_film(record(folder, meshes, np.arange(FRAMES) / FPS, up, burst))


def write(source: Film, to: str, out: Path, overwrite: bool = False, **choice: object) -> Exported:
    return export(source, find_format(to), out, Choice(**choice), overwrite)


def surface_positions(source: Film, k: int, part: int) -> np.ndarray:
    return source.frame(k).x[source.parts[part].vertices]
