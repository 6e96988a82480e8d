"""A picture or a film that shows itself in a notebook."""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.render.camera import CAMERAS
from supple.render.gl import Drawing, probe
from supple.render.shot import film_times, make_shot

if TYPE_CHECKING:
    from supple.render.pictures import Picture
    from supple.types import Array

SIZE = (640, 400)


@dataclass(frozen=True)
class Still:
    """A PNG; shows itself in a notebook."""

    png: bytes

    def save(self, path: str | Path) -> None:
        Path(path).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png


@dataclass(frozen=True)
class Clip:
    """A GIF; shows itself in a notebook."""

    gif: bytes

    def save(self, path: str | Path) -> None:
        Path(path).write_bytes(self.gif)

    def _repr_html_(self) -> str:
        return f'<img src="data:image/gif;base64,{base64.b64encode(self.gif).decode()}">'


def still(run: Path, t: float | None = None, size: tuple[int, int] = SIZE, renderer: str = "auto") -> Still:
    """One picture of a recorded run, at a time [s] or at its end."""
    from PIL import Image

    (picture,) = _pictures(run, None if t is None else np.array([t]), size, renderer)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return Still(file.getvalue())


def clip(run: Path, fps: float = 12.5, size: tuple[int, int] = SIZE, renderer: str = "auto", workers: int = 1) -> Clip:
    """The film of a recorded run, drawn by so many processes."""
    from supple.render.video import open_video

    folder = RunFolder.open(run)
    with open_film(folder) as film:
        times = film_times([film], fps)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "clip.gif"
        with open_video(file, fps) as add:
            for picture in _pictures(run, times, size, renderer, workers=workers):
                add(picture)
        return Clip(file.read_bytes())


def _pictures(
    run: Path, times: Array | None, size: tuple[int, int], renderer: str, workers: int = 1
) -> Iterator[Picture]:
    """At some times, or at the end."""
    from supple.render.frames import draw_frames

    with open_film(RunFolder.open(run)) as film:
        chosen = film.times[-1:] if times is None else times
        shot = make_shot([run], [film], chosen, size, CAMERAS["iso"], "none")
    drawing = Drawing(False) if renderer == "plain" else probe()
    yield from draw_frames(
        shot, [float(t) for t in chosen], "vtk" if drawing.works else "plain", drawing, min(workers, len(chosen))
    )
