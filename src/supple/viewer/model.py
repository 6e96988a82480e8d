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
from supple.energies.term import EnergyTerm
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS
from supple.scene.build import SPRINGS, Assembled
from supple.scene.materials import SolidMaterial, SpringMaterial
from supple.scene.schema import Scene
from supple.types import Array
from supple.viewer.settings import Settings


def system_for(scene: Scene, assembled: Assembled, anchors: Anchors, settings: Settings) -> System:
    """The scene's system with these materials, gravity and drag; `anchors` is one of its terms."""
    base = assembled.system
    elastic = [term for term in base.potential.terms if term.group == "elastic"]
    terms: list[EnergyTerm] = list(_elastic(scene, elastic, assembled.mesh.vertices, settings))
    if settings.gravity:
        terms.append(Gravity(base.mass, settings.gravity * _down(scene)))
    terms.append(anchors)
    drag = [Drag(base.mass, settings.damping)] if settings.damping else []
    return build_system(assembled.mesh.vertices, base.mass, terms, base.motion, drag)


def integrator_for(scene: Scene, settings: Settings) -> Any:
    """The scene's own method with its options, or another one with its defaults."""
    if settings.integrator == scene.integrator.made_from.name:
        return scene.integrator.make()
    return INTEGRATORS.find(settings.integrator)()


def _down(scene: Scene) -> Array:
    """Unit vector of the scene's gravity; against `up` where there is none."""
    g = np.asarray(scene.world.acceleration, dtype=np.float64)
    size = float(np.linalg.norm(g))
    return g / size if size else -np.eye(3)["xyz".index(scene.world.up)]


def _elastic(scene: Scene, terms: list[EnergyTerm], rest: Array, settings: Settings) -> Iterator[EnergyTerm]:
    """One term a body, in the order of the bodies."""
    springs = isinstance(scene.body[0].material, SpringMaterial)
    for body, term in zip(scene.body, terms, strict=True):
        same_kind = isinstance(body.material, SpringMaterial) == springs
        name = settings.material if same_kind and settings.material else body.material.name
        if isinstance(term, Solid) and isinstance(body.material, SolidMaterial):
            yield Solid(rest, term.elements, _material(body.material, name, settings.stiffness))
        elif isinstance(term, HookeSprings | StVKSprings):
            stiffness = _converted(term, body.material.name, name) * settings.stiffness
            yield SPRINGS[name](rest, term.elements, stiffness)
        else:
            yield term


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
