"""What `supple render` refuses before it draws, and the times of its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supple.recording.film import Film
    from supple.types import Array

RENDERERS = ("auto", "vtk", "plain")


def check_options(
    kind: str,
    runs: list[Path],
    fps: float | None,
    start: float | None,
    stop: float | None,
    time: str | None,
    renderer: str,
    labels: list[str] | None,
    turntable: float | None = None,
) -> None:
    """Options that do not go together, or not with this kind of file."""
    from supple.errors import SuppleError, did_you_mean

    if renderer not in RENDERERS:
        known = f"{did_you_mean(renderer, RENDERERS)} known: {', '.join(RENDERERS)}"
        raise SuppleError(f"--renderer: unknown '{renderer}'{known}")
    if kind == ".png" and (fps, start, stop) != (None, None, None):
        raise SuppleError("--fps, --start, --stop: are for films; a .png shows one --time, or several in a row")
    if kind != ".png" and time is not None and turntable is None:
        raise SuppleError("--time: is for a .png, or a --turntable of one moment; a film goes from --start to --stop")
    if kind == ".png" and turntable is not None:
        raise SuppleError("--turntable: is for films; a .png from another side takes --camera orbit:azimuth,elevation")
    if turntable is not None and time is not None and (start, stop) != (None, None):
        raise SuppleError(
            "--time, --start, --stop: a --turntable shows one moment or a part of the motion; leave one out"
        )
    if labels and len(labels) != len(runs):
        raise SuppleError(f"--label: found {len(labels)} for {len(runs)} runs; give one for each, or none")


def check_numbers(
    kind: str, fps: float | None, slow: float | None, colour: str | None, colour_top: float | None
) -> None:
    """Rates and scales."""
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


def check_surface(surface: bool, films: list[Film], runs: list[Path]) -> None:
    """Surfaces are those of clouds."""
    from supple.errors import SuppleError

    if surface and not any(part.cloud for film in films for part in film.parts):
        names = ", ".join(str(run) for run in runs)
        raise SuppleError(f"--surface: is for clouds of points, and {names} has none; leave it out")


def picture_times(
    films: list[Film], fps: float, start: float | None, stop: float | None, time: str | None, still: bool
) -> Array:
    """Of a film, or of a picture with one moment or several."""
    from supple.render.shot import film_times, still_times

    return still_times(films, _moments(time)) if still else film_times(films, fps, start, stop)


def turn_times(
    films: list[Film], rate: float, time: str | None, start: float | None, stop: float | None, period: float
) -> tuple[Array, float | None]:
    """Times of a turntable, and the moment that it shows: one for `--time` and runs of one frame, and then exactly one turn,
    so that the film can be repeated. `rate`: pictures, and `period`: length of a turn, in seconds of motion."""
    import numpy as np

    from supple.errors import SuppleError
    from supple.render.shot import film_times, still_times

    moments = _moments(time)
    if moments is not None and len(moments) > 1:
        raise SuppleError(f"--time: found '{time}'; a --turntable shows the motion, or one moment")
    if moments is None and any(len(film) > 1 for film in films):
        return film_times(films, rate, start, stop), None
    frozen = float(still_times(films, moments)[0])
    count = max(1, round(rate * period))
    return np.asarray(frozen + np.arange(count) * (period / count), dtype=float), frozen


def check_camera(camera: object, turntable: float | None) -> None:
    """A camera that moves by itself stands on no turntable."""
    from supple.errors import SuppleError
    from supple.render.cameras.file_camera import FileCamera
    from supple.render.cameras.turntable import check_period

    if turntable is not None:
        check_period(turntable)
        if isinstance(camera, FileCamera):
            raise SuppleError("--turntable: a camera of a file has its own motion; leave one of the two out")


def _moments(time: str | None) -> list[float] | None:
    from supple.errors import SuppleError

    try:
        return None if time is None else [float(word) for word in time.split(",")]
    except ValueError:
        raise SuppleError(f"--time: found '{time}'; give a time [s], or several such as 0,0.2,1") from None
