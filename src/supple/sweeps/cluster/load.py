"""Shared data of all tasks of a sweep, and callbacks about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from supple.sweeps.measures import Measure
from supple.sweeps.site import Site
from supple.sweeps.task import Task


@dataclass(frozen=True)
class Load:
    """Data common to all tasks of a sweep."""

    site: Site
    measures: tuple[Measure, ...]
    contents: Callable[[str], bytes]
    """Content of a file, by its name."""


@dataclass(frozen=True)
class Reports:
    """Callbacks for events of tasks."""

    submitted: Callable[[Task], None]
    """A task is submitted to the workers."""
    died: Callable[[Task], None]
    """The worker of a task is lost; the task moves to another."""
