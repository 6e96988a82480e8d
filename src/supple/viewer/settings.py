"""Settings of the live page's controls, and their choices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from supple.formulas.places.fields import varies
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS
from supple.materials.material import Material
from supple.model.innermost import innermost
from supple.model.materials.structure import Structure
from supple.model.presets.preset import Preset
from supple.model.presets.published import published
from supple.model.source import CoarseFile
from supple.model.world import World
from supple.scene.tables.setup import Setup


@dataclass(frozen=True)
class Settings:
    """Values of all controls; None: as in the scene, possibly different per body."""

    integrator: str
    material: str
    """Material of all bodies of the scene's first kind, solids or springs; empty if there is no choice."""
    step: float
    """h [s]."""
    gravity: float
    """Strength along the scene's direction [m/s^2]."""
    stiffness: float = 1.0
    """Factor on the stiffnesses of the scene [-]."""
    poisson: float | None = None
    """Poisson's ratio of all solids that have one [-]."""
    density: float = 1.0
    """Factor on densities and masses [-]."""
    damping: float = 0.0
    """Rate of the ether drag [1/s]."""
    friction: float | None = None
    """Coefficient of all contacts [-]."""

    def same_energy(self, other: Settings) -> bool:
        """Whether a state has the same energy under both; automatic contact parameters may still differ."""
        like = replace(
            self, integrator=other.integrator, step=other.step, damping=other.damping, friction=other.friction
        )
        return like == other

    def same_system(self, other: Settings) -> bool:
        """Whether both differ at most in the method."""
        return replace(self, integrator="") == replace(other, integrator="")


def settings_of(setup: Setup) -> Settings:
    """The control values of a setup."""
    gx, gy, gz = setup.world.acceleration
    choices = material_choices(setup.world)
    return Settings(
        integrator=innermost(setup.method).name,
        material=setup.world.bodies[0].material.name if choices else "",
        step=setup.h,
        gravity=(gx * gx + gy * gy + gz * gz) ** 0.5,
    )


def integrator_choices() -> tuple[str, ...]:
    """All methods, by name."""
    return tuple(INTEGRATORS.names())


def material_choices(world: World) -> tuple[str, ...]:
    """Materials that the first body may have: other springs, the solids described by Young's modulus and Poisson's ratio, or,
    for a preset, the presets that can replace it."""
    material = world.bodies[0].material
    if isinstance(material, Preset):
        return _words(material, surface=world.bodies[0].thickness is not None)
    if isinstance(material, Structure):
        return material.other_laws()
    if not isinstance(material, Material) or material.moduli is None:
        return ()
    return tuple(MATERIALS.names())


def _words(material: Preset, surface: bool) -> tuple[str, ...]:
    """Presets for the same kind of mesh; a solid preset with a thickness also fits a surface."""
    if material.row.is_sheet:
        return tuple(word for word, row in published().items() if row.is_sheet)
    return tuple(word for word, row in published().items() if not row.is_sheet and (row.sheet or not surface))


def first_poisson(world: World) -> float | None:
    """Poisson's ratio of the first body that has one."""
    for body in world.bodies:
        moduli = getattr(body.material, "moduli", None)
        found = moduli[1] if moduli is not None else getattr(body.material, "poisson", None)
        if found is not None and not varies(found):
            return float(np.max(found))
    return None


def first_friction(world: World) -> float | None:
    """The coefficient of the first contact that a body of the world can have; None if no contact is possible."""
    contact = [world.contact.friction] if world.contact is not None else []
    found = [*(obstacle.friction for obstacle in world.obstacles), *contact]
    return next((float(value) for value in found if value is not None), 0.0) if found else None


def has_own_masses(world: World) -> bool:
    """Whether the world specifies the mass of any body; coarse bodies store it in their files."""
    return any(not isinstance(body.mesh, CoarseFile) for body in world.bodies)
