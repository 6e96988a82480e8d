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
    Folder,
    Fps,
    Labels,
    Overwrite,
    Renderer,
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
    from supple.types import Array

RENDERERS = ("auto", "vtk", "plain")
ROUNDING = 1e-9
"""Part of a run by which a time may be beyond its end: times are sums of steps."""


def render(
    folder: Folder,
    to: To,
    others: With = None,
    fps: Fps = None,
    slow: Slow = None,
    start: Start = None,
    stop: Stop = None,
    time: Time = None,
    size: Size = "960x540",
    camera: Camera = "iso",
    colour: Colour = "energy",
    colour_top: ColourTop = None,
    coarse: Coarse = False,
    surface: Surface = False,
    workers: Workers = None,
    renderer: Renderer = "auto",
    labels: Labels = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Draw a recorded run, or several side by side, as a film or a picture."""
    from supple.cli.output import new_console, print_json
    from supple.cli.render_output import choose_renderer, write_pictures
    from supple.recording.film import open_film
    from supple.recording.folder import RunFolder
    from supple.render.camera import read_camera
    from supple.render.colouring import check_quantity
    from supple.render.shot import film_times, make_shot, read_size
    from supple.render.video import FPS, check_target

    console = new_console(as_json)
    kind = check_target(to, overwrite)
    runs = [folder, *(others or [])]
    _check_options(kind, runs, fps, start, stop, time, renderer, labels)
    _check_numbers(kind, fps, slow, colour, colour_top)
    view, pixels, quantity = read_camera(camera), read_size(size), check_quantity(colour)
    rate, pace = fps or FPS[kind], slow or 1.0
    films: list[Film] = []
    try:
        for run in runs:
            films.append(open_film(RunFolder.open(run), coarse))
        times = _times(films, rate * pace, start, stop, time, still=kind == ".png")
        for note in (note for film in films for note in film.scenery.notes):
            console.print(note, markup=False)
        _check_surface(surface, films, runs)
        _say_early_ends(films, runs, float(times[-1]), console)
        _say_few_frames(films, runs, rate * pace if slow else 0.0, console)
        pixels = _fitting(kind, pixels, console)
        texts = [label.replace("\\n", "\n") for label in labels] if labels else None
        # a picture has the camera and the scale of the film that it could be from
        surveyed = film_times(films, FPS[".mp4"]) if kind == ".png" else times
        shot = make_shot(runs, films, surveyed, pixels, view, quantity, texts, coarse, pace, colour_top, surface)
    finally:
        for film in films:
            film.close()
    chosen, drawing = choose_renderer(renderer, console)
    summary = write_pictures(shot, times, to, rate, chosen, drawing, workers, console)
    if as_json:
        print_json(summary)


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
    import numpy as np

    from supple.errors import SuppleError
    from supple.render.shot import film_times, span

    if not still:
        return film_times(films, fps, start, stop)
    begin, end = span(films)
    if time is None:
        return np.array([end])
    try:
        moments = np.array([float(word) for word in time.split(",")])
    except ValueError:
        raise SuppleError(f"--time: found '{time}'; give a time [s], or several such as 0,0.2,1") from None
    slack = ROUNDING * (end - begin)
    for moment in moments:
        if not begin - slack <= moment <= end + slack:
            raise SuppleError(f"--time: {moment:g} s was asked for, the runs have {begin:g} to {end:g} s")
    return moments.clip(begin, end)


def _say_early_ends(films: list[Film], runs: list[Path], last: float, console: Console) -> None:
    for film, run in zip(films, runs, strict=True):
        if film.times[-1] < last - 1e-9:
            console.print(f"{run}: ends at {film.times[-1]:g} s; its last frame stays", markup=False)


def _say_few_frames(films: list[Film], runs: list[Path], rate: float, console: Console) -> None:
    for film, run in zip(films, runs, strict=True):
        recorded = (len(film) - 1) / max(float(film.times[-1] - film.times[0]), 1e-300)
        if rate > 2 * recorded > 0:
            console.print(
                f"{run}: has {recorded:.3g} frames for each second of motion, the film shows {rate:.3g}; between them motion "
                f"follows the recorded velocities. For more detail run it with --set record.fps={rate:g}", markup=False,
            )  # fmt: skip


def _fitting(kind: str, size: tuple[int, int], console: Console) -> tuple[int, int]:
    """H.264 halves the resolution of colours."""
    from supple.render.video import even_size

    even = even_size(*size)
    if kind != ".mp4" or even == size:
        return size
    console.print(f"--size: MP4 needs even numbers; made {even[0]}x{even[1]}", markup=False)
    return even
