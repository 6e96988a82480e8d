"""One deformable body of a scene: `[[body]]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Discriminator, Tag, field_validator, model_validator

from supple.model.body import WATER, Body
from supple.model.points.points import Points, Vertices
from supple.model.selection import Selection
from supple.scene.tables.materials import MaterialTable, is_word
from supple.scene.tables.meshes import MeshTable
from supple.scene.text.registry_models import Options, options_model, table_of


class BodyOptions(Options):
    """Checks of a body's table beyond its single fields."""

    @model_validator(mode="before")
    @classmethod
    def _default_density(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "density" in data or "mass" in data:
            return data
        material = data.get("material")
        name = material.get("name") if isinstance(material, dict) else getattr(material, "name", material)
        # the density of a preset comes with the preset
        return data if isinstance(name, str) and is_word(name) else {**data, "density": WATER}

    @field_validator("mesh", mode="before", check_fields=False)
    @classmethod
    def _shape_or_file(cls, mesh: Any) -> Any:
        if isinstance(mesh, dict) and "shape" in mesh and "file" in mesh:
            raise ValueError("give either shape or file, found both")
        return mesh


if TYPE_CHECKING:
    BodyTable: TypeAlias = Any
else:
    PointsTable = Annotated[
        Annotated[options_model(Points), Tag("table")] | Annotated[Vertices, Tag("word")],
        Discriminator(lambda value: "word" if isinstance(value, str) else "table"),
    ]
    """A table for a cloud, or a name for an embedded mesh; problems are reported for the one that was meant."""
    BodyTable = table_of(
        Body,
        BodyOptions,
        mesh=MeshTable,
        material=MaterialTable,
        groups=dict[str, options_model(Selection)],
        points=PointsTable | None,
        surface=str | None,
    )
