"""Where a body comes from and which of its vertices have names: `body.mesh` and `body.groups`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from annotated_types import Ge, Len
from pydantic import Discriminator, Tag, model_validator

from supple.mesh import SHAPES
from supple.scene.tables.coarse import CoarseFile
from supple.scene.tables.fields import Condition, Count, Direction, Positive, Vector, exactly_one
from supple.scene.text.registry_models import Options, Table, options_models, tagged_union


class MeshFile(Table):
    """A mesh from a file: tetrahedra, triangles or lines, or a closed surface to be filled with tetrahedra."""

    file: str
    """Path, relative to the folder of the scene file."""
    scale: Positive = 1.0
    """Factor on all coordinates, to metres [-]."""
    edge_length: Positive | None = None
    """If given, the file is a closed surface that is filled with tetrahedra of about this edge, after scaling [m]."""
    skin: str | None = None
    """Path of a surface, in the units of the mesh file, that exports show in place of the tetrahedra's own; the file itself
    if it is filled."""


def mesh_kind(value: Any) -> str:
    """Tag of the mesh table: `file` or `coarse` if it names a file, otherwise `shape`."""
    for tag, table in (("file", MeshFile), ("coarse", CoarseFile)):
        if isinstance(value, table) or (isinstance(value, dict) and tag in value):
            return tag
    return "shape"


if TYPE_CHECKING:
    MeshTable: TypeAlias = MeshFile | CoarseFile | Options
else:
    MeshTable = Annotated[
        Annotated[tagged_union(options_models(SHAPES.load(), "shape"), "shape"), Tag("shape")]
        | Annotated[MeshFile, Tag("file")]
        | Annotated[CoarseFile, Tag("coarse")],
        Discriminator(mesh_kind),
    ]


class Sphere(Table):
    """All vertices at most `radius` away from `centre`."""

    centre: Vector
    """[m]"""
    radius: Positive
    """[m]"""


class HalfSpace(Table):
    """All vertices on the plane or on the side that `normal` points to: (X - point) . normal >= 0."""

    point: Vector
    """Any point of the plane [m]."""
    normal: Direction
    """Need not have length 1."""


class Nearest(Table):
    """The vertices nearest to a point."""

    point: Vector
    """[m]"""
    count: Annotated[Count, Ge(1)] = 1
    """How many."""


class Selection(Table):
    """Vertices of a body by their rest positions; exactly one of the keys."""

    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner, both inclusive [m]."""
    sphere: Sphere | None = None
    plane: HalfSpace | None = None
    vertices: Annotated[tuple[Count, ...], Len(1)] | None = None
    """Numbers of vertices, from 0."""
    expression: Condition | None = None
    """A condition such as `X < 0.1 and Y > 0` in rest coordinates [m]."""
    nearest: Nearest | None = None
    """So many vertices nearest to a point."""

    @model_validator(mode="after")
    def _one(self) -> Selection:
        exactly_one({key: getattr(self, key) for key in Selection.model_fields}, "a group")
        if self.box is not None and any(low > high for low, high in zip(*self.box, strict=True)):
            lower, upper = (list(corner) for corner in self.box)
            raise ValueError(f"box goes from its lower to its upper corner, found {lower} and {upper}")
        return self
