"""The vertices moved by a motion, and their origin."""

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
    """Name of the group or the obstacle."""
    numbers: Ints
    """(k,) indices in the mesh of the body."""
    start: Array
    """(k, 3) positions at the start of the run [m]."""
    total: int
    """Number of vertices of the mesh."""
    size: float
    """Longest side of the mesh [m]."""
    up: str = "y"
    """Axis that points up in the scene."""
    source: MeshFile | None = None
    """The file of the mesh, if any."""
