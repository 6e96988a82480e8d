"""One deformable body of a scene: `[[body]]`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, Strict, field_validator, model_validator

from supple.scene.tables.fields import Colour, NotNegative, Positive
from supple.scene.tables.geometry import MeshTable, Selection
from supple.scene.tables.materials import MaterialTable
from supple.scene.tables.motion import Initial, Motion
from supple.scene.tables.regions import RegionTable
from supple.scene.tables.thin import Bending, Kept, Pressure, one_number
from supple.scene.text.registry_models import Table

WATER = 1000.0


class Body(Table):
    """A mesh, what it is made of, which vertices are held or moved, and how it starts."""

    name: str = "body"
    """Unique in the scene; `body0`, `body1` ... if absent."""
    mesh: MeshTable
    """A shape with its options, or a file."""
    groups: dict[str, Selection] = Field(default_factory=dict)
    """Named vertices, beside the groups that the mesh brings along."""
    material: MaterialTable
    regions: tuple[RegionTable, ...] = ()
    """Parts of a solid with other moduli or densities, and holes; where they overlap the later one counts."""
    thickness: Positive | None = None
    """Of a surface, or diameter of a rope [m]: what a membrane's stiffness and a density per m^3 refer to, and how far
    contact keeps surfaces apart."""
    bending: Bending | None = None
    """What resists bending of a surface."""
    pressure: Pressure | None = None
    """What fills a closed surface."""
    area: Annotated[Kept | None, BeforeValidator(one_number)] = None
    """Stiffness of areas of triangles: a number, or a table."""
    volume: Annotated[Kept | None, BeforeValidator(one_number)] = None
    """Stiffness of volumes, of tets or inside a closed surface: a number, or a table."""
    density: Positive | None = None
    """[kg/m^3]; of a surface without thickness [kg/m^2], of a rope without [kg/m]; a body with neither density nor mass has
    1000."""
    mass: Positive | None = None
    """Total mass of the body [kg], instead of a density."""
    mass_distribution: Literal["volume", "uniform"] = "volume"
    """Each vertex carries its share of the elements around it, or all vertices carry the same."""
    pin: tuple[str, ...] = ()
    """Groups whose vertices never move; one name or a list of names."""
    motion: tuple[Motion, ...] = ()
    """Groups that a script moves."""
    initial: Initial = Initial()
    friction: NotNegative | None = None
    """Coefficient of friction [-]; that of `contact.friction`, or of the obstacle's shape, if absent."""
    self_contact: Annotated[bool, Strict()] | None = None
    """Whether its parts keep each other off; as `contact.self_contact` if absent."""
    colour: Colour | None = None
    """In pictures: a name or `#rrggbb`; if absent, bodies get different ones in their order."""

    @model_validator(mode="before")
    @classmethod
    def _default_density(cls, data: Any) -> Any:
        if isinstance(data, dict) and "density" not in data and "mass" not in data:
            return {**data, "density": WATER}
        return data

    @field_validator("mesh", mode="before")
    @classmethod
    def _shape_or_file(cls, mesh: Any) -> Any:
        if isinstance(mesh, dict) and "shape" in mesh and "file" in mesh:
            raise ValueError("give either shape or file, found both")
        return mesh

    @field_validator("pin", mode="before")
    @classmethod
    def _one_or_more(cls, pin: Any) -> Any:
        return [pin] if isinstance(pin, str) else pin

    @model_validator(mode="after")
    def _one_mass(self) -> Body:
        if self.density is not None and self.mass is not None:
            raise ValueError(f"give either density or mass, found density {self.density:g} and mass {self.mass:g}")
        if self.mass is not None and any(made.density for region in self.regions for made in region.made_of):
            raise ValueError("regions with a density of their own belong to a body with density, found mass")
        return self
