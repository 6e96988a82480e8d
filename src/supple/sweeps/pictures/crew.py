"""Pictures drawn by the workers of a farm: tasks of a few pictures each, which come back in order.

Each worker opens the runs once and keeps them open for the next task. All drawing happens in one thread per worker: a GL
window belongs to the thread that created it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from supple import __version__
from supple.errors import SuppleError
from supple.recording.folder import RunFolder
from supple.render.frames import draw_frames, good_workers, in_order
from supple.render.gl import Drawing, probe
from supple.render.pictures import Picture, Pictures
from supple.render.shot import Shot
from supple.sweeps.farm import ATTEMPTS, Farm, open_farm
from supple.types import Array

MOST, BYTES = 8, 24 << 20
"""Largest number of pictures of a task, and their largest size."""
AHEAD = 2
"""Tasks per worker in progress or waiting to be collected."""


@dataclass(frozen=True)
class Glance:
    """Capabilities reported by a worker."""

    host: str
    version: str
    missing: str
    """A run that it cannot see, or sees differently."""
    drawing: Drawing
    """Whether VTK works there."""


@dataclass(frozen=True)
class Crew:
    """Pictures in progress, and the number of drawing processes."""

    pictures: Iterator[Picture]
    workers: int


@contextmanager
def open_crew(
    shot: Shot, times: Array, renderer: str, drawing: Drawing, workers: int | None = None, scheduler: str | None = None
) -> Iterator[Crew]:
    """Local processes, by default as many as worthwhile, or the workers of a Dask cluster."""
    moments = [float(t) for t in times]
    if scheduler is None:
        count = min(workers or good_workers(len(moments)), len(moments))
        with closing(draw_frames(shot, moments, renderer, drawing, count)) as pictures:
            yield Crew(pictures, count)
        return
    with open_farm(workers, 1, scheduler) as farm, closing(draw_on_farm(farm, shot, moments, renderer)) as pictures:
        yield Crew(pictures, len(farm.workers()))


def draw_on_farm(farm: Farm, shot: Shot, times: Sequence[float], renderer: str) -> Generator[Picture, None, None]:
    """A picture for each time, as from `draw_frames`. Workers must see the folders of the runs at the same paths; others
    are refused at once."""
    # not resolved: a shared folder may be behind different links
    shot = replace(shot, runs=tuple(Path(os.path.abspath(run)) for run in shot.runs))
    return _drawn(farm, shot, times, renderer, _check(farm, shot, renderer))


def _drawn(
    farm: Farm, shot: Shot, times: Sequence[float], renderer: str, drawings: dict[str, Drawing]
) -> Generator[Picture, None, None]:
    from distributed import CancelledError, KilledWorker

    token, workers = uuid4().hex, len(farm.workers())
    common = farm.client.scatter(shot, broadcast=True, hash=False)
    tasks = chunks(times, shot.layout.width * shot.layout.height * 3, workers)

    def submit(some: list[float]) -> Any:
        return farm.client.submit(draw_some, common, renderer, drawings, token, some, pure=False)

    try:
        for pictures in in_order(submit, tasks, AHEAD * workers):
            yield from pictures
    except KilledWorker:
        raise SuppleError(
            f"{ATTEMPTS + 1} workers died while drawing the same pictures (out of memory, or a fault of the GL library); try a "
            "smaller --size, or --renderer plain"
        ) from None
    except CancelledError:
        raise SuppleError("--scheduler: the connection to it was lost; start again when it runs") from None
    finally:
        if farm.client.status == "running":
            farm.client.run(leave, token, on_error="ignore")


def chunks(times: Sequence[float], size: int, workers: int) -> list[list[float]]:
    """Times of pictures grouped into tasks: small enough for memory, and enough for all workers."""
    share = -(-len(times) // (AHEAD * max(1, workers)))
    count = max(1, min(MOST, BYTES // size, share))
    return [list(times[k : k + count]) for k in range(0, len(times), count)]


def _check(farm: Farm, shot: Shot, renderer: str) -> dict[str, Drawing]:
    """VTK settings of each machine. Unsuitable workers are refused before anything is drawn."""
    found: dict[str, Drawing] = {}
    marks = {str(run): mark(run) for run in shot.runs}
    for address in farm.one_per_host():
        seen: Glance = farm.client.submit(glance, marks, renderer, pure=False, workers=[address]).result()
        where = f"--scheduler: the workers on {seen.host}"
        if seen.version != __version__:
            raise SuppleError(
                f"{where} have supple {seen.version}, this machine has {__version__}; install the same version"
            )
        if seen.missing:
            raise SuppleError(
                f"{where} do not see {seen.missing}; put the run into a folder that all machines share at the same path, or "
                "draw it here, with --workers"
            )
        if renderer != "plain" and not seen.drawing.works:
            raise SuppleError(f"{where}: {seen.drawing.reason}; or use --renderer plain")
        found[seen.host] = seen.drawing
    return found


def mark(run: Path) -> str:
    """Identity of the run in a folder; empty if there is none."""
    folder = RunFolder(run)
    if not folder.animation.is_file():
        return ""
    return f"{folder.record.get('started')} {folder.animation.stat().st_size}"


def glance(marks: dict[str, str], renderer: str) -> Glance:
    """The runs visible to a worker, and whether it can draw."""
    missing = next((run for run, wanted in marks.items() if mark(Path(run)) != wanted), "")
    drawing = Drawing(False) if renderer == "plain" else probe()
    return Glance(socket.gethostname(), __version__, missing, drawing)


def draw_some(shot: Shot, renderer: str, drawings: dict[str, Drawing], token: str, times: list[float]) -> list[Picture]:
    """The task of a worker."""
    return _thread().submit(_draw, shot, renderer, drawings, token, times).result()


def leave(token: str) -> None:
    """Close the files that a worker opened for a film, after its last picture."""
    _thread().submit(_close, token)


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "pictures")


_open: dict[str, Pictures] = {}  # by token: at most one


def _draw(shot: Shot, renderer: str, drawings: dict[str, Drawing], token: str, times: list[float]) -> list[Picture]:
    if token not in _open:
        for other in list(_open):  # of a client that was killed
            _close(other)
        if renderer != "plain":
            (drawings.get(socket.gethostname()) or probe()).prepare()
        _open[token] = Pictures(shot, renderer)
    return [_open[token].draw(t) for t in times]


def _close(token: str) -> None:
    found = _open.pop(token, None)
    if found is not None:
        found.close()
