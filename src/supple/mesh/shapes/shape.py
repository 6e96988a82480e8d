"""The interface of built-in shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from supple.mesh.mesh import Mesh


@dataclass(frozen=True)
class Counts:
    """The size of a mesh before it is built. Floats, since unreasonable parameters may overflow integers."""

    vertices: float
    elements: float
    """Tets, triangles and edges in all."""
    places: float = 0.0
    """Lattice points examined during construction."""


class MeshShape(Protocol):
    """A frozen dataclass of its parameters, registered in SHAPES, that builds a mesh.

    A shape with a method `counts` is rejected before it is built if it exceeds the limits of a scene.
    """

    name: ClassVar[str]

    def mesh(self) -> Mesh:
        """The mesh, with its named groups of vertices."""
        ...
