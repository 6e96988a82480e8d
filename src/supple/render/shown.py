"""A picture or a film that notebooks display."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.interruption.placing import placed, scratch
from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.render.camera import Aims
from supple.render.cameras.reading import read_camera
from supple.render.cameras.turntable import check_period
from supple.render.colouring import check_quantity
from supple.render.gl import Drawing, probe
from supple.render.looks.coats import choose_look
from supple.render.looks.direction import Direction
from supple.render.looks.look import AUTO, SCIENTIFIC, check_look
from supple.render.shot import film_times, make_shot

if TYPE_CHECKING:
    from supple.render.pictures import Picture
    from supple.types import Array

SIZE = (640, 400)


@dataclass(frozen=True)
class Still:
    """A PNG, displayed by notebooks."""

    png: bytes = field(repr=False)

    def save(self, path: str | Path) -> None:
        with placed(Path(path)) as new:
            new.write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png


@dataclass(frozen=True)
class Clip:
    """A GIF, displayed by notebooks."""

    gif: bytes = field(repr=False)

    def save(self, path: str | Path) -> None:
        with placed(Path(path)) as new:
            new.write_bytes(self.gif)

    def _repr_html_(self) -> str:
        return f'<img src="data:image/gif;base64,{base64.b64encode(self.gif).decode()}">'


def still(
    run: Path, t: float | None = None, size: tuple[int, int] = SIZE, renderer: str = "auto", **options: Any
) -> Still:
    """One picture of a recorded run, at a time [s] or at its end; options: see `Shown`."""
    from PIL import Image

    (picture,) = _pictures(run, None if t is None else np.array([t]), size, renderer, Shown(**options))
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return Still(file.getvalue())


def clip(
    run: Path,
    fps: float = 12.5,
    size: tuple[int, int] = SIZE,
    renderer: str = "auto",
    workers: int = 1,
    turntable: float | None = None,
    **options: Any,
) -> Clip:
    """The film of a recorded run, drawn by `workers` processes; with `turntable`, seconds per revolution of the camera.
    Options: see `Shown`."""
    from supple.render.video import open_video

    folder = RunFolder.open(run)
    with open_film(folder) as film:
        times = film_times([film], fps)
    with scratch() as place:
        file = place / "clip.gif"
        with open_video(file, fps) as add:
            for picture in _pictures(run, times, size, renderer, Shown(**options), workers, turntable):
                add(picture)
        return Clip(file.read_bytes())


@dataclass(frozen=True)
class Shown:
    """Display options of a run."""

    camera: str | Aims = "iso"
    """As `--camera` of `supple render`, or a camera."""
    look: str = "auto"
    """As `--look`."""
    colour: str | None = None
    """As `--colour`; None: bodies have their own colours, or that of the look."""
    captions: bool | None = None
    """Labels, clock and colour bar; None: in the scientific look only."""

    def direction(self, run: Path, drawn: Array, turntable: float | None) -> tuple[Direction, str]:
        """The look for this run, and the coloured quantity."""
        quantity = None if self.colour is None else check_quantity(self.colour)
        look = SCIENTIFIC if check_look(self.look) == AUTO and quantity else choose_look(self.look, [run])
        written = not look.shaded if self.captions is None else self.captions
        period = None if turntable is None else check_period(turntable)
        return Direction(look, written, period, drawn=drawn), quantity or (look.colour if look.shaded else "none")


def _pictures(
    run: Path,
    times: Array | None,
    size: tuple[int, int],
    renderer: str,
    shown: Shown,
    workers: int = 1,
    turntable: float | None = None,
) -> Iterator[Picture]:
    """The run at some times, or at the end."""
    from supple.render.frames import draw_frames

    camera = read_camera(shown.camera)
    with open_film(RunFolder.open(run)) as film:
        chosen = film.times[-1:] if times is None else times
        direction, quantity = shown.direction(run, chosen, turntable)
        shot = make_shot([run], [film], chosen, size, camera, quantity, direction=direction)
    plain = renderer == "plain" or (renderer == "auto" and shot.look.shaded)
    drawing = Drawing(False) if plain else probe()
    yield from draw_frames(
        shot, [float(t) for t in chosen], "vtk" if drawing.works else "plain", drawing, min(workers, len(chosen))
    )
