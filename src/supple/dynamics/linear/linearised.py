"""The system linearised about one state: matrices K = V''(x) and D'' = D''(v) over the unknowns.

u = (x, v),  u' = F(u) = (v, a(x, v)),  dF/du = [0 I; -M^-1 K  -M^-1 D'']
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.errors import StepRejected, SuppleError
from supple.linalg.krylov import symmetric_product
from supple.types import Array


class Linearised:
    """Matrices at one state; input and output arrays are (n, 3) with zeros on prescribed vertices."""

    def __init__(self, system: System, state: State, project: bool = False) -> None:
        """`project`: make the matrix of every element positive semidefinite."""
        if system.potential.roles.whole_body:
            raise SuppleError(
                "an energy of the whole body (body.pressure, or an area or volume with whole = true) couples every vertex with "
                "every other and has no sparse stiffness matrix; leave it out here"
            )
        self.system = system
        self.stiffness = np.zeros(system.pattern.nnz)
        system.potential.add_hessian(one_sample(state.x), self.stiffness, project)
        self.damping: Array | None = None
        if system.dissipation.terms:
            self.damping = np.zeros(system.pattern.nnz)
            system.dissipation.at(state.x, state.t, state.v).add_hessian(one_sample(state.v), self.damping, project)
        for values in (self.stiffness, self.damping):
            if values is not None and not np.isfinite(values).all():
                raise StepRejected(f"the stiffness or damping at t = {state.t:g} s is not finite")

    def stiff(self, r: Array) -> Array:
        """K r."""
        return self._product(self.stiffness, r)

    def damp(self, r: Array) -> Array:
        """D'' r."""
        return np.zeros_like(r) if self.damping is None else self._product(self.damping, r)

    def shifted(self, c: float) -> Array:
        """Entries of M + c D'' + c^2 K."""
        values = (c * c) * self.stiffness
        if self.damping is not None:
            values += c * self.damping
        values[self.system.pattern.diagonal] += self.system.unknown_mass
        return values

    def _product(self, values: Array, r: Array) -> Array:
        pattern = self.system.pattern
        out = np.zeros_like(r)
        product = symmetric_product(pattern.indptr, pattern.indices, values, r[self.system.free].ravel())
        out[self.system.free] = product.reshape(-1, 3)
        return out
