"""The work of viscous stresses along a field lam, and its derivatives (viscosity.py).

With Fu and L the gradients of the velocities and of lam, and U = sym(F^T Fu), E = sym(F^T L), the work per volume is
    S = 2 eta U : E + zeta tr U tr E
    dS/dF  = 2 eta (Fu E + L U) + zeta (tr E Fu + tr U L)
    dS/dFu = F A,  A = 2 eta E + zeta tr E I;    dS/dL = F B,  B = 2 eta U + zeta tr U I
A change of the rest positions with gradient G has dF = -F G, the same for Fu and L, and dvolume = volume tr G.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.energies import pulls
from supple.energies.solids.solid import Solid
from supple.types import Array


@dataclass(frozen=True)
class ViscousWork:
    """Gradients in all tets, (m, 3, 3) each."""

    F: Array
    Fu: Array
    L: Array

    @cached_property
    def rates(self) -> tuple[Array, Array]:
        """U and E."""
        return _symmetric(self.F, self.Fu), _symmetric(self.F, self.L)

    @cached_property
    def shear(self) -> Array:
        """(m,) dS/deta."""
        U, E = self.rates
        return 2.0 * np.einsum("mij,mij->m", U, E)

    @cached_property
    def bulk(self) -> Array:
        """(m,) dS/dzeta."""
        U, E = self.rates
        return np.asarray(_trace(U) * _trace(E))

    def by_state(self, eta: float, zeta: float) -> Array:
        """(m, 3, 3) dS/dF = Fu A + L B."""
        U, E = self.rates
        return self.Fu @ _stress(E, eta, zeta) + self.L @ _stress(U, eta, zeta)

    def by_rest(self, eta: float, zeta: float) -> Array:
        """(m, 3, 3) S I - F^T dS/dF - Fu^T dS/dFu - L^T dS/dL."""
        U, E = self.rates
        A, B = _stress(E, eta, zeta), _stress(U, eta, zeta)
        S = eta * self.shear + zeta * self.bulk
        turned = _times(self.F, self.by_state(eta, zeta)) + _times(self.Fu, self.F @ A) + _times(self.L, self.F @ B)
        return S[:, None, None] * np.eye(3) - turned


def at_corners(solid: Solid, T: Array, n: int) -> Array:
    """(n, 3) sums of volume T g_a over tets, T (m, 3, 3), g_a the gradient of corner a's shape function."""
    others = np.einsum("m,mij,maj->mai", solid.volume, T, solid.shape)
    corners = np.concatenate([-others.sum(axis=1, keepdims=True), others], axis=1)
    return pulls.at_vertices(solid.elements, corners, n)


def _stress(E: Array, eta: float, zeta: float) -> Array:
    return 2.0 * eta * E + zeta * _trace(E)[:, None, None] * np.eye(3)


def _times(A: Array, B: Array) -> Array:
    """A^T B."""
    return np.asarray(np.swapaxes(A, 1, 2) @ B)


def _symmetric(F: Array, rate: Array) -> Array:
    both = _times(F, rate)
    return 0.5 * (both + np.swapaxes(both, 1, 2))


def _trace(A: Array) -> Array:
    return np.asarray(A.trace(axis1=1, axis2=2))
