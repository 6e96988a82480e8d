"""One deformable body: a mesh, what it is made of, which vertices are held or moved, and how it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from supple.checks import checked
from supple.errors import SuppleError
from supple.formulas.curves import NotNegativeChanging
from supple.mesh.mesh import Mesh
from supple.model.changing.muscle import Muscle
from supple.model.direction.direction import Directions
from supple.model.initial import Initial
from supple.model.materials.structure import BodyMaterial
from supple.model.motion import Motion
from supple.model.points.points import Points, Vertices
from supple.model.presets.preset import Preset
from supple.model.regions.region import Region
from supple.model.selection import Selection, as_selection
from supple.model.sewing.pleat import Pleat
from supple.model.source import MeshSource, as_source
from supple.model.thin import Bending, KeptTable, Pressure
from supple.values import Colour, Groups, Name, Positive, checked_name

WATER = 1000.0
"""Density of a body with neither density nor mass [kg/m^3]."""


@checked
@dataclass(frozen=True)
class Body:
    """A deformable body.

        bar = supple.Body(supple.Bar(cells=(8, 2, 2)), supple.StVK.from_young(1e6, 0.3), density=500.0, pin="left")

    What is wrong with it is said when the world is assembled, with all other problems, or at once where a single
    value cannot be right.
    """

    mesh: MeshSource
    """A shape with its options, or a file."""
    material: BodyMaterial | Preset
    """A law with its constants, or a word such as `rubber`, with values for what the body leaves open."""
    name: Name = ""
    """Unique in the scene; `body0`, `body1` ... if absent."""
    groups: Mapping[str, Selection] = field(default_factory=dict)
    """Named vertices, beside the groups that the mesh brings along. In Python an array of numbers, or a mask, will do."""
    regions: tuple[Region, ...] = ()
    """Parts of a solid with other moduli or densities, and holes; where they overlap the later one counts."""
    thickness: Positive | None = None
    """Of a surface, or diameter of a rope [m]: what a membrane's stiffness and a density per m^3 refer to, and how far
    contact keeps surfaces apart."""
    bending: Bending | None = None
    """What resists bending of a surface."""
    pressure: Pressure | None = None
    """What fills a closed surface."""
    area: KeptTable | None = None
    """Stiffness of areas of triangles: a number, or a table."""
    stiffness: NotNegativeChanging = 1.0
    """Factor on the elastic forces of its material and its bending; may change with time [-]."""
    muscles: tuple[Muscle, ...] = ()
    """Parts that shorten, mostly over time."""
    volume: KeptTable | None = None
    """Stiffness of volumes, of tets or inside a closed surface: a number, or a table; "kept" keeps the volume inside the whole
    surface exactly."""
    density: Positive | None = None
    """[kg/m^3]; of a surface without thickness [kg/m^2], of a rope without [kg/m]; a body with neither density nor mass has
    that of its word, or 1000."""
    mass: Positive | None = None
    """Total mass of the body [kg], instead of a density."""
    mass_distribution: Literal["volume", "uniform"] = "volume"
    """Each vertex carries its share of the elements around it, or all vertices carry the same."""
    pin: Groups = ()
    """Groups whose vertices never move; one name or a list of names."""
    motion: tuple[Motion, ...] = ()
    """Groups that a script moves."""
    initial: Initial = field(default_factory=Initial)
    friction: NotNegativeChanging | None = None
    """Coefficient of friction [-]; that of `contact.friction`, or of the obstacle's shape, if absent."""
    self_contact: bool | None = None
    """Whether its parts keep each other off; as `contact.self_contact` if absent."""
    colour: Colour | None = None
    """In pictures: a name or `#rrggbb`; if absent, bodies get different ones in their order."""
    points: Points | Vertices | None = None
    """For the method mpm: a table makes the body a cloud of material points that fills its mesh, and "vertices" lets the mesh
    ride on the grid of clouds."""
    pleats: tuple[Pleat, ...] = ()
    """Folds pressed into a surface: rest angles of its bending."""
    surface: str | Path | Mesh | None = None
    """A surface of any kind that the tets carry and that is shown in their place: a file, in the units of the mesh file."""
    direction: Directions | None = None
    """Words of a director for this body; those of the scene's [direction] act as well."""

    def __post_init__(self) -> None:
        keep = partial(object.__setattr__, self)
        keep("mesh", as_source(self.mesh))
        keep("surface", str(self.surface) if isinstance(self.surface, Path) else self.surface)
        if not isinstance(self.surface, str | Mesh | None):
            raise SuppleError(f"surface: found {self.surface!r}; give a Mesh, or the path of a file")
        keep(
            "groups", {checked_name(name, "groups"): as_selection(chosen, name) for name, chosen in self.groups.items()}
        )
        keep("regions", _several(self.regions))
        keep("motion", _several(self.motion))
        keep("material", _as_material(self.material))
        if not (isinstance(self.material, Preset) or callable(getattr(self.material, "terms", None))):
            raise SuppleError(
                f"material: found {self.material!r}; give a material such as supple.StVK.from_young(1e6, 0.3), or a word such "
                "as 'rubber'"
            )
        if self.direction is not None and self.direction.bouncier != 1.0:
            raise SuppleError(
                f"direction.bouncier: found {self.direction.bouncier:g}; rebound is a matter of the whole scene, since bodies "
                "share their bounces: write it in [direction], or as World(direction=...)"
            )
        if self.density is not None and self.mass is not None:
            raise SuppleError(f"give either density or mass, found density {self.density:g} and mass {self.mass:g}")
        if self.mass is not None and any(made.has_density for region in self.regions for made in region.made_of):
            raise SuppleError("regions with a density of their own belong to a body with density, found mass")
        if self.density is None and self.mass is None and not isinstance(self.material, Preset):
            keep("density", WATER)

    @property
    def rides(self) -> bool:
        """Whether its mesh moves with the grid of material points."""
        return self.points == "vertices"

    @property
    def words(self) -> set[str]:
        """Words that it and its regions are made of."""
        regions = {made.name for region in self.regions for made in region.made_of if made.name is not None}
        return regions | ({self.material.name} if isinstance(self.material, Preset) else set())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and same(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]


def _as_material(value: Any) -> Any:
    """A word as the material that it stands for."""
    if not isinstance(value, str):
        return value
    try:
        return Preset(value)
    except SuppleError as error:
        raise SuppleError(f"material: {str(error).removeprefix('preset.name: ')}") from None


def _several(value: Any) -> tuple[Any, ...]:
    """One or more as a tuple."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays included."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)
