"""The torque-free force that removes energy from a deforming body: objective viscosity for the budget.

Solids: P = F (2 mu Edot + 3 mu tr(Edot) I), Edot = sym(F^T Fdot), mu the shear modulus of the material at rest; other
elastic terms: -K v, with K the stiffness for the current configuration as rest configuration. Only ratios matter: the
energy determines the strength of the force. Terms without a rest configuration are omitted.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numba import njit

from supple.dynamics.system import System
from supple.energies.roles.elastic import Elastic
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.linalg.square import sum_at_vertices
from supple.types import Array, Ints

BULK = 3.0
"""Bulk viscosity over shear viscosity. Of 0, 1, 2, 3, 4, 5, 10 and lam/mu, forward Euler on spinning bars (Poisson's
ratio 0 to 0.45) stayed stable longest with 3 to 4. In some cases 4 is unstable while 3 only carries energy over."""


def viscous_force(system: System, x: Array, v: Array) -> Array:
    """(n, 3) force against the rate of strain [N times an arbitrary factor]."""
    force = np.zeros_like(v)
    for term in system.potential.terms:
        if isinstance(term, Solid):
            add_viscous(x, v, term.elements, term.shape, term.volume * _shear(term), BULK, force)
        elif isinstance(term, Elastic):
            _add_resting(term.resting_at(x), x, v, force)
    return force


def _add_resting(resting: EnergyTerm, x: Array, v: Array, force: Array) -> None:
    m, k = resting.elements.shape  # none of the hinges of a single triangle
    corners = v[resting.elements].reshape(m, 3 * k)
    pull = np.einsum("mij,mj->mi", resting.element_hessians(x), corners)
    force -= sum_at_vertices(resting.elements, pull, len(v))


_known: WeakKeyDictionary[EnergyTerm, Array] = WeakKeyDictionary()


def _shear(solid: Solid) -> Array:
    """mu of every tet at rest [Pa]."""
    if solid not in _known:
        C = solid.material.tangent(np.tile(np.eye(3), (len(solid.elements), 1, 1)))
        _known[solid] = np.maximum(C[:, 0, 1, 0, 1], 0.0)
    return _known[solid]


@njit(cache=True, nogil=True)
def add_viscous(x: Array, v: Array, tets: Ints, shape: Array, weight: Array, bulk: float, out: Array) -> None:
    """out (n, 3) += forces of all tets with P = weight F (2 Edot + bulk tr(Edot) I)."""
    F, rate, S = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for e in range(weight.size):
        for i in range(3):
            for j in range(3):
                F[i, j] = rate[i, j] = 0.0
                for a in range(3):
                    F[i, j] += (x[tets[e, a + 1], i] - x[tets[e, 0], i]) * shape[e, a, j]
                    rate[i, j] += (v[tets[e, a + 1], i] - v[tets[e, 0], i]) * shape[e, a, j]
        trace = 0.0
        for i in range(3):
            for j in range(i, 3):
                Edot = 0.0
                for k in range(3):
                    Edot += 0.5 * (F[k, i] * rate[k, j] + rate[k, i] * F[k, j])
                S[i, j] = S[j, i] = 2.0 * Edot
                if i == j:
                    trace += Edot
        for i in range(3):
            S[i, i] += bulk * trace
        for i in range(3):
            for a in range(3):
                pull = 0.0
                for k in range(3):
                    for j in range(3):
                        pull += F[i, k] * S[k, j] * shape[e, a, j]
                out[tets[e, a + 1], i] -= weight[e] * pull
                out[tets[e, 0], i] += weight[e] * pull
