"""Mass of a deformable: from masses of its elements, its total mass, or a density, in this order of precedence."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import SceneError
from supple.mesh.measure import lumped_mass, sizes
from supple.mesh.stages.schema import value
from supple.mesh.stages.stage import Units
from supple.scene.stages.deformables import Deformable
from supple.scene.stages.materials import DENSITY, Stuff
from supple.scene.stages.numbers import positive, short, times

UNEVEN = 1e-4
"""Tolerance for a uniform mass distribution, relative to the mass."""


def mass_keys(of: Deformable, stuff: Stuff, notes: list[str]) -> dict[str, Any]:
    """`mass` or `density` of the body."""
    units = stuff.units
    total = _masses(of, units, notes) or positive(of.root, "mass", units.si(0, 1))
    if total is not None:
        return {"mass": total}
    own = positive(of.root, "density", units.si(-3, 1))
    return {"density": own or stuff.density or DENSITY}


def _masses(of: Deformable, units: Units, notes: list[str]) -> float | None:
    """Total of the masses given for points or elements [kg]."""
    given = value(of.prim, "masses")
    if given is None or not len(given):
        return None
    masses = np.array(given, dtype=np.float64)
    if not (np.isfinite(masses).all() and (masses > 0.0).all()):
        raise SceneError(
            f"{of.path}: masses has values from {masses.min():g} to {masses.max():g}; they must be above 0"
        )
    kind = str(value(of.prim, "masses:elementType") or "point")
    mesh = of.mesh
    elements = mesh.tets if of.kind == "volume" else mesh.triangles if of.kind == "surface" else mesh.edges
    even = {
        "constant": np.ones(1),
        "point": lumped_mass(mesh, density=1.0),
        "tetrahedron": np.abs(sizes(mesh.vertices, elements)),
        "face": np.abs(sizes(mesh.vertices, elements)),
        "segment": np.abs(sizes(mesh.vertices, elements)),
    }.get(kind)
    if even is not None and len(even) != len(masses):
        raise SceneError(
            f"{of.path}: masses has {len(masses)} entries for elements of type '{kind}', of which it has {len(even)}"
        )
    total = float(masses.sum())
    if even is None or np.abs(masses - even * (total / even.sum())).max() > UNEVEN * masses.max():
        notes.append(
            f"{of.path}: masses are distributed uniformly over the body; their sum is preserved, {total * units.si(0, 1):.6g} kg"
        )
    return times(short(total), units.si(0, 1))
