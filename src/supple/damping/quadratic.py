"""Linear damping whose element matrices are known: D(v) = 1/2 sum_e v_e^T A_e v_e, force -A v.

Damping that depends on the configuration takes this form while a step is solved.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.linalg.scatter import add_gradients, add_hessians
from supple.types import Array, Ints


class FrozenQuadratic(EnergyTerm):
    """Precomputed element matrices, symmetric and positive semidefinite."""

    degree = 2

    def __init__(self, elements: Ints, matrices: Array) -> None:
        """elements (m, k), matrices (m, 3k, 3k) [N s/m]."""
        self.elements = elements
        self.matrices = matrices
        self._laid: tuple[Placement, Array] | None = None

    def element_values(self, v: Array) -> Array:
        corners = v[self.elements]
        return 0.5 * np.einsum("mai,mai->m", corners, self._product(corners))

    def element_gradients(self, v: Array) -> Array:
        return self._product(v[self.elements])

    def element_hessians(self, v: Array) -> Array:
        return self.matrices

    def projected_hessians(self, v: Array) -> Array:
        return self.matrices

    def element_works(self, samples: Samples, lam: Array) -> Array:
        v = np.einsum("q,qni->ni", samples.force, samples.x)
        return np.einsum("mai,mai->m", lam[self.elements], self._product(v[self.elements]))

    def element_products(self, v: Array, move: Array) -> Array:
        return self._product(move[self.elements])

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        gradients = np.zeros((*self.elements.shape, 3))
        value = 0.0
        for v, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            value += float(energy) * _add_pulls(self.elements, self.matrices, v, float(force), gradients)
        add_gradients(parts.owner, parts.start, parts.elements, self.elements, gradients, gradient)
        return value

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """The same at all samples and in all iterations of a step: summed once; no projection is needed."""
        if self._laid is None or self._laid[0] is not place:
            p, laid = place.parts, np.zeros_like(values)
            add_hessians(
                p.owner, p.start, p.elements, self.elements, place.unknowns, place.row_length, place.slots,
                self.matrices, laid,
            )  # fmt: skip
            self._laid = place, laid
        values += samples.curvature.sum() * self._laid[1]

    def _product(self, corners: Array) -> Array:
        """A_e v_e of every element (m, k, 3)."""
        m, k, _ = corners.shape
        return np.einsum("mij,mj->mi", self.matrices, corners.reshape(m, 3 * k)).reshape(m, k, 3)


@njit(cache=True, nogil=True)
def _add_pulls(elements, matrices, v, force, gradients):
    """gradients (m, k, 3) += force A_e v_e at velocities v (n, 3); returns the sum of v_e . A_e v_e/2."""
    m, k = elements.shape
    own, total = np.empty(3 * k), 0.0
    for e in range(m):
        for a in range(k):
            for i in range(3):
                own[3 * a + i] = v[elements[e, a], i]
        for a in range(k):
            for i in range(3):
                pull = 0.0
                for j in range(3 * k):
                    pull += matrices[e, 3 * a + i, j] * own[j]
                gradients[e, a, i] += force * pull
                total += 0.5 * pull * own[3 * a + i]
    return total
