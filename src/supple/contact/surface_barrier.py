"""The barrier between two surfaces, of their squared distance D, with a gap that ends at a thickness (Li et al. 2020, 2021).

    phi(D) = kappa / dhat^3 b(G),   b = -(G - dhat^2)^2 ln(G / dhat^2) for G < dhat^2, else 0,   G = (sqrt(D) - xi)^2
xi is the offset of a pair, half of both thicknesses: phi begins at the distance xi + dhat, is infinite from xi on, and is
the same function of the gap sqrt(D) - xi whatever xi is, so that kappa means the same pressure for thick and thin.

    phi' = b' G',  phi'' = b'' G'^2 + b' G'',   G' = 1 - xi/d,  G'' = xi/(2 d^3),   d = sqrt(D)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.types import Array


@dataclass(frozen=True)
class SurfaceBarrier:
    """phi of one stiffness and reach."""

    dhat: float
    """Gap at which it begins [m]."""
    kappa: float
    """Stiffness [Pa]."""

    def at(self, D: Array, offset: Array) -> tuple[Array, Array, Array]:
        """phi and its first two derivatives with respect to D, for pairs (m,) with offsets xi (m,) [m]."""
        if not offset.any():
            return self._of_gap(D)
        d = np.sqrt(D)
        with np.errstate(divide="ignore", invalid="ignore"):
            value, slope, curvature = self._of_gap(np.maximum(d - offset, 0.0) ** 2)
            turn, bend = 1.0 - offset / d, offset / (2.0 * d**3)
            return value, slope * turn, curvature * turn**2 + slope * bend

    def _of_gap(self, G: Array) -> tuple[Array, Array, Array]:
        """b with its derivatives with respect to G."""
        top = self.dhat**2
        d = np.minimum(G, top)  # all three vanish there
        with np.errstate(divide="ignore", invalid="ignore"):
            log, gap = np.log(d / top), d - top
            value = -(gap**2) * log
            slope = -2.0 * gap * log - gap**2 / d
            curvature = -2.0 * log - 4.0 * gap / d + (gap / d) ** 2
        scale = self.kappa / self.dhat**3
        return scale * value, scale * slope, scale * curvature
