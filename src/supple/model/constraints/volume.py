"""Bodies with constant volume inside their surface: incompressible as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from supple.constraints.holonomic import Holonomic
from supple.constraints.volumes import FixedVolume
from supple.errors import MeshError, SceneError
from supple.mesh.topology import surface
from supple.model.constraints.constraint import CONSTRAINTS, Constraint
from supple.model.placed import Placed
from supple.model.places import place
from supple.types import Array


@CONSTRAINTS("volume")
@dataclass(frozen=True)
class KeptVolume(Constraint):
    """Incompressibility: a body keeps the initial volume inside its surface."""

    vertices: str
    """`body`: a solid or a closed surface, as a whole."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, part = place(self.vertices, placed, f"{path}.vertices")
        if len(vertices) < part.mesh.n:
            raise SceneError(
                f"{path}.vertices: found '{self.vertices}', {len(vertices)} of {part.mesh.n} vertices; a volume belongs to "
                f"the whole body: '{part.name}'"
            )
        return volume_of(part, x, path)


def volume_of(part: Placed, x: Array, path: str) -> list[Holonomic]:
    """The equation of one body at positions x (n, 3) of all bodies."""
    try:
        return [FixedVolume(x, part.own(surface(part.mesh)), path)]
    except MeshError as error:
        raise SceneError(str(error)) from None
