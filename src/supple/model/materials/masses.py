"""Masses of the vertices of a body or a mesh obstacle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.errors import SceneError
from supple.mesh.measure import lumped_mass
from supple.model.body import WATER
from supple.model.regions.values import densities
from supple.types import Array

if TYPE_CHECKING:
    from supple.model.placed import Placed

WEIGHTLESS = 1e-15
"""Mass of a vertex of an obstacle, whose motion is prescribed: negligible in energy and momentum [kg]."""


def masses_of(placed: Placed) -> Array:
    """(k,) masses of its vertices: from the file of a coarse body, from its particles, or lumped from its elements [kg]."""
    if placed.is_obstacle:
        return np.full(placed.mesh.n, WEIGHTLESS)
    body = placed.body
    if placed.coarse is not None:
        return _of_file(placed, placed.coarse)
    if placed.filled is not None:
        return placed.filled.masses(densities(body, placed.filled.solid), body.mass)
    each = densities(body, placed.mesh)
    density = None if each is None else each * _section(placed)
    return lumped_mass(placed.mesh, density=density, mass=body.mass, uniform=body.mass_distribution == "uniform")


def _section(placed: Placed) -> float:
    """Factor on a density per m^3: thickness of a surface [m], cross-section of a rope [m^2]; 1 if unknown."""
    if placed.mesh.is_solid or placed.thickness is None:
        return 1.0
    return placed.thickness if len(placed.mesh.triangles) else np.pi / 4.0 * placed.thickness**2


def _of_file(placed: Placed, coarse: CoarseBody) -> Array:
    """Masses from the file of a coarse body; other options are rejected."""
    body = placed.body
    asked = {
        "mass": body.mass is not None,
        "density": body.density not in (None, WATER),
        "regions": bool(body.regions),
    }
    for key in (key for key, given in asked.items() if given):
        raise SceneError(f"{placed.path}.{key}: masses and materials of a coarse body are in its file; leave {key} out")
    return coarse.mass.copy()
