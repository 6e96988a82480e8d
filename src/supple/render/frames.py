"""The pictures of a film in order, drawn by several processes in parallel."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar

from supple.errors import SuppleError
from supple.interruption.children import deaf_children, leave_with_parent, spawning
from supple.render.gl import Drawing
from supple.render.pictures import Picture, Pictures
from supple.render.shot import Shot

WORTH = 8
"""Smallest number of pictures that justifies another process."""
AHEAD = 3
"""Tasks submitted per process at a time, enough to keep all busy."""

Given = TypeVar("Given")
Made = TypeVar("Made", covariant=True)


class Waited(Protocol[Made]):
    """The pending result of a task: a future of `concurrent.futures`, or of Dask."""

    def result(self) -> Made:
        """Wait for the result."""
        ...


_pictures: Pictures | None = None  # of a worker


def good_workers(frames: int) -> int:
    """One process per available processor, as far as there is work."""
    return max(1, min(len(os.sched_getaffinity(0)), frames // WORTH))


def draw_frames(
    shot: Shot, times: Sequence[float], renderer: str, drawing: Drawing, workers: int = 1
) -> Generator[Picture, None, None]:
    """A picture for each time; close the generator when stopping early, to stop the processes."""
    if workers == 1:
        drawing.prepare()
        with Pictures(shot, renderer) as pictures:
            for t in times:
                yield pictures.draw(t)
        return
    pool = ProcessPoolExecutor(workers, spawning(), initializer=_open, initargs=(shot, renderer, drawing))

    def submit(t: float) -> Future[Picture]:
        with deaf_children():
            return pool.submit(_draw, t)

    try:
        yield from in_order(submit, times, AHEAD * workers)
    except BrokenProcessPool as error:
        raise SuppleError(
            f"a drawing process with the renderer {renderer} died (out of memory, or a fault of the GL "
            "library); try --workers 1, a smaller --size, or --renderer plain"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(submit: Callable[[Given], Waited[Made]], tasks: Iterable[Given], ahead: int) -> Iterator[Made]:
    """Results in the order of their tasks, of which at most `ahead` are in progress or waiting to be taken."""
    waiting: deque[Waited[Made]] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _open(shot: Shot, renderer: str, drawing: Drawing) -> None:
    global _pictures
    leave_with_parent()
    drawing.prepare()
    _pictures = Pictures(shot, renderer)


def _draw(t: float) -> Picture:
    assert _pictures is not None
    return _pictures.draw(t)
