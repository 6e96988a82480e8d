"""Limits on the size of a scene, checked before it is built: `[limits]`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from annotated_types import Ge

from supple.checks import checked
from supple.errors import SceneError
from supple.values import Positive

GIB = 2.0**30
PART = 0.75
"""Default fraction of the machine's memory available to a scene."""
PLACES = 20.0
"""Lattice points that a mesh builder may examine per permitted element."""


@checked
@dataclass(frozen=True)
class Limits:
    """Limits on the size of a scene. Larger scenes are rejected by an estimate before anything is built."""

    vertices: Annotated[int, Ge(1)] = 2_000_000
    """Vertices and particles of all bodies and mesh obstacles."""
    elements: Annotated[int, Ge(1)] = 10_000_000
    """Tets, triangles and edges of all bodies and mesh obstacles."""
    memory: Positive | None = None
    """Memory for the model and its matrices [GiB]; never more than the machine has; three quarters of that if absent."""
    steps: Annotated[int, Ge(1)] = 100_000_000
    """Steps of a run."""
    frames: Annotated[int, Ge(1)] = 1_000_000
    """Recorded frames."""
    recording: Positive = 200.0
    """Size of the animation file [GiB]."""

    @property
    def room(self) -> float:
        """Memory that may be used [GiB]."""
        has = machine_memory()
        return PART * has if self.memory is None else min(self.memory, has)

    def demand(self, where: str, what: str, key: str, count: float) -> None:
        """Raise an error for a count above one of the limits; `what`: noun for the message, such as `vertices`."""
        most = getattr(self, key)
        if count > most:
            raise SceneError(f"{where}: about {counted(count)} {what}, but {self.told(key)}; {raised(key, count)}")

    def demand_memory(self, where: str, gib: float) -> None:
        """Raise an error if more memory [GiB] is required than available or allowed."""
        if gib <= self.room:
            return
        has = machine_memory()
        if gib > has or (self.memory is not None and self.memory >= has):
            raise SceneError(f"{where}: needs about {gib:.3g} GiB, but the machine has {has:.3g} GiB; make it coarser")
        limit = f"limits.memory allows {self.room:.3g} GiB"
        raise SceneError(
            f"{where}: needs about {gib:.3g} GiB, but {limit}; make it coarser, or set limits.memory={has:.3g}"
        )

    def told(self, key: str) -> str:
        """A limit in words."""
        return f"limits.{key} allows {counted(getattr(self, key))}"


def raised(key: str, count: float) -> str:
    """The remedy for a count above a limit."""
    if count > 2.0**62:
        return "no machine holds so many: give smaller numbers"
    return f"give smaller numbers, or raise the limit: limits.{key}={int(float(f'{1.1 * count:.2g}'))}"


def counted(count: float) -> str:
    """A readable number: 2,000,000, or 3e+12 for very large ones."""
    return f"{count:,.0f}" if count < 1e9 else f"{count:.2g}"


def machine_memory() -> float:
    """Memory available to this process [GiB]: limited by the machine, its control group, and its own limit."""
    found = [_pages()]
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        found += [float(text)] if text.isdecimal() else []
    except (OSError, ValueError):
        pass
    try:
        import resource

        soft = resource.getrlimit(resource.RLIMIT_AS)[0]
        found += [float(soft)] if soft != resource.RLIM_INFINITY else []
    except ImportError:  # not on every system
        pass
    return min(found) / GIB


def _pages() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8.0 * GIB
