"""Parts of a body with moduli and densities of their own: `[[body.regions]]`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Len
from pydantic import BeforeValidator, Field, Strict, field_validator, model_validator

from supple.formulas.expressions import Expression
from supple.mesh.images import read_voxels
from supple.mesh.mesh import Mesh
from supple.mesh.regions import (
    Balls,
    BoxRegion,
    HalfSpaceRegion,
    Layers,
    Together,
    TubeRegion,
    Voxels,
    centres,
    inside,
    numbered,
    tagged,
)
from supple.scene.tables import geometry
from supple.scene.tables.fields import Condition, Poisson, Positive, Vector, exactly_one
from supple.scene.text.registry_models import Table
from supple.types import Ints

HOLE = "none"


class RegionMaterial(Table):
    """What a region is made of: the law of `body.material` with other moduli; what is absent is that of the body."""

    young: Positive | None = None
    """Young's modulus [Pa]."""
    poisson: Poisson | None = None
    """Poisson's ratio [-]."""
    density: Positive | None = None
    """[kg/m^3]"""
    removed: Annotated[bool, Strict()] = False
    """Whether the tets of the region are taken out of the mesh; `"none"` instead of a table says the same."""

    @model_validator(mode="after")
    def _nothing_of_a_hole(self) -> RegionMaterial:
        given = [key for key in ("young", "poisson", "density") if getattr(self, key) is not None]
        if self.removed and given:
            raise ValueError(f"a hole has no {', '.join(given)}")
        return self


def _hole(value: Any) -> Any:
    return {"removed": True} if value == HOLE else value


Made = Annotated[RegionMaterial, BeforeValidator(_hole, json_schema_input_type=RegionMaterial | Literal["none"])]
ByNumber = Annotated[dict[str, Made], Len(1)]


class LayersTable(Table):
    """Layers across an axis, made of several materials in turn."""

    axis: Literal["x", "y", "z"] = "y"
    count: Annotated[int, Strict(), Ge(1)] | None = None
    """That many layers of equal thickness through the whole body."""
    thickness: Annotated[tuple[Positive, ...], Len(1)] | None = None
    """Of each layer [m], from the lower end of the body; beyond the last the body is as it was."""
    materials: Annotated[tuple[Made, ...], Len(1)]
    """The first layer has the first; after the last comes the first again."""

    @model_validator(mode="after")
    def _one(self) -> LayersTable:
        exactly_one({"count": self.count, "thickness": self.thickness}, "layers")
        return self

    def parts(self, mesh: Mesh) -> Ints:
        axis = "xyz".index(self.axis)
        low, extent = float(mesh.vertices[:, axis].min()), float(mesh.extent[axis])
        thickness = np.full(self.count, extent / self.count) if self.count else np.array(self.thickness)
        return Layers(axis, low, thickness, len(self.materials)).parts(centres(mesh))


class TubeTable(Table):
    """All that is closer to a chain of straight pieces than a radius: fibres, vessels."""

    points: Annotated[tuple[Vector, ...], Len(2)]
    """Ends of the pieces [m]."""
    radius: Positive | Annotated[tuple[Positive, ...], Len(2)]
    """One, or one for each point [m]."""

    @model_validator(mode="after")
    def _as_many(self) -> TubeTable:
        if isinstance(self.radius, tuple) and len(self.radius) != len(self.points):
            raise ValueError(f"radius: {len(self.points)} points need as many radii or one, found {len(self.radius)}")
        return self

    def make(self) -> TubeRegion:
        return TubeRegion(
            np.array(self.points), np.broadcast_to(np.asarray(self.radius, dtype=float), len(self.points))
        )


class TagsTable(Table):
    """Tags of the mesh file, each with its material; every tag that occurs needs one."""

    array: str | None = None
    """Name of the cell data; `gmsh:physical`, `medit:ref`, or the only array, if absent."""
    materials: ByNumber
    """From a tag to a material; `{}` is that of the body."""

    @field_validator("materials")
    @classmethod
    def _whole(cls, materials: dict[str, RegionMaterial]) -> dict[str, RegionMaterial]:
        return _numbers(materials)

    def parts(self, mesh: Mesh) -> Ints:
        return numbered(tagged(mesh, self.array)[1], [int(key) for key in self.materials])


