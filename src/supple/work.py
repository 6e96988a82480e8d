"""Work of a step of a run: counted where it is done, bounded by `solver.max_work`.

The unit is about one evaluation of all energies. Counts depend on the scene alone, never on the clock, so a run that exhausts
its work does so on every machine at the same place.

    with counted(Work(done, most)) as work:   # by whoever attempts a step
        spend(ITERATION)                      # by whatever may take long; raises OutOfWork
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from supple.errors import SuppleError

ATTEMPT = 100
"""Units of an attempt at a piece of a step, in addition to its iterations and evaluations."""
ITERATION = 10
"""Units of a Newton iteration: matrices, their factors and a solve."""
EVALUATION = 1
"""Units of an evaluation in a line search."""
ALWAYS = 1 << 40
"""Units left where work is not limited."""


class OutOfWork(SuppleError):
    """A step has taken all the work that it may take."""


class Work:
    """Units done, out of the most that may be done."""

    def __init__(self, done: int, most: int) -> None:
        self.done, self.most = done, most

    def add(self, units: int) -> None:
        """Count units; raises OutOfWork beyond the most."""
        self.done += units
        if self.done > self.most:
            raise OutOfWork(f"the work of a step exceeds {self.most} units")


_current: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def counted(work: Work) -> Iterator[Work]:
    """Count everything that is spent in the context here."""
    token = _current.set(work)
    try:
        yield work
    finally:
        _current.reset(token)


def spend(units: int) -> None:
    """Count units of the step at hand, if there is one; raises OutOfWork when it has none left."""
    work = _current.get()
    if work is not None:
        work.add(units)


def left() -> int:
    """Units that the step at hand may still take."""
    work = _current.get()
    return ALWAYS if work is None else max(work.most - work.done, 0)


def most() -> int:
    """Units that the step at hand may take in all."""
    work = _current.get()
    return ALWAYS if work is None else work.most
