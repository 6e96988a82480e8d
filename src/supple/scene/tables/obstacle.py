"""Obstacles: `[[obstacle]]`, a shape that acts on vertices only, or a mesh that takes part in `[contact]`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag, create_model, model_validator

from supple.contact.obstacles import OBSTACLES
from supple.model.obstacle import KINEMATIC, MeshObstacle, Obstacle
from supple.points.obstacle import LAWS
from supple.scene.tables.meshes import MeshTable
from supple.scene.text.choice import Choice
from supple.scene.text.field_docs import summary
from supple.scene.text.registry_models import Options, dataclass_fields, made, table_of
from supple.wording import shown


class ShapeOptions(Options):
    """The options of an obstacle and those of its shape in one table."""

    of_shape: ClassVar[tuple[str, ...]] = ()
    """Fields of the shape."""

    def make(self) -> Obstacle:
        shape = self.made_from(**{name: made(getattr(self, name)) for name in self.of_shape})
        own = {name: made(getattr(self, name)) for name in dataclass_fields(Obstacle, ("shape",))}
        return Obstacle(shape, **own)


@cache
def shape_model(name: str, cls: type[Any]) -> type[ShapeOptions]:
    """The table of one shape."""
    of_shape = dataclass_fields(cls)
    fields: dict[str, Any] = {"shape": (Literal[name], Field(description=summary(cls)))}
    fields |= {**dataclass_fields(Obstacle, ("shape",)), **of_shape}
    model = create_model(f"{cls.__name__}Obstacle", __base__=ShapeOptions, __doc__=cls.__doc__, **fields)
    model.made_from, model.of_shape, model.documented = cls, tuple(of_shape), (cls, Obstacle)
    return model


OF_SHAPES = ("barrier", "quadratic", "cubic", "repulsion", *KINEMATIC)
"""Laws that a mesh does not support."""


class MeshObstacleOptions(Options):
    """Checks of the table of a mesh obstacle beyond its single fields."""

    @model_validator(mode="before")
    @classmethod
    def _no_law_of_a_shape(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("law") in OF_SHAPES:
            raise ValueError(
                f"law = {shown(data['law'])} is for obstacles with a shape ({', '.join(OBSTACLES.names())}), but this one has a "
                "mesh, which acts by the barrier of [contact]; omit law, or use a shape. With material points use "
                f"{', '.join(LAWS)}"
            )
        return data


MeshObstacleTable = table_of(MeshObstacle, MeshObstacleOptions, mesh=MeshTable)


def obstacle_kind(value: Any) -> str:
    """Tag of the table: `mesh` if it has one, otherwise `shape`."""
    return "mesh" if isinstance(value, MeshObstacleTable) or (isinstance(value, dict) and "mesh" in value) else "shape"


if TYPE_CHECKING:
    ObstacleTable: TypeAlias = Any
else:
    ObstacleTable = Annotated[
        Annotated[Any, Choice("shape", (OBSTACLES,), shape_model), Tag("shape")]
        | Annotated[MeshObstacleTable, Tag("mesh")],
        Discriminator(obstacle_kind),
    ]
