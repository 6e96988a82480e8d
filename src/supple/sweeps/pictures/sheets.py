"""A contact sheet from Python: the same picture or film as `supple render` draws of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from supple.errors import SuppleError
from supple.render.cameras.reading import read_camera
from supple.render.colouring import check_quantity
from supple.render.films import open_films
from supple.render.gl import Drawing, probe
from supple.render.sheet import CELL
from supple.render.shot import Shot, film_times, make_shot, still_times
from supple.render.video import FPS, check_target, write_film
from supple.sweeps.manifest import Manifest
from supple.sweeps.pictures.arrange import arrange
from supple.sweeps.pictures.crew import open_crew
from supple.types import Array


def write_sheet(
    manifest: Manifest,
    to: Path,
    columns: str | None = None,
    rows: str | None = None,
    *,
    time: float | Sequence[float] | None = None,
    fps: float | None = None,
    slow: float = 1.0,
    size: tuple[int, int] = CELL,
    camera: str = "iso",
    colour: str = "energy",
    colour_top: float | None = None,
    renderer: str = "auto",
    workers: int | None = None,
    scheduler: str | None = None,
    overwrite: bool = False,
) -> None:
    """See `Sweep.sheet`."""
    kind = check_target(to, overwrite)
    still = kind == ".png"
    if time is not None and not still:
        raise SuppleError(f"time: applies to a .png, and {to.name} is a film, which runs from start to end")
    sheet = arrange(manifest, columns, rows)
    view, quantity, rate = read_camera(camera), check_quantity(colour), fps or FPS[kind]
    with open_films(sheet.runs) as films:
        moments = [time] if isinstance(time, int | float) else time
        times = still_times(films, moments) if still else film_times(films, rate * slow)
        surveyed = film_times(films, FPS[".mp4"]) if still else times
        shot = make_shot(
            sheet.runs, films, surveyed, size, view, quantity, slow=slow, top=colour_top, sheet=sheet
        )  # fmt: skip
    _draw(shot, times, to, rate, renderer, workers, scheduler)


def _draw(
    shot: Shot, times: Array, to: Path, fps: float, renderer: str, workers: int | None, scheduler: str | None
) -> None:
    drawing = Drawing(False) if renderer == "plain" else probe()
    if renderer == "vtk" and not drawing.works:
        raise SuppleError(f"renderer 'vtk': {drawing.reason}; or use 'plain'")
    if workers is None and scheduler is None:
        workers = 1  # a script need not support multiprocessing
    with open_crew(shot, times, "vtk" if drawing.works else "plain", drawing, workers, scheduler) as crew:
        write_film(crew.pictures, to, fps, lambda k: None)
