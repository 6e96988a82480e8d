"""The system of a scene under the settings of the live page, with a handle at every vertex.

The meshes, masses and prescribed vertices stay as they were built; only the terms are made anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from supple.damping.drag import Drag
from supple.dynamics.system import System, build_system
from supple.energies.anchor import Anchors
from supple.energies.gravity import Gravity
from supple.energies.solid import Solid
from supple.energies.spring import HookeSprings, StVKSprings
from supple.energies.stiffened import Stiffened
from supple.energies.term import EnergyTerm
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS
from supple.scene.body import Body
from supple.scene.build import Assembled, together
from supple.scene.damping import Share, dampers
from supple.scene.materials import SolidMaterial, SpringMaterial
from supple.scene.schema import Scene
from supple.scene.springs import SPRINGS
from supple.types import Array
from supple.viewer.settings import Settings, material_choices


def system_for(scene: Scene, assembled: Assembled, anchors: Anchors, settings: Settings) -> System:
    """The scene's system with these materials, gravity and drag; `anchors` is one of its terms."""
    base = assembled.system
    bodies = list(_bodies(scene, assembled, settings))
    terms = together([term for body in bodies for term in body.elastic], assembled.mesh.vertices)
    if settings.gravity:
        terms.append(Gravity(base.mass, settings.gravity * _down(scene)))
    terms += [*assembled.contact.terms, anchors]
    damped = dampers(scene.damping, bodies, base.mass)
    drag = [Drag(base.mass, settings.damping)] if settings.damping else []
    dissipation = [*damped.dissipation, *assembled.contact.friction, *drag]
    return build_system(
        assembled.mesh.vertices, base.mass, terms, base.motion, dissipation, damped.impulses, base.projections
    )


def integrator_for(scene: Scene, settings: Settings) -> Any:
    """The scene's own method with its options, or another one with its defaults; in the scene's energy budget, if any."""
    if settings.integrator == scene.integrator.name:
        return scene.integrator.make()
    return scene.integrator.around(INTEGRATORS.find(settings.integrator)())


def _down(scene: Scene) -> Array:
    """Unit vector of the scene's gravity; against `up` where there is none."""
    g = np.asarray(scene.world.acceleration, dtype=np.float64)
    size = float(np.linalg.norm(g))
    return g / size if size else -np.eye(3)["xyz".index(scene.world.up)]


def _bodies(scene: Scene, assembled: Assembled, settings: Settings) -> Iterator[Share]:
    """The bodies with the materials of the settings."""
    choices = material_choices(scene)
    for body, share in zip(scene.body, assembled.shares, strict=True):
        same_kind = body.material.name in choices
        name = settings.material if same_kind and settings.material else body.material.name
        terms = [_changed(term, body, name, assembled.mesh.vertices, settings.stiffness) for term in share.elastic]
        yield dataclasses.replace(share, elastic=tuple(terms))


def _changed(term: EnergyTerm, body: Body, name: str, rest: Array, factor: float) -> EnergyTerm:
    """A term of a body with the material of that name, stiffer by a factor."""
    if isinstance(term, Solid) and isinstance(body.material, SolidMaterial) and not body.regions:
        return Solid(rest, term.elements, _material(body.material, name, factor))
    if isinstance(term, HookeSprings | StVKSprings) and isinstance(body.material, SpringMaterial):
        return SPRINGS[name](rest, term.elements, _converted(term, body.material.name, name) * factor)
    return term if factor == 1.0 else Stiffened(term, factor)


def _material(table: SolidMaterial, name: str, factor: float) -> Any:
    """The material of a body, or another one of the same Young's modulus and Poisson's ratio; stiffer by a factor."""
    if name != table.name and table.young is not None:
        return MATERIALS.find(name).from_young(table.young * factor, table.poisson)
    made = table.make()
    return dataclasses.replace(made, **{key: factor * getattr(made, key) for key in table.required})


def _converted(term: HookeSprings | StVKSprings, old: str, new: str) -> Array:
    """Stiffness of the new law that pulls as the old one does for small strains: k (Hooke) = 4 l0^2 k (StVK)."""
    if old == new:
        return term.stiffness
    ratio = 4.0 * term.rest_length**2
    return term.stiffness / ratio if new == "stvk-spring" else term.stiffness * ratio
