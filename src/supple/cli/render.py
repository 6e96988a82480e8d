"""`supple render`: a recorded run as a film or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from supple.cli.analyse.study import AsJson
from supple.cli.options.render import (
    Camera,
    Coarse,
    Colour,
    ColourTop,
    Columns,
    Folder,
    Fps,
    Labels,
    Overwrite,
    Renderer,
    Rows,
    Scheduler,
    Size,
    Slow,
    Start,
    Stop,
    Surface,
    Time,
    To,
    With,
    Workers,
)

if TYPE_CHECKING:
    from rich.console import Console

    from supple.recording.film import Film
    from supple.render.sheet import Sheet
    from supple.types import Array

RENDERERS = ("auto", "vtk", "plain")
SIZE = 960, 540
SAID = 3
"""Runs that are named one by one when something is to be said of them."""


def render(
    folder: Folder,
    to: To,
    others: With = None,
    columns: Columns = None,
    rows: Rows = None,
    fps: Fps = None,
    slow: Slow = None,
    start: Start = None,
    stop: Stop = None,
    time: Time = None,
    size: Size = None,
    camera: Camera = "iso",
    colour: Colour = "energy",
    colour_top: ColourTop = None,
    coarse: Coarse = False,
    surface: Surface = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    renderer: Renderer = "auto",
    labels: Labels = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Draw a recorded run, several side by side, or a sweep as a contact sheet: a film or a picture."""
    from supple.cli.output import new_console, print_json
    from supple.cli.results.render import choose_renderer, write_pictures
    from supple.render.camera import read_camera
    from supple.render.colouring import check_quantity
    from supple.render.films import open_films
    from supple.render.sheet import CELL
    from supple.render.shot import film_times, make_shot, read_size
    from supple.render.video import FPS, check_target

    console = new_console(as_json)
    kind = check_target(to, overwrite)
    sheet = _sheet(folder, columns, rows, bool(others or labels))
    runs = sheet.runs if sheet else [folder, *(others or [])]
    _check_options(kind, runs, fps, start, stop, time, renderer, labels)
    _check_numbers(kind, fps, slow, colour, colour_top)
    view, quantity = read_camera(camera), check_quantity(colour)
    pixels = read_size(size) if size else (CELL if sheet else SIZE)
    rate, pace = fps or FPS[kind], slow or 1.0
    with open_films(runs, coarse) as films:
        times = _times(films, rate * pace, start, stop, time, still=kind == ".png")
        _check_surface(surface, films, runs)
        _say_all(films, runs, float(times[-1]), rate * pace if slow else 0.0, console)
        pixels = pixels if sheet else _fitting(kind, pixels, console)
        texts = [label.replace("\\n", "\n") for label in labels] if labels else None
        # a picture has the camera and the scale of the film that it could be from
        surveyed = film_times(films, FPS[".mp4"]) if kind == ".png" else times
        shot = make_shot(runs, films, surveyed, pixels, view, quantity, texts, coarse, pace, colour_top, surface, sheet)
    chosen, drawing = choose_renderer(renderer, console)
    summary = write_pictures(shot, times, to, rate, chosen, drawing, workers, scheduler, console)
    if as_json:
        print_json(summary)


def _sheet(folder: Path, columns: str | None, rows: str | None, beside: bool) -> Sheet | None:
    """The contact sheet of a sweep; None of a run."""
    from supple.errors import SuppleError
    from supple.sweeps.manifest import NAME, Manifest

    if (folder / NAME).is_file():
        if beside:
            raise SuppleError("--with, --label: are for runs; a sheet has all runs of its sweep, with their values")
        from supple.sweeps.pictures.arrange import arrange

        return arrange(Manifest.read(folder), columns, rows)
    if columns is not None or rows is not None:
        raise SuppleError(f"--columns, --rows: are for sweeps, and {folder} is none; give a folder that has a {NAME}")
    return None


