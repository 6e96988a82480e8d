"""What the controls of the live page choose, and between which values they may choose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS
from supple.model.materials.spring_nets import SPRINGS
from supple.scene.tables.coarse import CoarseFile
from supple.scene.tables.materials import SolidMaterial, SpringMaterial
from supple.scene.tables.scene import Scene


@dataclass(frozen=True)
class Settings:
    """One position of all controls; None: as the scene has it, which may differ from body to body."""

    integrator: str
    material: str
    """Of all bodies of the scene's first kind, solids or springs; empty if there is no choice."""
    step: float
    """h [s]."""
    gravity: float
    """Strength along the scene's direction [m/s^2]."""
    stiffness: float = 1.0
    """Factor on what the scene says [-]."""
    poisson: float | None = None
    """Poisson's ratio of all solids that have one [-]."""
    density: float = 1.0
    """Factor on densities and masses [-]."""
    damping: float = 0.0
    """Rate of the ether drag [1/s]."""
    friction: float | None = None
    """Coefficient of all contacts [-]."""

    def same_energy(self, other: Settings) -> bool:
        """Whether a state has the same energy under both; contact that is chosen for a step may still differ."""
        like = replace(
            self, integrator=other.integrator, step=other.step, damping=other.damping, friction=other.friction
        )
        return like == other

    def same_system(self, other: Settings) -> bool:
        """Whether both differ at most in the method."""
        return replace(self, integrator="") == replace(other, integrator="")


def settings_of(scene: Scene) -> Settings:
    """The controls as the scene has them."""
    gx, gy, gz = scene.world.acceleration
    choices = material_choices(scene)
    return Settings(
        integrator=scene.integrator.name,
        material=scene.body[0].material.name if choices else "",
        step=scene.time.step,
        gravity=(gx * gx + gy * gy + gz * gz) ** 0.5,
    )


def integrator_choices() -> tuple[str, ...]:
    """All methods, by name."""
    return tuple(sorted(INTEGRATORS.load()))


def material_choices(scene: Scene) -> tuple[str, ...]:
    """What the first body may be made of: other springs, or the solids that Young's modulus and Poisson's ratio describe."""
    table = scene.body[0].material
    if isinstance(table, SpringMaterial):
        # springs whose ends slide are known for one law only
        return tuple(sorted(SPRINGS)) if not (table.altitude or table.axial) else ()
    if not isinstance(table, SolidMaterial) or table.young is None:
        return ()
    return tuple(sorted(name for name, cls in MATERIALS.load().items() if hasattr(cls, "from_young")))


def first_poisson(scene: Scene) -> float | None:
    """Poisson's ratio of the first body that has one."""
    found = (getattr(body.material, "poisson", None) for body in scene.body)
    return next((float(value) for value in found if value is not None), None)


def first_friction(scene: Scene) -> float | None:
    """The coefficient of the first contact that a body of the scene can have; None if there is nothing to touch."""
    contact = [scene.contact.friction] if scene.contact is not None else []
    found = [*(obstacle.friction for obstacle in scene.obstacle), *contact]
    return next((float(value) for value in found if value is not None), 0.0) if found else None


def has_own_masses(scene: Scene) -> bool:
    """Whether the scene says how heavy any of its bodies is; those of coarse bodies stand in their files."""
    return any(not isinstance(body.mesh, CoarseFile) for body in scene.body)