class VoxelsTable(Table):
    """A voxel image over a box, with a material for each value that occurs."""

    file: str
    """A `.npy` file of whole numbers over x, y, z, or a folder of `.png` files, one a slice across z; relative to the scene."""
    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner of the image [m]; that of the body if absent."""
    materials: ByNumber
    """From a value to a material; `{}` is that of the body."""

    @field_validator("materials")
    @classmethod
    def _whole(cls, materials: dict[str, RegionMaterial]) -> dict[str, RegionMaterial]:
        return _numbers(materials)

    @model_validator(mode="after")
    def _sides(self) -> VoxelsTable:
        if self.box is not None and any(low >= high for low, high in zip(*self.box, strict=True)):
            raise ValueError("box goes from its lower to its upper corner, and has a volume")
        return self

    def parts(self, mesh: Mesh) -> Ints:
        low, high = self.box or (mesh.vertices.min(axis=0), mesh.vertices.max(axis=0))
        known = tuple(int(key) for key in self.materials)
        return Voxels(read_voxels(self.file), np.asarray(low), np.asarray(high), known).parts(centres(mesh))


def _numbers(materials: dict[str, RegionMaterial]) -> dict[str, RegionMaterial]:
    for key in materials:
        try:
            int(key)
        except ValueError:
            raise ValueError(f"keys are whole numbers in quotes or bare, found '{key}'; for names see `tag`") from None
    return materials


class RegionTable(Table):
    """Tets whose centre lies in a region, and what they are made of; exactly one of the keys that say where."""

    layers: LayersTable | None = None
    tags: TagsTable | None = None
    voxels: VoxelsTable | None = None
    tag: str | None = None
    """A named part of the mesh file, such as a physical volume of Gmsh."""
    spheres: Annotated[tuple[geometry.Sphere, ...], Len(1)] | None = None
    tubes: Annotated[tuple[TubeTable, ...], Len(1)] | None = None
    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner [m]."""
    plane: geometry.HalfSpace | None = None
    expression: Condition | None = None
    """A condition such as `X^2 + Z^2 < 0.1` in rest coordinates of the centres [m]."""
    material: Made | None = Field(default=None)
    """What it is made of, or `"none"` for a hole; layers, tags and voxels name their own."""

    @model_validator(mode="after")
    def _one(self) -> RegionTable:
        exactly_one({key: getattr(self, key) for key in RegionTable.model_fields if key != "material"}, "a region")
        many = self.layers or self.tags or self.voxels
        if (many is None) == (self.material is None):
            raise ValueError("missing material" if many is None else "material: layers, tags and voxels name their own")
        return self

    @property
    def made_of(self) -> tuple[RegionMaterial, ...]:
        """Materials of its parts."""
        many = self.layers or self.tags or self.voxels
        if many is None:
            return (self.material or RegionMaterial(),)
        return tuple(many.materials if isinstance(many, LayersTable) else many.materials.values())

    def parts(self, mesh: Mesh) -> Ints:
        """(m,) part of each tet of a mesh, or OUTSIDE."""
        many = self.layers or self.tags or self.voxels
        if many is not None:
            return many.parts(mesh)
        if self.tag is not None:
            return inside(tagged(mesh, self.tag)[1] != 0)
        points = centres(mesh)
        if self.expression is not None:
            return inside(np.broadcast_to(Expression(self.expression).holds(points), len(points)))
        if self.spheres is not None:
            return Balls(*(np.array([getattr(s, key) for s in self.spheres]) for key in ("centre", "radius"))).parts(
                points
            )
        if self.tubes is not None:
            return Together([tube.make() for tube in self.tubes]).parts(points)
        if self.box is not None:
            return BoxRegion(*(np.asarray(corner) for corner in self.box)).parts(points)
        assert self.plane is not None
        return HalfSpaceRegion(np.asarray(self.plane.point), np.asarray(self.plane.normal)).parts(points)
