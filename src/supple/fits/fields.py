"""Unknowns with one value for each element of a body: young or poisson of a solid.

The sweep gives d loss/d constant per element, for the constants of the law (mu, lam ...); the chain from young and poisson is
that of the law's own `with_moduli`, element by element. One swing does not fix single elements: see solving/priors.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from supple.energies.solids.solid import Solid
from supple.errors import SuppleError
from supple.fits.keys import Parts, text_of
from supple.materials.material import Material
from supple.mesh.mesh import Mesh
from supple.mesh.topology import FACES
from supple.model.model import Model
from supple.scene.tables.setup import Setup
from supple.sensitivity.sweeps import Bars
from supple.types import Array, Ints

CONSTANTS = ("young", "poisson")
STEP = 1e-4
"""Relative spacing for differences of the law's constants."""

Fields = Mapping[str, Array]
"""(m,) values by keys."""


@dataclass(frozen=True)
class ElementField:
    """One unknown with a value per element."""

    key: str
    body: int
    constant: str
    start: float


def element_field(parts: Parts, start: float) -> ElementField:
    """The field under a key such as body[0].material.young."""
    match parts:
        case ("body", int(body), "material", str(constant)) if constant in CONSTANTS:
            return ElementField(text_of(parts), body, constant, start)
    raise SuppleError(
        f"{text_of(parts)}: has no value per element; each applies to body[N].material.young and body[N].material.poisson"
    )


def with_fields(setup: Setup, fields: Mapping[ElementField, Array]) -> Setup:
    """The set-up with other moduli in each element."""
    bodies = list(setup.world.bodies)
    for field, values in fields.items():
        body = bodies[field.body]
        law = body.material
        if not isinstance(law, Material) or law.moduli is None or body.regions:
            raise SuppleError(
                f"{field.key}: values per element require a solid given by young and poisson, without regions; "
                f"found {getattr(law, 'name', law)}"
            )
        young, poisson = (
            values if field.constant == name else old for name, old in zip(CONSTANTS, law.moduli, strict=True)
        )
        bodies[field.body] = replace(body, material=law.with_moduli(young, poisson))
    return replace(setup, world=replace(setup.world, bodies=tuple(bodies)))


def by_elements(field: ElementField, model: Model, bars: Bars) -> Array:
    """(m,) d loss/d value of each element."""
    placed = model.bodies[field.body]
    law = placed.law
    assert isinstance(law, Material)
    assert law.moduli is not None
    moduli = dict(zip(CONSTANTS, law.moduli, strict=True))
    e = STEP * np.abs(moduli[field.constant])
    sides = [law.with_moduli(**{**moduli, field.constant: moduli[field.constant] + s * e}).constants() for s in (1, -1)]
    total = np.zeros(len(placed.mesh.tets))
    for name in sides[0]:
        slope = (np.asarray(sides[0][name]) - np.asarray(sides[1][name])) / (2.0 * e)
        if np.any(slope):
            known = (f"{placed.name}.{name}", f"{placed.name}.{Solid.__name__}.{name}")
            found = next((bars.constants[key] for key in known if key in bars.constants), None)
            if found is None:
                raise SuppleError(f"{field.key}: '{law.name}' has no derivative with respect to {name} per element")
            total += slope * found
    return total


def pairs(mesh: Mesh) -> Ints:
    """(k, 2) tets that share a face."""
    faces = np.sort(mesh.tets[:, FACES].reshape(-1, 3), axis=1)
    owner = np.repeat(np.arange(len(mesh.tets)), 4)
    order = np.lexsort(faces.T)
    same = (faces[order][1:] == faces[order][:-1]).all(axis=1)
    found: Ints = np.stack([owner[order][:-1][same], owner[order][1:][same]], axis=1).astype(np.int32)
    return found
