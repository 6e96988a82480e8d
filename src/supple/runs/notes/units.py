"""Sizes, densities and stiffnesses that appear to be in units other than metres, kilograms and pascals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.materials.material import Modulus
from supple.model.body import Body
from supple.model.materials.structure import BodyMaterial
from supple.model.model import Model
from supple.model.placed import Placed
from supple.model.source import MeshFile

SIZES = (2e-3, 20.0)
"""Plausible range of the longest side of a body [m]; outside, metres and millimetres may be confused."""
DENSITIES = (20.0, 25_000.0)
"""[kg/m^3]; figures in g/cm^3 lie below, nothing on earth above."""
FROM_MASS = (0.1, 1e5)
"""The same where a scene gives a mass instead: bodies of 1 kg, whatever their size, are common in examples."""
HARDEST = 2e12
"""Young's modulus above that of diamond [Pa]."""


def unit_notes(model: Model) -> list[str]:
    """A line for every figure that looks wrong, with the remedy."""
    notes, gravity = [], float(np.linalg.norm(model.world.acceleration))
    for part in model.bodies:
        volume = _volume(part, model)
        density = float(part.mass.sum()) / volume if volume else None
        found = [*_size(part, part.body), *_density(part.body, density), *_stiffness(part, density, gravity)]
        notes += [f"{part.path}.{text}" for text in found]
    return notes


def _volume(part: Placed, model: Model) -> float | None:
    """Volume of tets, or of a sheet or rope with a thickness [m^3]; None if undefined."""
    size, thickness = float(model.sizes[part.span].sum()), part.thickness
    if part.solid_mesh.is_solid:
        return size
    if thickness is None:
        return None
    return size * (thickness if len(part.mesh.triangles) else np.pi / 4.0 * thickness**2)


def _size(part: Placed, body: Body) -> Iterator[str]:
    longest = float(part.mesh.extent.max())
    if SIZES[0] <= longest <= SIZES[1]:
        return
    scale = body.mesh.scale if isinstance(body.mesh, MeshFile) else None
    if longest > SIZES[1]:
        what = "millimetres" if longest > 100.0 else "centimetres"
        factor = 0.001 if longest > 100.0 else 0.01
        where = f"set mesh.scale = {factor * scale:g}" if scale is not None else f"give lengths times {factor:g}"
    else:
        what, factor = "kilometres, or scaled twice", 1000.0
        where = f"set mesh.scale = {factor * scale:g}" if scale is not None else "give lengths in metres"
    yield f"mesh: warning: '{body.name}' is {longest:.3g} m long; lengths are in metres: if these are {what}, {where}"


def _density(body: Body, density: float | None) -> Iterator[str]:
    low, high = DENSITIES if body.mass is None else FROM_MASS
    if density is None or low <= density <= high:
        return
    if body.mass is not None:
        yield (
            f"mass: warning: {body.mass:.3g} kg in the volume of '{body.name}' make {density:.3g} kg/m^3, water has 1000: "
            "mass is in kilograms and lengths in metres; compare both with the line of the body"
        )
    elif density < DENSITIES[0]:
        yield (
            f"density: warning: '{body.name}' has {density:.3g} kg/m^3, lighter than foam; if that is in g/cm^3, "
            f"set density = {1000.0 * density:g}"
        )
    else:
        yield f"density: warning: '{body.name}' has {density:.3g} kg/m^3, denser than any metal; water has 1000"


def _stiffness(part: Placed, density: float | None, gravity: float) -> Iterator[str]:
    """A body that would collapse under its own weight: rho g L above E."""
    young, name = young_of(part.material), part.name
    if young is None:
        return
    weight = (density or 0.0) * gravity * float(part.mesh.extent.max())
    if young < weight:
        yield (
            f"material.young: warning: {young:.3g} Pa is less than the pressure of the weight of '{name}', {weight:.3g} Pa, "
            f"so it collapses; if that is in MPa, set young = {1e6 * young:g} (in kPa: {1e3 * young:g})"
        )
    elif young > HARDEST:
        yield f"material.young: warning: {young:.3g} Pa is harder than diamond; steel has 2e11, rubber 1e6, jelly 1e4"


def young_of(material: BodyMaterial) -> float | None:
    """Young's modulus of a material; the largest of several [Pa]."""
    moduli = getattr(material, "moduli", None)
    found: Modulus | None = moduli[0] if moduli is not None else getattr(material, "young", None)
    return None if found is None else float(np.max(found))
