"""What the controls of the live page choose, and between which values they may choose."""

from __future__ import annotations

from dataclasses import dataclass

from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS
from supple.scene.materials import SolidMaterial, SpringMaterial
from supple.scene.schema import Scene
from supple.scene.springs import SPRINGS


@dataclass(frozen=True)
class Settings:
    """One position of all controls."""

    integrator: str
    material: str
    """Of all bodies of the scene's first kind, solids or springs; empty if there is no choice."""
    step: float
    """h [s]."""
    gravity: float
    """Strength along the scene's direction [m/s^2]."""
    stiffness: float = 1.0
    """Factor on what the scene says [-]."""
    damping: float = 0.0
    """Rate of the ether drag [1/s]."""

    def same_energy(self, other: Settings) -> bool:
        """Whether a state has the same energy under both."""
        return (self.material, self.stiffness, self.gravity) == (other.material, other.stiffness, other.gravity)

    def same_system(self, other: Settings) -> bool:
        """Whether both differ at most in the method and its step."""
        return self.same_energy(other) and self.damping == other.damping


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
        return tuple(sorted(SPRINGS))
    if not isinstance(table, SolidMaterial) or table.young is None:
        return ()
    return tuple(sorted(name for name, cls in MATERIALS.load().items() if hasattr(cls, "from_young")))
