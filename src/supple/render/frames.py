"""The pictures of a film in their order, drawn by several processes at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from supple.errors import SuppleError
from supple.render.gl import Drawing
from supple.render.pictures import Picture, Pictures
from supple.render.shot import Shot

WORTH = 8
"""Pictures that a process must have to draw before its start pays."""
_AHEAD = 3  # pictures asked for beyond the one that is waited for, for each process: enough to keep all busy

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
    waiting: deque[Future[Picture]] = deque()
    try:
        for t in times:
            with deaf_children():
                waiting.append(pool.submit(_draw, t))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise SuppleError(
            f"a process that drew pictures with the renderer {renderer} died (out of memory, or a fault of the GL "
            "library); try --workers 1, a smaller --size, or --renderer plain"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


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
