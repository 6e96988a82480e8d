"""The stiffness of a solid at rest: 6x6, and what it says along an axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.materials.material import Material
from supple.types import Array

PAIRS = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
ISOTROPIC = 1e-9
"""Difference from an isotropic stiffness, relative, below which there is none."""


@dataclass(frozen=True)
class AtRest:
    """Small strains about rest."""

    stiffness: Array
    """(6, 6) over (e11, e22, e33, 2 e23, 2 e13, 2 e12) [Pa]."""

    @property
    def isotropic(self) -> bool:
        C = self.stiffness
        lam, mu = C[0, 1], C[3, 3]
        wanted = np.diag([2 * mu] * 3 + [mu] * 3)
        wanted[:3, :3] += lam
        return bool(np.abs(C - wanted).max() <= ISOTROPIC * np.abs(C).max())

    def young(self, axis: int = 0) -> float:
        """Stress over strain of a bar along the axis [Pa]; NaN if nothing resists some strain."""
        return float(1 / self._compliance[axis, axis])

    def poisson(self, axis: int = 0) -> float:
        """Contraction along the axis that follows over the strain along this one [-]."""
        S = self._compliance
        return float(-S[axis, (axis + 1) % 3] / S[axis, axis])

    @property
    def shear(self) -> float:
        """Resistance to a shear in the plane of the first two axes [Pa]."""
        return float(self.stiffness[5, 5])

    @property
    def bulk(self) -> float:
        """Mean pressure over loss of volume, strains being equal [Pa]."""
        return float(self.stiffness[:3, :3].sum() / 9)

    @property
    def _compliance(self) -> Array:
        try:
            return np.asarray(np.linalg.inv(self.stiffness[:3, :3]))
        except np.linalg.LinAlgError:
            return np.full((3, 3), np.nan)


def at_rest(material: Material) -> AtRest:
    """From the tangent at F = I."""
    C = material.tangent(np.eye(3)[None])[0]
    minor = (C + np.swapaxes(C, 2, 3)) / 2
    return AtRest(np.array([[minor[i, j, k, n] for k, n in PAIRS] for i, j in PAIRS]))
