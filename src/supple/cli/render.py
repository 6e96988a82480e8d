"""`supple render`: a recorded run as a film or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.recording.film import Film
    from supple.render.gl import Drawing
    from supple.render.shot import Shot
    from supple.types import Array

RENDERERS = ("auto", "vtk", "plain")


def render(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="File to write: .mp4, .gif or .png.")],
    others: Annotated[
        list[Path] | None, typer.Option("--with", metavar="FOLDER", help="Another run beside it; repeats.")
    ] = None,
    fps: Annotated[
        float | None, typer.Option(help="Pictures for each second of motion.", show_default="30, of a GIF 20")
    ] = None,
    start: Annotated[float | None, typer.Option(help="Begin at this time [s].")] = None,
    stop: Annotated[float | None, typer.Option(help="End at this time [s].")] = None,
    time: Annotated[float | None, typer.Option(help="Time of a .png [s].", show_default="the end")] = None,
    size: Annotated[str, typer.Option(help="Width and height in pixels.")] = "960x540",
    camera: Annotated[str, typer.Option(help="front, side, top, iso, or azimuth,elevation[,zoom] in degrees.")] = "iso",
    colour: Annotated[str, typer.Option(help="Colours show energy (strain), speed, or none.")] = "energy",
    coarse: Annotated[
        bool, typer.Option("--coarse", help="Coarse bodies as they were simulated, not the fine ones they stand for.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that draw.", show_default="one for each processor")
    ] = None,
    renderer: Annotated[str, typer.Option(help="auto, vtk, or plain, which works without GL.")] = "auto",
    labels: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="TEXT", help="Instead of title and method; one for each run, repeats."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Draw a recorded run, or several side by side, as a film or a picture."""
    from supple.cli.output import new_console, print_json
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
    view, pixels, quantity = read_camera(camera), read_size(size), check_quantity(colour)
    rate = fps or FPS[kind]
    films: list[Film] = []
    try:
        for run in runs:
            films.append(open_film(RunFolder.open(run), coarse))
        times = _times(films, rate, start, stop, time, still=kind == ".png")
        _say_early_ends(films, runs, float(times[-1]), console)
        pixels = _fitting(kind, pixels, console)
        texts = [label.replace("\\n", "\n") for label in labels] if labels else None
        # a picture has the camera and the scale of the film that it could be from
        surveyed = film_times(films, FPS[".mp4"]) if kind == ".png" else times
        shot = make_shot(runs, films, surveyed, pixels, view, quantity, texts, coarse)
    finally:
        for film in films:
            film.close()
    chosen, drawing = _choose(renderer, console)
    summary = _write(shot, times, to, rate, chosen, drawing, workers, console)
    if as_json:
        print_json(summary)


def _check_options(
    kind: str,
    runs: list[Path],
    fps: float | None,
    start: float | None,
    stop: float | None,
    time: float | None,
    renderer: str,
    labels: list[str] | None,
) -> None:
    from supple.errors import SuppleError, did_you_mean

    if renderer not in RENDERERS:
        known = f"{did_you_mean(renderer, RENDERERS)} known: {', '.join(RENDERERS)}"
        raise SuppleError(f"--renderer: unknown '{renderer}'{known}")
    if kind == ".png" and (fps, start, stop) != (None, None, None):
        raise SuppleError("--fps, --start, --stop: are for films; a .png shows one --time")
    if kind != ".png" and time is not None:
        raise SuppleError(f"--time: is for a .png; a {kind} goes from --start to --stop")
    if fps is not None and not 0 < fps <= 1000:
        raise SuppleError(f"--fps: found {fps:g}; give a number above 0, at most 1000")
    if labels and len(labels) != len(runs):
        raise SuppleError(f"--label: found {len(labels)} for {len(runs)} runs; give one for each, or none")


def _times(
    films: list[Film], fps: float, start: float | None, stop: float | None, time: float | None, still: bool
) -> Array:
    import numpy as np

    from supple.errors import SuppleError
    from supple.render.shot import film_times, span

    if not still:
        return film_times(films, fps, start, stop)
    begin, end = span(films)
    if time is not None and not begin <= time <= end:
        raise SuppleError(f"--time: {time:g} s was asked for, the runs have {begin:g} to {end:g} s")
    return np.array([end if time is None else time])


def _say_early_ends(films: list[Film], runs: list[Path], last: float, console: Console) -> None:
    for film, run in zip(films, runs, strict=True):
        if film.times[-1] < last - 1e-9:
            console.print(f"{run}: ends at {film.times[-1]:g} s; its last frame stays", markup=False)


def _fitting(kind: str, size: tuple[int, int], console: Console) -> tuple[int, int]:
    """H.264 halves the resolution of colours."""
    from supple.render.video import even_size

    even = even_size(*size)
    if kind != ".mp4" or even == size:
        return size
    console.print(f"--size: MP4 needs even numbers; made {even[0]}x{even[1]}", markup=False)
    return even


def _choose(renderer: str, console: Console) -> tuple[str, Drawing]:
    """The renderer to take; the better one only after it has drawn something in a process of its own."""
    from supple.errors import BackendMissing
    from supple.render.gl import Drawing, probe

    if renderer == "plain":
        return "plain", Drawing(False)
    drawing = probe()
    if drawing.works:
        return "vtk", drawing
    if renderer == "vtk":
        raise BackendMissing(f"--renderer vtk: {drawing.reason}; or take --renderer plain")
    console.print(f"using the plain renderer; for a better one: {drawing.reason}", markup=False)
    return "plain", drawing


def _write(
    shot: Shot,
    times: Array,
    to: Path,
    fps: float,
    renderer: str,
    drawing: Drawing,
    workers: int | None,
    console: Console,
) -> dict[str, Any]:
    """Draw all pictures into the file, unless Ctrl-C comes first; then no file is left behind."""
    from contextlib import closing
    from time import perf_counter

    from supple.cli.analyse_output import progress
    from supple.cli.output import stop_requests
    from supple.render.frames import draw_frames, good_workers
    from supple.render.video import open_video, played_fps

    workers = min(workers or good_workers(len(times)), len(times))
    began = perf_counter()
    drawn = draw_frames(shot, [float(t) for t in times], renderer, drawing, workers)
    with (
        stop_requests() as asked,
        progress(console, to.name, len(times)) as show,
        open_video(to, fps) as add,
        closing(drawn) as pictures,
    ):
        for k, picture in enumerate(pictures):
            add(picture)
            show(k + 1, f"t {times[k]:.2f} s")
            if asked and k + 1 < len(times):
                raise typer.Exit(130)
    seconds = perf_counter() - began
    played = played_fps(to.suffix.lower(), fps)
    console.print(
        f"{to}: {len(times)} picture{'' if len(times) == 1 else 's'} of {shot.width}x{shot.height} by the "
        f"{renderer} renderer in {seconds:.1f} s", markup=False,
    )  # fmt: skip
    if abs(played - fps) > 1e-3 * fps:
        console.print(f"a GIF counts hundredths of a second: it plays {played:.3g} pictures a second", markup=False)
    return {
        "file": str(to),
        "frames": len(times),
        "fps": fps,
        "size": [shot.width, shot.height],
        "renderer": renderer,
        "workers": workers,
        "seconds": seconds,
        "colour_top": shot.colouring.top if shot.colouring.shown else None,
    }