def _check_options(
    kind: str,
    runs: list[Path],
    fps: float | None,
    start: float | None,
    stop: float | None,
    time: str | None,
    renderer: str,
    labels: list[str] | None,
) -> None:
    from supple.errors import SuppleError, did_you_mean

    if renderer not in RENDERERS:
        known = f"{did_you_mean(renderer, RENDERERS)} known: {', '.join(RENDERERS)}"
        raise SuppleError(f"--renderer: unknown '{renderer}'{known}")
    if kind == ".png" and (fps, start, stop) != (None, None, None):
        raise SuppleError("--fps, --start, --stop: are for films; a .png shows one --time, or several in a row")
    if kind != ".png" and time is not None:
        raise SuppleError("--time: is for a .png; a film goes from --start to --stop")
    if labels and len(labels) != len(runs):
        raise SuppleError(f"--label: found {len(labels)} for {len(runs)} runs; give one for each, or none")


def _check_numbers(kind: str, fps: float | None, slow: float | None, colour: str, colour_top: float | None) -> None:
    from supple.errors import SuppleError

    for option, value in (("--fps", fps), ("--slow", slow)):
        if value is not None and not 0 < value <= 1000:
            raise SuppleError(f"{option}: found {value:g}; give a number above 0, at most 1000")
    if slow is not None and kind == ".png":
        raise SuppleError("--slow: is for films; a .png shows one --time")
    if colour_top is not None and not 0 < colour_top < float("inf"):
        raise SuppleError(f"--colour-top: found {colour_top:g}; give a finite number above 0, in SI units")
    if colour_top is not None and colour == "none":
        raise SuppleError("--colour-top: is the end of a colour scale, and --colour none has no scale; leave one out")


def _check_surface(surface: bool, films: list[Film], runs: list[Path]) -> None:
    from supple.errors import SuppleError

    if surface and not any(part.cloud for film in films for part in film.parts):
        names = ", ".join(str(run) for run in runs)
        raise SuppleError(f"--surface: is for clouds of points, and {names} has none; leave it out")


def _times(
    films: list[Film], fps: float, start: float | None, stop: float | None, time: str | None, still: bool
) -> Array:
    from supple.errors import SuppleError
    from supple.render.shot import film_times, still_times

    if not still:
        return film_times(films, fps, start, stop)
    try:
        moments = None if time is None else [float(word) for word in time.split(",")]
    except ValueError:
        raise SuppleError(f"--time: found '{time}'; give a time [s], or several such as 0,0.2,1") from None
    return still_times(films, moments)


def _say_all(films: list[Film], runs: list[Path], last: float, rate: float, console: Console) -> None:
    """What the user should learn of the runs; `rate`: frames per second of motion that slow motion shows."""
    notes = list(dict.fromkeys(note for film in films for note in film.scenery.notes))
    ends, few = [], []
    for film, run in zip(films, runs, strict=True):
        if film.times[-1] < last - 1e-9:
            ends.append(f"{run}: ends at {film.times[-1]:g} s; its last frame stays")
        recorded = (len(film) - 1) / max(float(film.times[-1] - film.times[0]), 1e-300)
        if rate > 2 * recorded > 0:
            few.append(
                f"{run}: has {recorded:.3g} frames for each second of motion, the film shows {rate:.3g}; between them motion "
                f"follows the recorded velocities. For more detail run it with --set record.fps={rate:g}"
            )
    for lines in (notes, ends, few):
        for line in lines[:SAID]:
            console.print(line, markup=False)
        if len(lines) > SAID:
            console.print(f"... and {len(lines) - SAID} more likewise", markup=False)


def _fitting(kind: str, size: tuple[int, int], console: Console) -> tuple[int, int]:
    """H.264 halves the resolution of colours."""
    from supple.render.video import even_size

    even = even_size(*size)
    if kind != ".mp4" or even == size:
        return size
    console.print(f"--size: MP4 needs even numbers; made {even[0]}x{even[1]}", markup=False)
    return even
