"""What every ready shape offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from supple.mesh.mesh import Mesh


@dataclass(frozen=True)
class Counts:
    """How large a mesh will be, known before it is made. Floats, since nonsense may be beyond any whole number."""

    vertices: float
    elements: float
    """Tets, triangles and edges in all."""
    places: float = 0.0
    """Places of a lattice that are looked at on the way."""


class MeshShape(Protocol):
    """A frozen dataclass of its parameters, registered in SHAPES, that makes a mesh.

    A shape with a method `counts` is refused before it is made if it is beyond the limits of a scene.
    """

    name: ClassVar[str]

    def mesh(self) -> Mesh:
        """The mesh, with its named groups of vertices."""
        ...
