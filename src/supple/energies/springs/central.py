"""Springs whose energy depends on their length alone: psi(s), s = d . d, d = x_j - x_i.

Gradient (-g, g) and Hessian ((B, -B), (-B, B)) with g = 2 psi' d and B = 2 psi' I + 4 psi'' d d^T.

Over a step from d0 to d1 the mean gradient is q (d0 + d1), q = (psi(s1) - psi(s0))/(s1 - s0): it conserves energy and
angular momentum.
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array, Ints


def checked_factors(what: str, value: float | Array, count: int) -> Array:
    """(count,) finite, non-negative values."""
    factors = np.broadcast_to(np.asarray(value, dtype=np.float64), (count,))
    if not (np.isfinite(factors) & (factors >= 0)).all():
        raise SuppleError(f"{what}: must be finite and not negative")
    return np.ascontiguousarray(factors)


class CentralSprings(EnergyTerm, Elastic, MeasuredAtRest):
    """Springs between pairs of vertices; a subclass defines psi(s), s = l^2, and its derivatives psi' and psi''."""

    group: ClassVar[str] = "elastic"

    def __init__(self, rest: Array, edges: Ints) -> None:
        """rest (n, 3) rest positions [m], edges (m, 2)."""
        self.elements = np.ascontiguousarray(edges, dtype=np.int32)
        self.rest = rest
        self.rest_length = self.measured(rest[self.elements])["rest_length"]

    def measured(self, corners: Array) -> dict[str, Array]:
        return {"rest_length": np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)}

    def constants(self) -> dict[str, Array]:
        return {"rest_length": self.rest_length}

    def _law(self, s: Array) -> tuple[Array, Array, Array]:
        """psi, d psi/ds, d2 psi/ds2 at s = l^2."""
        raise TypeError(f"{type(self).__name__} does not define its law")

    def _mean_law(self, s0: Array, s1: Array) -> tuple[Array, Array]:
        """q = (psi(s1) - psi(s0))/(s1 - s0) without cancellation, and 2 dq/ds1."""
        raise TypeError(f"{type(self).__name__} does not define its mean law")

    def _ends(self, x: Array) -> tuple[Array, Array]:
        d = x[self.elements[:, 1]] - x[self.elements[:, 0]]
        return d, np.einsum("ij,ij->i", d, d)

    def resting_at(self, x: Array) -> EnergyTerm:
        other = copy.copy(self)
        other.rest_at(x)
        other.rest_length = np.sqrt(self._ends(x)[1])
        return other

    def element_values(self, x: Array) -> Array:
        return self._law(self._ends(x)[1])[0]

    def element_gradients(self, x: Array) -> Array:
        d, s = self._ends(x)
        pull = 2.0 * self._law(s)[1][:, None] * d  # ds/dx_j = 2 d
        return np.stack([-pull, pull], axis=1)

    def element_hessians(self, x: Array) -> Array:
        d, s = self._ends(x)
        _, slope, curvature = self._law(s)
        return self._blocks(d, slope, curvature)

    def element_products(self, x: Array, move: Array) -> Array:
        d, s = self._ends(x)
        _, slope, curvature = self._law(s)
        p = move[self.elements[:, 1]] - move[self.elements[:, 0]]
        pull = 2.0 * slope[:, None] * p + (4.0 * curvature * np.einsum("mi,mi->m", d, p))[:, None] * d
        return np.stack([-pull, pull], axis=1)

    def projected_hessians(self, x: Array) -> Array:
        d, s = self._ends(x)
        _, slope, curvature = self._law(s)
        # eigenvalues of the block: 2 slope across the spring, 2 slope + 4 curvature s along it
        across = np.maximum(slope, 0.0)
        along = np.maximum(slope + 2.0 * curvature * s, 0.0)
        return self._blocks(d, across, np.where(s > 0.0, 0.5 * (along - across) / np.where(s > 0.0, s, 1.0), 0.0))

    @staticmethod
    def _blocks(d: Array, slope: Array, curvature: Array) -> Array:
        block = 2.0 * slope[:, None, None] * np.eye(3) + 4.0 * curvature[:, None, None] * d[:, :, None] * d[:, None, :]
        return np.block([[block, -block], [-block, block]])

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        (d0, s0), (d1, s1) = self._ends(x0), self._ends(x1)
        pull = self._mean_law(s0, s1)[0][:, None] * (d0 + d1)
        return np.stack([-pull, pull], axis=1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        (d0, s0), (d1, s1) = self._ends(x0), self._ends(x1)
        q, slope = self._mean_law(s0, s1)
        block = q[:, None, None] * np.eye(3) + slope[:, None, None] * (d0 + d1)[:, :, None] * d1[:, None, :]
        return np.block([[block, -block], [-block, block]])
