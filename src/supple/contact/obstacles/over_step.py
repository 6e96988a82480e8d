"""Contact with a shape over a step from a known start, as minimised by AVF; see obstacle.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from supple.energies.term import EnergyTerm
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.contact.obstacles.obstacle import ObstacleContact

ENDS = 1e-3
"""Fraction of the reach below which the mean of a barrier over a step is not used."""


class OverStep(EnergyTerm):
    """w Psi(d1) of a step that begins with the gaps d0: gradient w Q n1, Hessian w (dQ/dd1 n1 n1^T + Q d''(x1)).

    Psi of a barrier is finite at a gap of 0. A step that would need the last thousandth of the reach exceeds the
    barrier at any step size that does not resolve it. Psi is therefore set to infinity there, and such a step fails.
    """

    def __init__(self, contact: ObstacleContact, d0: Array) -> None:
        self.elements = contact.elements
        self._contact, self._d0 = contact, d0
        self._least = np.minimum(ENDS * contact.law.reach, 0.5 * d0) if contact.law.keeps_apart else None

    def element_values(self, x: Array) -> Array:
        near, d0, d1 = self._near(x)
        values = self._contact.law.potential_of_mean(d0, d1)
        if self._least is not None:
            values = np.where(d1 > self._least[near], values, np.inf)
        return self._spread(near, values)

    def element_gradients(self, x: Array) -> Array:
        near, d0, d1 = self._near(x)
        force = self._contact.law.mean_slope(d0, d1)[:, None] * self._contact.normals(x, near)
        return self._spread(near, force)[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        near, d0, d1 = self._near(x)
        law, n = self._contact.law, self._contact.normals(x, near)
        matrices = law.mean_curvature(d0, d1)[:, None, None] * n[:, :, None] * n[:, None, :]
        matrices += law.mean_slope(d0, d1)[:, None, None] * self._contact.bends(x, near)
        return self._spread(near, matrices)

    def _near(self, x: Array) -> tuple[Ints, Array, Array]:
        """Elements within reach at one end of the step, and their gaps at both."""
        d1 = self._contact.gaps(x)
        near = where(np.minimum(self._d0, d1) < self._contact.law.reach)
        return near, self._d0[near], d1[near]

    def _spread(self, near: Ints, rows: Array) -> Array:
        """Weighted rows of these elements, the others zero."""
        out = np.zeros((len(self.elements), *rows.shape[1:]))
        out[near] = self._contact.weights[near].reshape(-1, *(1,) * (rows.ndim - 1)) * rows
        return out


def where(mask: npt.NDArray[np.bool_]) -> Ints:
    """Indices of the elements for which it holds."""
    return np.flatnonzero(mask).astype(np.int32)
