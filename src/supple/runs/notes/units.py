"""Sizes, densities and stiffnesses that look as if they were in another unit than metres, kilograms and pascals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.model.assemble import Assembled
from supple.model.contacts.setting import Part
from supple.scene.tables.body import Body
from supple.scene.tables.geometry import MeshFile

SIZES = (2e-3, 20.0)
"""Longest side of a body that nobody asks about [m]: below it may be metres taken for millimetres, above the reverse."""
DENSITIES = (20.0, 25_000.0)
"""[kg/m^3]; figures in g/cm^3 lie below, nothing on earth above."""
FROM_MASS = (0.1, 1e5)
"""The same where a scene gives a mass instead: bodies of 1 kg, whatever their size, are common in examples."""
HARDEST = 2e12
"""Young's modulus above that of diamond [Pa]."""


def unit_notes(assembled: Assembled, gravity: float) -> list[str]:
    """A line for every figure that looks wrong, with the remedy; `gravity`: size of the acceleration [m/s^2]."""
    notes = []
    for part in assembled.parts:
        if isinstance(part.table, Body):
            mass, volume = float(assembled.system.mass[part.span].sum()), _volume(part, assembled)
            density = mass / volume if volume else None
            found = [*_size(part, part.table), *_density(part.table, density), *_stiffness(part, density, gravity)]
            notes += [f"{part.path}.{text}" for text in found]
    return notes


def _volume(part: Part, assembled: Assembled) -> float | None:
    """Of tets, or of a sheet or rope with a thickness [m^3]; None where a body has none."""
    share, thickness = float(assembled.share[part.span].sum()), part.table.thickness
    if part.mesh.is_solid:
        return share
    if thickness is None:
        return None
    return share * (thickness if len(part.mesh.triangles) else np.pi / 4.0 * thickness**2)


def _size(part: Part, body: Body) -> Iterator[str]:
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


def _stiffness(part: Part, density: float | None, gravity: float) -> Iterator[str]:
    """A body that its own weight would squeeze to nothing: rho g L above E."""
    young, name = getattr(part.table.material, "young", None), part.table.name  # type: ignore[union-attr]
    if young is None:
        return
    weight = (density or 0.0) * gravity * float(part.mesh.extent.max())
    if young < weight:
        yield (
            f"material.young: warning: {young:.3g} Pa is less than the pressure of the weight of '{name}', {weight:.3g} Pa, "
            f"so that it collapses; if that is in MPa, set young = {1e6 * young:g} (in kPa: {1e3 * young:g})"
        )
    elif young > HARDEST:
        yield f"material.young: warning: {young:.3g} Pa is harder than diamond; steel has 2e11, rubber 1e6, jelly 1e4"
