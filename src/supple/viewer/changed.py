"""A setup with the settings of the live page in it: other materials, masses, gravity, friction, method and step.

The page simulates the assembled result and saves it as a scene, so `supple run` has the same system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from supple.budget.energy_budget import EnergyBudget
from supple.damping.drag import AirDrag
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.materials import MATERIALS
from supple.materials.material import Material
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.contact import Contact
from supple.model.materials.structure import BodyMaterial, Structure
from supple.model.obstacle import Obstacle
from supple.model.plain import method_table, world_tables
from supple.model.presets.preset import Preset
from supple.model.regions.made import RegionMaterial
from supple.model.regions.region import Region
from supple.model.source import CoarseFile
from supple.model.thin import Kept
from supple.model.world import World
from supple.scene.tables.scene import Scene
from supple.scene.tables.setup import Setup
from supple.viewer.settings import Settings, material_choices, settings_of


def changed(setup: Setup, meshes: Sequence[Mesh], settings: Settings) -> Setup:
    """The setup with the current control values; `meshes`: those of its bodies, in order."""
    start = settings_of(setup)
    if settings == start:
        return setup
    choices = material_choices(setup.world) if settings.material != start.material else ()
    bodies = [_body(body, mesh, settings, choices) for body, mesh in zip(setup.world.bodies, meshes, strict=False)]
    world = replace(setup.world, bodies=bodies)
    if settings.gravity != start.gravity:
        world = replace(world, gravity=_gravity(world, settings.gravity, start.gravity))
    if settings.damping:
        world = replace(world, damping=(*world.damping, AirDrag(settings.damping)))
    if settings.friction is not None:
        world = _rubbing(world, settings.friction)
    method = setup.method if settings.integrator == start.integrator else _method(setup.method, settings.integrator)
    # the duration is unchanged, and with it contact parameters derived from it
    return replace(
        setup, world=world, method=method, h=settings.step, steps=max(1, round(setup.duration / settings.step))
    )


def as_scene(scene: Scene, setup: Setup) -> Scene:
    """The scene that describes a changed setup."""
    if setup == scene.make():
        return scene
    tables: dict[str, Any] = {"damping": [], "obstacle": [], **world_tables(setup.world)}
    tables["time"] = {**scene.time.model_dump(exclude_none=True), "step": setup.h}
    if setup.method != scene.make().method:
        tables["integrator"] = method_table(setup.method)
    return scene.with_tables(tables)


def _method(before: Method, name: str) -> Method:
    """Another method, with the budget of the previous one."""
    made: Method = INTEGRATORS.find(name)()
    return replace(before, of=made) if isinstance(before, EnergyBudget) else made


def _body(body: Body, mesh: Mesh, settings: Settings, choices: tuple[str, ...]) -> Body:
    material: BodyMaterial | Preset = body.material
    if material.name in choices and settings.material != material.name:
        material = _other_law(material, mesh, settings.material)
    regions = body.regions
    if settings.poisson is not None:
        material = _with_poisson(material, settings.poisson)
        regions = _each_made(regions, lambda made: _given(made, poisson=settings.poisson))
    if settings.stiffness != 1.0:
        factor = settings.stiffness
        material = material.scaled(factor)
        regions = _each_made(
            regions, lambda made: _given(made, young=(made.young or 0.0) * factor, stiffer=made.stiffer * factor)
        )
        body = replace(
            body,
            bending=body.bending and body.bending.scaled(factor),
            area=_kept(body.area, factor),
            volume=_kept(body.volume, factor),
        )
    if settings.density != 1.0 and not isinstance(body.mesh, CoarseFile):
        factor = settings.density
        density, mass = (None if value is None else factor * value for value in (body.density, body.mass))
        body = replace(body, density=density, mass=mass)
        if isinstance(material, Preset):
            material = material.with_density(factor)  # which applies where the body has no density
        regions = _each_made(
            regions, lambda made: _given(made, density=(made.density or 0.0) * factor, denser=made.denser * factor)
        )
    return replace(body, material=material, regions=regions)


def _other_law(old: BodyMaterial | Preset, mesh: Mesh, name: str) -> BodyMaterial | Preset:
    """The material of that name with the same stiffness at small strains; a preset has its own stiffness."""
    if isinstance(old, Preset):
        return replace(old, name=name)
    if isinstance(old, Structure):
        return old.as_law(name, mesh)
    if not isinstance(old, Material) or old.moduli is None:
        return old
    made: Material = MATERIALS.find(name).from_young(*old.moduli)
    return made


def _with_poisson(material: BodyMaterial | Preset, poisson: float) -> BodyMaterial | Preset:
    """The same material with another Poisson's ratio, if it has one."""
    if isinstance(material, Material):
        return material if material.moduli is None else material.with_moduli(material.moduli[0], poisson)
    return replace(material, poisson=poisson) if getattr(material, "poisson", None) is not None else material  # type: ignore[type-var]


def _each_made(regions: tuple[Region, ...], change: Any) -> tuple[Region, ...]:
    return tuple(region.with_materials(change) for region in regions)


def _given(made: RegionMaterial, **values: float | None) -> RegionMaterial:
    """The same material with other values; factors on preset values apply to presets only."""
    factors = () if made.name is not None else ("stiffer", "denser")
    own = {key: value for key, value in values.items() if getattr(made, key) is not None and key not in factors}
    return replace(made, **own) if own else made  # type: ignore[arg-type]


def _kept(kept: Kept | None, factor: float) -> Kept | None:
    return None if kept is None else kept.stiffer(factor)


def _gravity(world: World, strength: float, before: float) -> tuple[float, ...]:
    """Gravity along the world's direction, or downwards if it has none."""
    g = np.asarray(world.acceleration)
    if before > 0.0:
        return tuple((strength / before * g).tolist())
    return tuple(-strength if axis == world.up else 0.0 for axis in "xyz")


def _rubbing(world: World, friction: float) -> World:
    """One coefficient for all contacts, replacing those of bodies and mesh obstacles."""
    bodies = [replace(body, friction=None) for body in world.bodies]
    obstacles = [
        replace(obstacle, friction=friction) if isinstance(obstacle, Obstacle) else replace(obstacle, friction=None)
        for obstacle in world.obstacles
    ]
    contact = replace(world.contact or Contact(), friction=friction) if world.surfaces_meet else None
    return replace(world, bodies=bodies, obstacles=obstacles, contact=contact)
