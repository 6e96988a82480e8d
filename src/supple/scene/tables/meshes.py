"""Sources of a mesh: `body.mesh` and the mesh of an obstacle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Discriminator, Tag

from supple.mesh import SHAPES
from supple.model.source import CoarseFile, MeshFile
from supple.scene.text.registry_models import Options, options_model, table_choice

MeshFileTable, CoarseFileTable = options_model(MeshFile), options_model(CoarseFile)


def mesh_kind(value: Any) -> str:
    """Tag of the mesh table: `file` or `coarse` if it names a file, otherwise `shape`."""
    for tag, table in (("file", MeshFileTable), ("coarse", CoarseFileTable)):
        if isinstance(value, table) or (isinstance(value, dict) and tag in value):
            return tag
    return "shape"


if TYPE_CHECKING:
    MeshTable: TypeAlias = Options
else:
    MeshTable = Annotated[
        Annotated[table_choice("shape", SHAPES), Tag("shape")]
        | Annotated[MeshFileTable, Tag("file")]
        | Annotated[CoarseFileTable, Tag("coarse")],
        Discriminator(mesh_kind),
    ]
