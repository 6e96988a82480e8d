"""Contacts at one configuration: vertices, directions and forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.types import Array, Ints


@dataclass(frozen=True)
class Touch:
    """m contacts of k corners each; the relative velocity of the two sides is sum_a c_a v_a."""

    corners: Ints
    """(m, k) vertices of the system."""
    coefficients: Array
    """(m, k) c_a."""
    normal: Array
    """(m, 3) unit vectors."""
    force: Array
    """(m,) contact force between the sides, not negative [N]."""
    slope: Array | None = None
    """(m, k, 3) derivatives of `force` with respect to the corners at the end of a step, if it was taken over one [N/m]."""

    @property
    def two_sided(self) -> npt.NDArray[np.bool_]:
        """(m,) whether vertices are on both sides: the coefficients of one side alone, against an obstacle, add up to 1."""
        return np.abs(self.coefficients.sum(axis=1)) < 0.5
