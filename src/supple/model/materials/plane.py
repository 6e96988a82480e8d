"""Flat bodies in plane strain: confinement to their plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.energies.springs.plane import KeptInPlane
from supple.errors import SuppleError
from supple.materials.membranes.membrane import MembraneLaw

if TYPE_CHECKING:
    from supple.model.placed import Placed

FLAT = 1e-9
"""Distance from the plane, relative to the size of the body, that counts as round-off."""


def kept_in_plane(placed: Placed, law: MembraneLaw, thickness: float) -> KeptInPlane:
    """Springs that keep a flat body in its initial plane, about as stiff as the body itself in the plane."""
    x = placed.x
    _, _, axes = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    normal = axes[2]
    away, size = float(np.abs((x - x.mean(axis=0)) @ normal).max()), float(np.ptp(x, axis=0).max())
    if away > FLAT * size:
        raise SuppleError(
            f"'{law.name}' is for flat bodies, but '{placed.name}' starts up to {away:.3g} m away from a plane; take a "
            "flat shape such as cloth that starts in its plane, or a membrane"
        )
    stiffness = float(law.tangent(np.zeros((1, 3)))[0, 0, 0]) * thickness
    return KeptInPlane(placed.numbers, x, normal, np.full(len(x), stiffness))
