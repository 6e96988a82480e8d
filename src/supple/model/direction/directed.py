"""A body with its directing factors applied: scaled stiffness, mass, bending and damping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from supple.errors import SceneError, SuppleError
from supple.model.body import Body
from supple.model.direction.direction import Directions
from supple.model.materials.structure import Structure
from supple.model.presets.preset import Preset
from supple.model.presets.written_out import WrittenOut
from supple.model.regions.made import RegionMaterial
from supple.model.source import CoarseFile


def directed(made: WrittenOut, direction: Directions, path: str) -> WrittenOut:
    """The body, with its preset resolved, after applying the direction; `path`: location in the world, for messages."""
    if direction.is_plain:
        return made
    body, own = made.body, made.body.direction or Directions()
    if direction.heavier != 1.0 and isinstance(body.mesh, CoarseFile):
        raise SceneError(f"{path}.direction.heavier: the masses of a coarse body are in its file; leave heavier out")
    if own.floppier != 1.0 and not bends(body):
        raise SceneError(f"{path}.direction.floppier: '{body.name}' has no bending stiffness; use softer")
    try:
        if bends(body):
            body = _floppier(body, direction.floppier)
        body = _heavier(_stiffer(body, direction.stiffness), direction.heavier)
    except SuppleError as error:
        raise SceneError(f"{path}.direction: {error}") from None
    suited = (damping.suited(direction.stiffness, direction.heavier) for damping in made.damping)
    return WrittenOut(body, tuple(damping.scaled(direction.damping) for damping in suited))


def bends(body: Body) -> bool:
    """Whether the body has a separate bending stiffness."""
    law = body.material
    return body.bending is not None or (isinstance(law, Structure) and law.resists_bending)


def direction_problems(world_direction: Directions | None, bodies: Sequence[Body]) -> list[str]:
    """Problems: directing factors of the whole scene that apply to no body."""
    if world_direction is None or world_direction.floppier == 1.0 or any(map(bends, bodies)):
        return []
    return ["direction.floppier: no body has a bending stiffness; use softer"]


def _stiffer(body: Body, factor: float) -> Body:
    if factor == 1.0:
        return body
    if isinstance(body.material, Preset):  # of a coarse body, which has no preset
        return body
    return replace(
        body,
        material=body.material.scaled(factor),
        regions=tuple(region.with_materials(lambda made: _region(made, young=factor)) for region in body.regions),
        bending=body.bending and body.bending.scaled(factor),
        area=body.area and body.area.stiffer(factor),
        volume=body.volume and body.volume.stiffer(factor),
    )


def _heavier(body: Body, factor: float) -> Body:
    if factor == 1.0:
        return body
    density, mass = (None if value is None else factor * value for value in (body.density, body.mass))
    regions = tuple(region.with_materials(lambda made: _region(made, density=factor)) for region in body.regions)
    return replace(body, density=density, mass=mass, regions=regions)


def _floppier(body: Body, factor: float) -> Body:
    if factor == 1.0:
        return body
    law, bending = body.material, body.bending
    if isinstance(law, Structure) and law.resists_bending:
        body = replace(body, material=law.floppier(factor))
    if bending is None:
        return body
    if bending.energy is None and bending.rigidity is None:
        modulus = getattr(law, "bending_modulus", None)
        if modulus is None or body.thickness is None:
            raise SuppleError(
                "floppier: give bending.rigidity [N m]; only for a membrane does it follow from the thickness"
            )
        bending = replace(bending, rigidity=modulus * body.thickness**3 / 12.0)
    return replace(body, bending=bending.scaled(1.0 / factor))


def _region(made: RegionMaterial, **factors: float) -> RegionMaterial:
    """The same with its own damping multiplied."""
    own = {key: factor * getattr(made, key) for key, factor in factors.items() if getattr(made, key) is not None}
    return replace(made, **own) if own else made
