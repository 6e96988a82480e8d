"""`supple render`: a recorded run as a film or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from supple.cli.analyse.study import AsJson
from supple.cli.options.render import (
    Camera,
    Captions,
    Coarse,
    Colour,
    ColourTop,
    Columns,
    Folder,
    Fps,
    Labels,
    Look,
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
    Turntable,
    With,
    Workers,
)

if TYPE_CHECKING:
    from rich.console import Console

    from supple.recording.film import Film
    from supple.render.looks.direction import Direction
    from supple.render.sheet import Sheet
    from supple.types import Array

SIZE = 960, 540
SAID = 3
"""Largest number of runs that notes list one by one."""


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
    turntable: Turntable = None,
    look: Look = "auto",
    captions: Captions = None,
    colour: Colour = None,
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
    from supple.cli.results.render_checks import check_camera, check_numbers, check_options, check_surface
    from supple.render.cameras.reading import read_camera
    from supple.render.films import open_films
    from supple.render.sheet import CELL
    from supple.render.shot import make_shot, read_size
    from supple.render.video import FPS, check_target

    console, kind = new_console(as_json), check_target(to, overwrite)
    sheet = _sheet(folder, columns, rows, bool(others or labels))
    runs = sheet.runs if sheet else [folder, *(others or [])]
    check_options(kind, runs, fps, start, stop, time, renderer, labels, turntable)
    check_numbers(kind, fps, slow, colour, colour_top)
    view = check_camera(read_camera(camera), turntable)
    direction, quantity = _direction(look, colour, colour_top, captions, runs, bool(labels), sheet is not None)
    pixels = read_size(size) if size else (CELL if sheet else SIZE)
    rate, pace = fps or FPS[kind], slow or 1.0
    with open_films(runs, coarse) as films:
        times, direction = _times(films, direction, kind, rate, pace, (start, stop, time), turntable)
        check_surface(surface, films, runs)
        pixels = pixels if sheet else _fitting(kind, pixels, console)
        texts = [label.replace("\\n", "\n") for label in labels] if labels else None
        looked = _surveyed(films, kind, times, direction)
        shot = make_shot(
            runs, films, looked, pixels, view, quantity, texts, coarse, pace, colour_top, surface, sheet, direction
        )
        _say_all(films, runs, shot.shown(float(times[-1])), rate * pace if slow else 0.0, console)
    chosen, drawing = choose_renderer(renderer, console, shot.look)
    summary = write_pictures(shot, times, to, rate, chosen, drawing, workers, scheduler, console)
    if as_json:
        print_json(summary)


def _surveyed(films: list[Film], kind: str, times: Array, direction: Direction) -> Array:
    """Times that set camera and colour scale: a picture matches the film it could be taken from."""
    from supple.render.shot import film_times
    from supple.render.video import FPS

    if direction.frozen is not None:
        return times[:1]
    return film_times(films, FPS[".mp4"]) if kind == ".png" else times


def _direction(
    look: str,
    colour: str | None,
    colour_top: float | None,
    captions: bool | None,
    runs: list[Path],
    labelled: bool,
    sheet: bool,
) -> tuple[Direction, str]:
    """Look and captions of the film, and the coloured quantity. Colours or a sheet imply the scientific look."""
    from supple.render.colouring import check_quantity
    from supple.render.looks.coats import choose_look
    from supple.render.looks.direction import Direction
    from supple.render.looks.look import AUTO, SCIENTIFIC, check_look

    quantity = None if colour is None else check_quantity(colour)
    figures = sheet or colour is not None or colour_top is not None
    chosen = SCIENTIFIC if check_look(look) == AUTO and figures else choose_look(look, runs)
    written = (labelled or not chosen.shaded) if captions is None else captions
    return Direction(chosen, written), quantity or chosen.colour


def _times(
    films: list[Film],
    direction: Direction,
    kind: str,
    fps: float,
    slow: float,
    asked: tuple[float | None, float | None, str | None],
    turntable: float | None,
) -> tuple[Array, Direction]:
    """Times of all pictures and data of the turntable; `asked`: start, stop and time."""
    from dataclasses import replace

    from supple.cli.results.render_checks import picture_times, turn_times

    start, stop, time = asked
    if turntable is None:
        times = picture_times(films, fps * slow, start, stop, time, still=kind == ".png")
        return times, replace(direction, drawn=times)
    times, frozen = turn_times(films, fps * slow, time, start, stop, turntable / slow)
    return times, replace(direction, drawn=times, period=turntable / slow, frozen=frozen)


def _sheet(folder: Path, columns: str | None, rows: str | None, beside: bool) -> Sheet | None:
    """The contact sheet of a sweep; None of a run."""
    from supple.errors import SuppleError
    from supple.sweeps.manifest import NAME, Manifest

    if (folder / NAME).is_file():
        if beside:
            raise SuppleError("--with, --label: apply to runs; a sheet shows all runs of its sweep with their values")
        from supple.sweeps.pictures.arrange import arrange

        return arrange(Manifest.read(folder), columns, rows)
    if columns is not None or rows is not None:
        raise SuppleError(
            f"--columns, --rows: apply to sweeps, and {folder} is not one; give a folder that contains {NAME}"
        )
    return None


def _say_all(films: list[Film], runs: list[Path], last: float, rate: float, console: Console) -> None:
    """Notes on the runs; `rate`: frames per second of motion shown by slow motion."""
    notes = list(dict.fromkeys(note for film in films for note in film.scenery.notes))
    ends, few = [], []
    for film, run in zip(films, runs, strict=True):
        if film.times[-1] < last - 1e-9:
            ends.append(f"{run}: ends at {film.times[-1]:g} s; its last frame stays")
        recorded = (len(film) - 1) / max(float(film.times[-1] - film.times[0]), 1e-300)
        if rate > 2 * recorded > 0:
            few.append(
                f"{run}: has {recorded:.3g} frames per second of motion, the film shows {rate:.3g}; the motion between them "
                f"follows the recorded velocities. For more detail run it with --set record.fps={rate:g}"
            )
    for lines in (notes, ends, few):
        for line in lines[:SAID]:
            console.print(line, markup=False)
        if len(lines) > SAID:
            console.print(f"... and {len(lines) - SAID} more of the same kind", markup=False)


def _fitting(kind: str, size: tuple[int, int], console: Console) -> tuple[int, int]:
    """Even size of the pictures: H.264 halves the resolution of colours."""
    from supple.render.video import even_size

    even = even_size(*size)
    if kind != ".mp4" or even == size:
        return size
    console.print(f"--size: MP4 requires even numbers; changed to {even[0]}x{even[1]}", markup=False)
    return even
