"""What a sweep gives to all its tasks, and whom it tells of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from supple.sweeps.measures import Measure
from supple.sweeps.site import Site
from supple.sweeps.task import Task


@dataclass(frozen=True)
class Load:
    """What all tasks of a sweep have in common."""

    site: Site
    measures: tuple[Measure, ...]
    contents: Callable[[str], bytes]
    """Of a file, by its name."""


@dataclass(frozen=True)
class Reports:
    """Who is told what happens to tasks."""

    submitted: Callable[[Task], None]
    """A task goes to the workers."""
    died: Callable[[Task], None]
    """The worker of a task is gone; the task goes to another."""
