"""Checks of `supple render` before it draws, and the times of its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supple.recording.film import Film
    from supple.render.camera import Aims
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
    """Refuse options that conflict with each other or with the kind of file."""
    from supple.errors import SuppleError, did_you_mean

    if renderer not in RENDERERS:
        known = f"{did_you_mean(renderer, RENDERERS)} known: {', '.join(RENDERERS)}"
        raise SuppleError(f"--renderer: unknown '{renderer}'{known}")
    if kind == ".png" and (fps, start, stop) != (None, None, None):
        raise SuppleError("--fps, --start, --stop: apply to films; a .png shows one --time, or several side by side")
    if kind != ".png" and time is not None and turntable is None:
        raise SuppleError(
            "--time: applies to a .png, or a --turntable of one moment; a film runs from --start to --stop"
        )
    if kind == ".png" and turntable is not None:
        raise SuppleError(
            "--turntable: applies to films; for a .png from another side use --camera orbit:azimuth,elevation"
        )
    if turntable is not None and time is not None and (start, stop) != (None, None):
        raise SuppleError(
            "--time, --start, --stop: a --turntable shows either one moment or a part of the motion; omit one of them"
        )
    if labels and len(labels) != len(runs):
        raise SuppleError(f"--label: found {len(labels)} for {len(runs)} runs; give one per run, or none")


def check_numbers(
    kind: str, fps: float | None, slow: float | None, colour: str | None, colour_top: float | None
) -> None:
    """Check rates and scales."""
    from supple.errors import SuppleError

    for option, value in (("--fps", fps), ("--slow", slow)):
        if value is not None and not 0 < value <= 1000:
            raise SuppleError(f"{option}: found {value:g}; give a number above 0, at most 1000")
    if slow is not None and kind == ".png":
        raise SuppleError("--slow: applies to films; a .png shows one --time")
    if colour_top is not None and not 0 < colour_top < float("inf"):
        raise SuppleError(f"--colour-top: found {colour_top:g}; give a finite number above 0, in SI units")
    if colour_top is not None and colour == "none":
        raise SuppleError(
            "--colour-top: sets the end of a colour scale, and --colour none has no scale; omit one of them"
        )


def check_surface(surface: bool, films: list[Film], runs: list[Path]) -> None:
    """Refuse `--surface` where no body is a point cloud."""
    from supple.errors import SuppleError

    if surface and not any(part.cloud for film in films for part in film.parts):
        names = ", ".join(str(run) for run in runs)
        raise SuppleError(f"--surface: applies to point clouds, and {names} has none; omit it")


def picture_times(
    films: list[Film], fps: float, start: float | None, stop: float | None, time: str | None, still: bool
) -> Array:
    """Times of a film, or of a picture with one or several moments."""
    from supple.render.shot import film_times, still_times

    return still_times(films, _moments(time)) if still else film_times(films, fps, start, stop)


def turn_times(
    films: list[Film], rate: float, time: str | None, start: float | None, stop: float | None, period: float
) -> tuple[Array, float | None]:
    """Times of a turntable, and the moment shown: one for `--time` and runs of one frame, and then exactly one revolution,
    so that the film can be repeated. `rate`: pictures, and `period`: length of a revolution, in seconds of motion."""
    import numpy as np

    from supple.errors import SuppleError
    from supple.recording.film import demand_frames
    from supple.render.shot import film_times, still_times

    moments = _moments(time)
    if moments is not None and len(moments) > 1:
        raise SuppleError(f"--time: found '{time}'; a --turntable shows the motion, or one moment")
    if moments is None and any(len(film) > 1 for film in films):
        return film_times(films, rate, start, stop), None
    frozen = float(still_times(films, moments)[0])
    demand_frames(rate * period)
    count = max(1, round(rate * period))
    return np.asarray(frozen + np.arange(count) * (period / count), dtype=float), frozen


def check_camera(camera: Aims, turntable: float | None) -> Aims:
    """The camera; a camera with its own motion is refused on a turntable."""
    from supple.errors import SuppleError
    from supple.render.cameras.file_camera import FileCamera
    from supple.render.cameras.turntable import check_period

    if turntable is not None:
        check_period(turntable)
        if isinstance(camera, FileCamera):
            raise SuppleError("--turntable: a camera from a file has its own motion; omit one of the two")
    return camera


def _moments(time: str | None) -> list[float] | None:
    from supple.errors import SuppleError

    try:
        return None if time is None else [float(word) for word in time.split(",")]
    except ValueError:
        raise SuppleError(f"--time: found '{time}'; give a time [s], or several such as 0,0.2,1") from None
