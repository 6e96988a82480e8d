"""Stages under constraints that act at their end (backward Euler): x and multipliers nu with

    R(x) + sum_j nu_j grad g_j(x) = 0,  g(x) = 0
The matrix of both sweeps is that of Newton's method, bordered by the gradients of g, and symmetric:
    [ H + sum_j nu_j g_j''   G^T ] [ lam ]   [ xb ]
    [ G                      0   ] [ eta ] = [ 0  ]
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.reactions import pull
from supple.dynamics.stage import StageObjective
from supple.dynamics.system import System
from supple.dynamics.tangent import jacobian
from supple.errors import SuppleError
from supple.sensitivity.linear import Blocks, block_product, sum_of
from supple.types import Array


class BorderedStage:
    """A stage at its solution x."""

    def __init__(self, system: System, objective: StageObjective, x: Array) -> None:
        from scipy.sparse import bmat, csr_matrix, triu
        from scipy.sparse.linalg import splu

        if objective.outer_products(x) is not None:
            raise SuppleError(
                "no derivatives: an energy of the whole body is combined with constraints; omit one of them"
            )
        self._system, self._x = system, x
        free = system.free
        unknowns = np.full(system.n, -1, dtype=np.int64)
        unknowns[free] = np.arange(len(free))
        self._rows = (3 * np.asarray(free, dtype=np.int64)[:, None] + np.arange(3)).ravel()
        self._G = jacobian(system, x, np.ones(len(system.constraints))).tocsr()
        G = self._G[:, self._rows]
        gradient = objective.evaluate(x).gradient[free].ravel()
        self.nu = -np.linalg.lstsq(G.T.toarray(), gradient, rcond=None)[0]
        values = np.empty(system.pattern.nnz)
        objective.hessian(x, values)
        size = 3 * len(free)
        upper = csr_matrix((values, system.pattern.indices, system.pattern.indptr), shape=(size, size))
        matrix = upper + triu(upper, k=1).T
        for elements, matrices in self._curved():
            matrix = matrix + sum_of(unknowns[elements], matrices, size)
        for elements, matrices in objective.coupling_blocks(x):
            matrix = matrix + sum_of(elements, matrices, size)
        self._factors = splu(bmat([[matrix, G.T], [G, None]]).tocsc())

    def _curved(self) -> Blocks:
        """nu_j g_j'' in blocks."""
        found: Blocks = []
        for kind, span in self._system.constraints:
            stencils, owners = kind.curved
            found.append((stencils, self.nu[span][owners, None, None] * kind.hessians(self._x)))
        return found

    def solve(self, b: Array, c: Array | None = None) -> tuple[Array, Array]:
        """lam (n, 3), zero on prescribed vertices, and eta (J,) for the right-hand sides b (n, 3) and c (J,)."""
        free, J = self._system.free, len(self.nu)
        found = self._factors.solve(np.concatenate([b[free].ravel(), np.zeros(J) if c is None else c]))
        lam = np.zeros_like(b)
        lam[free] = found[: len(found) - J].reshape(-1, 3)
        return lam, found[len(found) - J :]

    def product(self, lam: Array, eta: Array) -> Array:
        """(n, 3) contribution of constraints to the derivative of lam . R + eta . g with respect to x, on all vertices."""
        return block_product(self._curved(), lam) + (self._G.T @ eta).reshape(-1, 3)

    def along(self, held: Array) -> tuple[Array, Array]:
        """Changes of both equations by a displacement of prescribed vertices."""
        return block_product(self._curved(), held), self._G @ held.ravel()

    def forces(self, system: System) -> Array:
        """(n, 3) sum_j nu_j grad g_j of a neighbouring system at the same positions."""
        gradients = [kind.gradients(self._x) for kind in system.constraints.kinds]
        return pull(system.constraints, gradients, self.nu, system.n)

    def values(self, system: System) -> Array:
        """(J,) g of a neighbouring system."""
        return system.constraints.values(self._x)
