"""Recorded runs to draw, made without simulating: a box, a cloth, a rope, all in known motion."""

from pathlib import Path

import numpy as np

from supple.mesh.mesh import Mesh, join
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Rope
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.film import body_ranges, open_film
from supple.recording.folder import RunFolder
from supple.render.camera import CAMERAS, Camera
from supple.render.pictures import Picture, Pictures
from supple.render.shot import Shot, film_times, make_shot

FPS = 10.0


def box() -> Mesh:
    return Bar(cells=(2, 2, 2), size=(1.0, 1.0, 1.0)).mesh()


def sheet(facing: float) -> Mesh:
    """A square in the plane z = 0 whose front looks to +z, or to -z."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(corners, triangles=triangles if facing > 0 else triangles[:, ::-1])


def rope() -> Mesh:
    return Rope(segments=8, origin=(0.0, 0.5, 0.0)).mesh()


def record(
    folder: Path,
    frames: int = 6,
    *meshes: Mesh,
    method: str = "avf",
    move: float = 0.0,
    strain: float = 1.0,
    up: str = "y",
) -> Path:
    """Bodies (a box by default) that move along x by `move` [m/s]; strains grow with time and with x."""
    named = {f"body {k}": mesh for k, mesh in enumerate(meshes or (box(),))}
    whole = join(named)
    metadata = {
        "up": up, "scene": "moving", "integrator": method,
        "bodies": body_ranges([(name, mesh.n) for name, mesh in named.items()]),
    }  # fmt: skip
    run = RunFolder.create(folder)
    writer = AnimationWriter.create(run.animation, Cells.of(whole), whole.n, frames, metadata)
    for k in range(frames):
        x = whole.vertices + np.array([move * k / FPS, 0, 0])
        v = np.tile([move, 0.0, 0.0], (whole.n, 1))
        writer.record(k / FPS, x, v, strain * k * (0.5 + whole.vertices[:, 0]))
    writer.close()
    run.close()
    return folder


def shot_of(
    *runs: Path, size: tuple[int, int] = (320, 180), camera: Camera = CAMERAS["iso"], colour: str = "energy"
) -> Shot:
    films = [open_film(RunFolder.open(run)) for run in runs]
    try:
        return make_shot(runs, films, film_times(films, FPS), size, camera, colour)
    finally:
        for film in films:
            film.close()


def draw(shot: Shot, t: float, renderer: str) -> Picture:
    with Pictures(shot, renderer) as pictures:
        return pictures.draw(t)


def colourful(picture: Picture) -> np.ndarray:
    """Where pixels are neither white nor grey: bodies, coloured writing, the bar."""
    return np.ptp(picture.astype(int), axis=2) > 40


def middle_of(picture: Picture, shot: Shot, point: list[float]) -> np.ndarray:
    """The colour where a point of the world is seen in the first panel."""
    (u, w), _ = (a[0] for a in shot.view.project(np.array([point])))
    return picture[int(w), int(u)].astype(int)
