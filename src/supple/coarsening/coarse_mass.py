"""Mass of coarse vertices: each corner of a coarse tet gets a quarter of the fine mass in it."""

from __future__ import annotations

import numpy as np

from supple.coarsening.fine_body import FineBody
from supple.coarsening.overlap import Overlaps
from supple.errors import MeshError
from supple.types import Array, Ints


def coarse_mass(fine: FineBody, coarse_tets: Ints, count: int, found: Overlaps) -> Array:
    """(count,) masses of coarse vertices [kg]; they add up to the fine mass covered by the coarse mesh."""
    inside = np.bincount(found.coarse, fine.density[found.fine] * found.volume, len(coarse_tets))
    mass: Array = np.asarray(np.bincount(coarse_tets.ravel(), np.repeat(inside / 4.0, 4), count), dtype=np.float64)
    empty = np.flatnonzero(mass <= 0.0)
    if len(empty):
        raise MeshError(
            f"coarse mesh: {len(empty)} vertices have no part of the fine body around them, the first is vertex "
            f"{empty[0]}; remove the tets around them, or take a cage (--cells)"
        )
    return mass
