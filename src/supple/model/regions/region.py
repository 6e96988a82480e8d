"""The geometry of a region: layers, tags, images, tubes, spheres, boxes, half-spaces, conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le, Len

from supple.checks import checked
from supple.errors import SuppleError
from supple.formulas.expressions import Expression
from supple.formulas.values import Condition
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
from supple.model.regions.made import ByNumber, Made, RegionMaterial, check_numbers
from supple.model.selection import Beyond, Within
from supple.types import Ints
from supple.values import Positive, Vector, exactly_one

MOST_LAYERS = 1_000_000
"""Layers of equal thickness; each needs memory, and more than there are tets along an axis have no meaning."""


@checked
@dataclass(frozen=True)
class LayeredRegion:
    """Layers across an axis, made of several materials in turn."""

    materials: Annotated[tuple[Made, ...], Len(1)]
    """Materials of the layers in order, repeated cyclically."""
    axis: Literal["x", "y", "z"] = "y"
    """Axis across the layers, which are stacked along it."""
    count: Annotated[int, Ge(1), Le(MOST_LAYERS)] | None = None
    """Number of layers of equal thickness through the whole body."""
    thickness: Annotated[tuple[Positive, ...], Len(1)] | None = None
    """Thickness of each layer [m], from the lower end of the body; beyond the last layer the body is unchanged."""

    def __post_init__(self) -> None:
        exactly_one({"count": self.count, "thickness": self.thickness}, "layers")

    @property
    def made_of(self) -> tuple[RegionMaterial, ...]:
        return self.materials

    def parts(self, mesh: Mesh) -> Ints:
        axis = "xyz".index(self.axis)
        low, extent = float(mesh.vertices[:, axis].min()), float(mesh.extent[axis])
        thickness = np.full(self.count, extent / self.count) if self.count else np.array(self.thickness)
        return Layers(axis, low, thickness, len(self.materials)).parts(centres(mesh))


@checked
@dataclass(frozen=True)
class Tubular:
    """Tube of a given radius around a polyline: fibres, vessels."""

    points: Annotated[tuple[Vector, ...], Len(2)]
    """Points of the polyline [m]."""
    radius: Positive | Annotated[tuple[Positive, ...], Len(2)]
    """One radius, or one per point [m]."""

    def __post_init__(self) -> None:
        if isinstance(self.radius, tuple) and len(self.radius) != len(self.points):
            raise SuppleError(f"radius: {len(self.points)} points need as many radii or one, found {len(self.radius)}")

    def tube(self) -> TubeRegion:
        return TubeRegion(
            np.array(self.points), np.broadcast_to(np.asarray(self.radius, dtype=float), len(self.points))
        )


@checked
@dataclass(frozen=True)
class TaggedRegion:
    """Tags of the mesh file, each with its material; every occurring tag requires one."""

    materials: ByNumber
    """From a tag to a material; `{}` is the material of the body."""
    array: str | None = None
    """Name of the cell data; `gmsh:physical`, `medit:ref`, or the only array, if absent."""

    def __post_init__(self) -> None:
        check_numbers(self.materials)

    @property
    def made_of(self) -> tuple[RegionMaterial, ...]:
        return tuple(self.materials.values())

    def parts(self, mesh: Mesh) -> Ints:
        return numbered(tagged(mesh, self.array)[1], [int(key) for key in self.materials])


@checked
@dataclass(frozen=True)
class VoxelRegion:
    """A voxel image over a box, with a material for each occurring value."""

    file: str
    """A `.npy` file of whole numbers over x, y, z, or a folder of `.png` files, one per slice along z; relative to the scene."""
    materials: ByNumber
    """From a value to a material; `{}` is the material of the body."""
    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner of the image [m]; the bounding box of the body if absent."""

    def __post_init__(self) -> None:
        check_numbers(self.materials)
        if self.box is not None and any(low >= high for low, high in zip(*self.box, strict=True)):
            raise SuppleError("box must go from its lower to its upper corner and have a volume")

    @property
    def made_of(self) -> tuple[RegionMaterial, ...]:
        return tuple(self.materials.values())

    def parts(self, mesh: Mesh) -> Ints:
        low, high = self.box or (mesh.vertices.min(axis=0), mesh.vertices.max(axis=0))
        known = tuple(int(key) for key in self.materials)
        return Voxels(read_voxels(self.file), np.asarray(low), np.asarray(high), known).parts(centres(mesh))


@checked
@dataclass(frozen=True)
class Region:
    """Tets with their centre in a region, and their material; exactly one of the keys for the geometry."""

    layers: LayeredRegion | None = None
    """Layers of several materials."""
    tags: TaggedRegion | None = None
    """All tags of the mesh file, each with its own material."""
    voxels: VoxelRegion | None = None
    """A voxel image, with a material for each value."""
    tag: str | None = None
    """A named part of the mesh file, such as a physical volume of Gmsh."""
    spheres: Annotated[tuple[Within, ...], Len(1)] | None = None
    """Balls, each by its centre and radius."""
    tubes: Annotated[tuple[Tubular, ...], Len(1)] | None = None
    """Tubes around polylines."""
    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner [m]."""
    plane: Beyond | None = None
    """The side of a plane to which its normal points."""
    expression: Condition | None = None
    """A condition such as `X^2 + Z^2 < 0.1` in rest coordinates of the centres [m]."""
    material: Made | None = None
    """Its material, or `"none"` for a hole; layers, tags and voxels have their own."""

    def __post_init__(self) -> None:
        exactly_one({f.name: getattr(self, f.name) for f in fields(self) if f.name != "material"}, "a region")
        if (self._many is None) == (self.material is None):
            raise SuppleError(
                "missing material" if self._many is None else "material: layers, tags and voxels have their own"
            )

    @property
    def _many(self) -> LayeredRegion | TaggedRegion | VoxelRegion | None:
        """The geometry with several materials, if any."""
        return self.layers or self.tags or self.voxels

    @property
    def made_of(self) -> tuple[RegionMaterial, ...]:
        """Materials of its parts."""
        return (self.material or RegionMaterial(),) if self._many is None else self._many.made_of

    def with_materials(self, change: Callable[[RegionMaterial], RegionMaterial]) -> Region:
        """The same region with each of its materials changed."""
        if self.material is not None:
            return replace(self, material=change(self.material))
        if self.layers is not None:
            return replace(self, layers=replace(self.layers, materials=tuple(map(change, self.layers.materials))))
        key, many = ("tags", self.tags) if self.tags is not None else ("voxels", self.voxels)
        assert many is not None
        materials = {name: change(made) for name, made in many.materials.items()}
        return replace(self, **{key: replace(many, materials=materials)})  # type: ignore[arg-type]

    def parts(self, mesh: Mesh) -> Ints:
        """(m,) index of the part for each tet of a mesh, or OUTSIDE."""
        if self._many is not None:
            return self._many.parts(mesh)
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
            return Together([tube.tube() for tube in self.tubes]).parts(points)
        if self.box is not None:
            return BoxRegion(*(np.asarray(corner) for corner in self.box)).parts(points)
        assert self.plane is not None
        return HalfSpaceRegion(np.asarray(self.plane.point), np.asarray(self.plane.normal)).parts(points)
