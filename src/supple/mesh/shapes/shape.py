"""What every ready shape offers."""

from __future__ import annotations

from typing import ClassVar, Protocol

from supple.mesh.mesh import Mesh


class MeshShape(Protocol):
    """A frozen dataclass of its parameters, registered in SHAPES, that makes a mesh."""

    name: ClassVar[str]

    def mesh(self) -> Mesh:
        """The mesh, with its named groups of vertices."""
        ...
