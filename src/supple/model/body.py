"""One deformable body: mesh, material, pinned and scripted vertices, and initial state."""

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
from supple.model.selection import Selection, as_selection, demand_whole_mask
from supple.model.sewing.pleat import Pleat
from supple.model.source import MeshSource, as_source
from supple.model.thin import Bending, KeptTable, Pressure
from supple.values import Colour, Groups, Name, Positive, checked_name

WATER = 1000.0
"""Default density, if neither density nor mass is given [kg/m^3]."""


@checked
@dataclass(frozen=True)
class Body:
    """A deformable body.

        bar = supple.Body(supple.Bar(cells=(8, 2, 2)), supple.StVK.from_young(1e6, 0.3), density=500.0, pin="left")

    Problems are reported when the world is assembled, together with all others, or immediately if a single value is
    invalid.
    """

    mesh: MeshSource
    """A shape with its options, or a file."""
    material: BodyMaterial | Preset
    """A law with its constants, or a preset such as `rubber`, which also provides defaults for the body."""
    name: Name = ""
    """Unique in the scene; `body0`, `body1` ... if absent."""
    groups: Mapping[str, Selection] = field(default_factory=dict)
    """Named vertex groups, in addition to the groups of the mesh. In Python also an array of indices, or a mask."""
    regions: tuple[Region, ...] = ()
    """Parts of a solid with other moduli or densities, and holes; later entries override earlier ones."""
    thickness: Positive | None = None
    """Thickness of a surface, or diameter of a rope [m]: reference for the stiffness of a membrane and a density per
    m^3, and for the distance that contact keeps between surfaces."""
    bending: Bending | None = None
    """Bending resistance of a surface."""
    pressure: Pressure | None = None
    """Pressure inside a closed surface."""
    area: KeptTable | None = None
    """Stiffness of areas of triangles: a number, or a table."""
    stiffness: NotNegativeChanging = 1.0
    """Factor on the elastic forces of material and bending; may change with time [-]."""
    muscles: tuple[Muscle, ...] = ()
    """Muscles: parts that contract, usually over time."""
    volume: KeptTable | None = None
    """Stiffness of volumes, of tets or inside a closed surface: a number, or a table; "kept" keeps the volume inside
    the whole surface exactly constant."""
    density: Positive | None = None
    """Density [kg/m^3]; for a surface without thickness [kg/m^2], for a rope without thickness [kg/m]; if neither density nor
    mass is given, the density of its preset, or 1000."""
    mass: Positive | None = None
    """Total mass of the body [kg], instead of a density."""
    mass_distribution: Literal["volume", "uniform"] = "volume"
    """Distribution of mass: by the volume of the adjacent elements, or equal for all vertices."""
    pin: Groups = ()
    """Groups whose vertices never move; one name or a list of names."""
    motion: tuple[Motion, ...] = ()
    """Groups moved by a script."""
    initial: Initial = field(default_factory=Initial)
    """Positions and velocities at time 0; at rest if absent."""
    friction: NotNegativeChanging | None = None
    """Coefficient of friction [-]; if absent, `contact.friction` or the coefficient of the obstacle."""
    self_contact: bool | None = None
    """Whether it has self-contact; `contact.self_contact` if absent."""
    colour: Colour | None = None
    """Colour in pictures: a name or `#rrggbb`; if absent, bodies get different default colours in order."""
    points: Points | Vertices | None = None
    """For the method mpm: a table makes the body a cloud of material points that fills its mesh; with "vertices", the
    mesh moves with the grid of the clouds."""
    pleats: tuple[Pleat, ...] = ()
    """Folds pressed into a surface: rest angles of its bending."""
    surface: str | Path | Mesh | None = None
    """An embedded surface of any kind, carried by the tets and shown in their place: a file, in the units of the mesh file."""
    direction: Directions | None = None
    """Directing factors for this body, in addition to the scene's [direction]."""

    def __post_init__(self) -> None:
        keep = partial(object.__setattr__, self)
        keep("mesh", as_source(self.mesh))
        keep("surface", str(self.surface) if isinstance(self.surface, Path) else self.surface)
        if not isinstance(self.surface, str | Mesh | None):
            raise SuppleError(f"surface: found {self.surface!r}; give a Mesh, or the path of a file")
        if not isinstance(self.groups, Mapping):
            raise SuppleError(f"body.groups: found {self.groups!r}; give a dictionary of names and selections")
        if isinstance(self.mesh, Mesh):
            for name, chosen in self.groups.items():
                demand_whole_mask(chosen, str(name), self.mesh)
        keep(
            "groups", {checked_name(name, "groups"): as_selection(chosen, name) for name, chosen in self.groups.items()}
        )
        keep("regions", _several(self.regions))
        keep("motion", _several(self.motion))
        keep("material", _as_material(self.material))
        if not (isinstance(self.material, Preset) or callable(getattr(self.material, "terms", None))):
            raise SuppleError(
                f"material: found {self.material!r}; give a material such as supple.StVK.from_young(1e6, 0.3), or a preset such "
                "as 'rubber'"
            )
        if self.direction is not None and self.direction.bouncier != 1.0:
            raise SuppleError(
                f"direction.bouncier: found {self.direction.bouncier:g}; rebound applies to the whole scene, since bodies "
                "share their bounces: write it in [direction], or as World(direction=...)"
            )
        if self.density is not None and self.mass is not None:
            raise SuppleError(f"give either density or mass, found density {self.density:g} and mass {self.mass:g}")
        if self.mass is not None and any(made.has_density for region in self.regions for made in region.made_of):
            raise SuppleError("regions with their own density require a body with density, found mass")
        if self.density is None and self.mass is None and not isinstance(self.material, Preset):
            keep("density", WATER)

    @property
    def rides(self) -> bool:
        """Whether its mesh moves with the grid of material points."""
        return self.points == "vertices"

    @property
    def words(self) -> set[str]:
        """Presets used by the body and its regions."""
        regions = {made.name for region in self.regions for made in region.made_of if made.name is not None}
        return regions | ({self.material.name} if isinstance(self.material, Preset) else set())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and same(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]


def _as_material(value: Any) -> Any:
    """The preset of a name; other materials pass through."""
    if not isinstance(value, str):
        return value
    try:
        return Preset(value)
    except SuppleError as error:
        raise SuppleError(f"material: {str(error).removeprefix('preset.name: ')}") from None


def _several(value: Any) -> tuple[Any, ...]:
    """One or more values as a tuple."""
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
