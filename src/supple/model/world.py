"""A world: bodies, forces and obstacles. Plain data; `assemble` turns it into a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Len

from supple.checks import checked
from supple.constraints.holonomic import Holonomic
from supple.damping.damper import Damping
from supple.errors import SuppleError
from supple.formulas.curves import OVER_TIME, Curve, at_time, negative
from supple.model.attachments import Attachment
from supple.model.body import Body, same
from supple.model.constraints.constraint import Constraint
from supple.model.contact import Contact
from supple.model.direction.direction import Directions
from supple.model.energies.energy import Energy
from supple.model.fields.field import ForceField
from supple.model.obstacle import AnyObstacle, MeshObstacle, Obstacle
from supple.model.sewing.seam import Seam

EARTH = 9.81
"""Default acceleration of gravity [m/s^2]."""
Component: TypeAlias = Annotated[float, OVER_TIME]
Gravity: TypeAlias = Component | Annotated[tuple[Component, ...], Len(3, 3)]


@checked
@dataclass(frozen=True, eq=False)
class World:
    """Bodies in a world.

    world = supple.World([bar], gravity=(0, -9.81, 0), damping=[supple.Viscosity(shear=5.0)])
    model = supple.assemble(world)
    print(world.to_toml())
    """

    bodies: Sequence[Body]
    """At least one."""
    gravity: Gravity = EARTH
    """A number for gravity against `up`, or a vector [m/s^2]. Values may change with time. Stored as a vector."""
    obstacles: Sequence[AnyObstacle] = ()
    """Obstacles; they may overlap each other."""
    contact: Contact | None = None
    """Contact between bodies and self-contact; with mesh obstacles it is always active."""
    damping: Sequence[Damping] = ()
    """Damping of the bodies; several may act on one body."""
    attachments: Sequence[Attachment] = ()
    """Springs between bodies."""
    constraints: Sequence[Constraint | Holonomic] = ()
    """Exact constraints: rods, and vertices on surfaces."""
    energies: Sequence[Energy] = ()
    """Additional energies."""
    up: Literal["x", "y", "z"] = "y"
    """Axis that points up; written into every export."""
    fields: Sequence[ForceField] = ()
    """Wind, turbulence, forces and drag in space; several add up."""
    seams: Sequence[Seam] = ()
    """Stitches that pull edges of bodies together and hold them."""
    direction: Directions | None = None
    """Directing factors for the whole scene: stiffer, heavier, bouncier, settle ..."""

    def __post_init__(self) -> None:
        keep = partial(object.__setattr__, self)
        keep("bodies", _named(self.bodies, "body", Body))
        keep("obstacles", _named(self.obstacles, "obstacle", AnyObstacle))
        for key, kind in KINDS.items():
            keep(key, _listed(getattr(self, key), key, kind))
        keep("gravity", self._acceleration())
        if not self.bodies:
            raise SuppleError("body: input should have at least 1 entries, found 0: []")
        refuse_repeated("body", [body.name for body in self.bodies])
        refuse_repeated("obstacle", [entry.name for entry in (*self.bodies, *self.obstacles)])

    def _acceleration(self) -> tuple[Any, Any, Any]:
        if not isinstance(self.gravity, tuple):
            gx, gy, gz = (negative(self.gravity) if axis == self.up else 0.0 for axis in "xyz")
            return gx, gy, gz
        gx, gy, gz = (c if isinstance(c, Curve) else float(c) for c in self.gravity)
        return gx, gy, gz

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and same(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]

    @property
    def acceleration(self) -> tuple[float, float, float]:
        """Gravity at the start as a vector [m/s^2]."""
        return self.acceleration_at(0.0)

    def acceleration_at(self, t: float) -> tuple[float, float, float]:
        """Gravity at a time [s] as a vector [m/s^2]."""
        gx, gy, gz = (at_time(c, t, "world.gravity") for c in self.gravity)  # type: ignore[union-attr]
        return gx, gy, gz

    @property
    def shapes(self) -> list[Obstacle]:
        """Obstacles with a shape."""
        return [obstacle for obstacle in self.obstacles if isinstance(obstacle, Obstacle)]

    @property
    def mesh_obstacles(self) -> list[MeshObstacle]:
        return [obstacle for obstacle in self.obstacles if isinstance(obstacle, MeshObstacle)]

    @property
    def surfaces_meet(self) -> bool:
        """Whether contact between triangles is active."""
        return self.contact is not None or any(obstacle.law is None for obstacle in self.mesh_obstacles)

    def with_bodies(self, bodies: Sequence[Body]) -> World:
        """The same world with other bodies."""
        return replace(self, bodies=bodies)

    def to_toml(self, method: Any = None, h: float = 1 / 60, steps: int = 60, title: str = "") -> str:
        """The world as a scene file, which `supple.load` reads without loss; raises an error for values without a text form."""
        from supple.model.plain import scene_text

        return scene_text(self, method, h, steps, title)


KINDS: dict[str, Any] = {
    "damping": Damping,
    "attachments": Attachment,
    "seams": Seam,
    "constraints": Constraint | Holonomic,
    "energies": Energy,
    "fields": ForceField,
}


def _listed(entries: Any, key: str, kind: Any) -> tuple[Any, ...]:
    """One or more entries as a tuple of the right type."""
    several = tuple(entries) if isinstance(entries, list | tuple) else (entries,)
    for k, entry in enumerate(several):
        if not isinstance(entry, kind):
            raise SuppleError(f"{key}[{k}]: found {entry!r}, which is not a {getattr(kind, '__name__', key)}")
    return several


def _named(entries: Any, key: str, kind: Any) -> tuple[Any, ...]:
    """The same entries, each with a name: its own, or one made from its index."""
    return tuple(
        entry if entry.name else replace(entry, name=f"{key}{k}") for k, entry in enumerate(_listed(entries, key, kind))
    )


def refuse_repeated(where: str, names: Sequence[str]) -> None:
    """Check that names differ."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise SuppleError(f"{where}: names must differ, found {', '.join(repr(name) for name in twice)} more than once")
