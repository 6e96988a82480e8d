"""The pictures of a film in their order, drawn by several processes at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Protocol, TypeVar

from supple.errors import SuppleError
from supple.render.gl import Drawing
from supple.render.pictures import Picture, Pictures
from supple.render.shot import Shot

WORTH = 8
"""Pictures that a process must have to draw before its start pays."""
AHEAD = 3
"""Tasks that are asked for at once, for each process: enough to keep all busy."""

Given = TypeVar("Given")
Made = TypeVar("Made", covariant=True)


class Waited(Protocol[Made]):
    """What a task will come to: a future of `concurrent.futures`, or of Dask."""

    def result(self) -> Made:
        """Waits for it."""
        ...


_pictures: Pictures | None = None  # of a worker


def good_workers(frames: int) -> int:
    """As many processes as there are processors for us, and work for them."""
    return max(1, min(len(os.sched_getaffinity(0)), frames // WORTH))


def draw_frames(
    shot: Shot, times: Sequence[float], renderer: str, drawing: Drawing, workers: int = 1
) -> Generator[Picture, None, None]:
    """A picture for each time; whoever stops early should close the generator, which stops the processes."""
    if workers == 1:
        drawing.prepare()
        with Pictures(shot, renderer) as pictures:
            for t in times:
                yield pictures.draw(t)
        return
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, initializer=_open, initargs=(shot, renderer, drawing))

    def submit(t: float) -> Future[Picture]:
        with deaf_children():
            return pool.submit(_draw, t)

    try:
        yield from in_order(submit, times, AHEAD * workers)
    except BrokenProcessPool as error:
        raise SuppleError(
            f"a process that drew pictures with the renderer {renderer} died (out of memory, or a fault of the GL "
            "library); try --workers 1, a smaller --size, or --renderer plain"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(submit: Callable[[Given], Waited[Made]], tasks: Iterable[Given], ahead: int) -> Iterator[Made]:
    """Results in the order of their tasks, of which `ahead` at most are under way or finished and not yet taken."""
    waiting: deque[Waited[Made]] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C, which the terminal sends to all: it is for us to stop them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _open(shot: Shot, renderer: str, drawing: Drawing) -> None:
    global _pictures
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    drawing.prepare()
    _pictures = Pictures(shot, renderer)


def _draw(t: float) -> Picture:
    assert _pictures is not None
    return _pictures.draw(t)


def _leave_with_parent() -> None:
    """A parent that was killed cannot stop us any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
