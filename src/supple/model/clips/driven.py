"""The vertices that a motion moves, and how they got into the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.model.source import MeshFile


@dataclass(frozen=True, eq=False)
class Driven:
    """Vertices of a body or obstacle."""

    name: str
    """Of the group, or of the obstacle."""
    numbers: Ints
    """(k,) in the mesh of the body."""
    start: Array
    """(k, 3) where they are when the run begins [m]."""
    total: int
    """Vertices of the mesh."""
    size: float
    """Longest side of the mesh [m]."""
    up: str = "y"
    """Axis that points up in the scene."""
    source: MeshFile | None = None
    """The file that the mesh came from, if any."""
