"""Processes forked after threads have run: GNU OpenMP, used by Numba's kernels, cannot continue in them.

It ends such a process without an error visible to Python, and a process pool then waits forever. So a fork is detected,
and the first use of threads in the child raises an error with the remedy.
"""

from __future__ import annotations

import os
import sys

from supple.errors import SuppleError

_orphaned = False
"""Whether this process was forked from one whose threads were at work."""


def demand_threads() -> None:
    """Raise an error where the first parallel kernel would end the process."""
    if _orphaned:
        raise SuppleError(
            "this process was forked from one in which supple had computed already, and its threads cannot be used in both; "
            'start processes afresh: multiprocessing.get_context("spawn").Pool(...), ProcessPoolExecutor(mp_context='
            'multiprocessing.get_context("spawn")), or fork before anything is computed'
        )


def _threads_ran() -> bool:
    """Whether Numba has started threads that do not survive a fork."""
    parallel, pool = (sys.modules.get(f"numba.np.ufunc.{name}") for name in ("parallel", "omppool"))
    return bool(getattr(parallel, "_is_initialized", False)) and getattr(pool, "openmp_vendor", "") == "GNU"


def _after_fork() -> None:
    global _orphaned
    _orphaned = _orphaned or _threads_ran()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
