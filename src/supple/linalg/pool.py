"""Concurrent compiled kernels: part kernels that release the interpreter lock, called from Python threads.

Compiling one part and calling it from several threads takes a fraction of the compile time of a parallel loop.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from supple.interruption.signals import held
from supple.linalg.threads import threads

SHORT = 250.0
"""Work up to which one thread is used [us]: waking another one takes about 70 us on an idle machine."""

_pools: dict[int, ThreadPoolExecutor] = {}
"""Pools by number of threads; usually one."""


def in_parts(kernel: Callable[[int], None], count: int, work: float = math.inf) -> None:
    """kernel(0) ... kernel(count - 1), concurrently on the active threads; returns when all are done. `work`:
    approximate time of all parts on one thread [us]."""
    if count == 1 or threads() == 1 or work < SHORT:
        for part in range(count):
            kernel(part)
        return
    others: list[Future[None]] = []
    with held():
        try:
            others.extend(_pool().submit(kernel, part) for part in range(1, count))
            if count:
                kernel(0)
        finally:
            errors = _awaited(others)
    for error in errors:
        if error is not None:
            raise error


def _awaited(others: list[Future[None]]) -> list[BaseException | None]:
    """The errors of all parts, or None. Waits even if another handler than supple's raises meanwhile: the kernels write into
    arrays that the exception would free."""
    try:
        return [future.exception() for future in others]
    except BaseException:
        _awaited(others)
        raise


def _pool() -> ThreadPoolExecutor:
    helpers = threads() - 1  # the caller is also a worker
    if helpers not in _pools:
        _pools[helpers] = ThreadPoolExecutor(helpers, thread_name_prefix="supple")
    return _pools[helpers]


if hasattr(os, "register_at_fork"):  # threads do not survive a fork
    os.register_at_fork(after_in_child=_pools.clear)
