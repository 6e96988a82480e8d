"""An energy term of your own: every vertex in a quartic well, V = sum_i k/4 |x_i - c|^4.

A term is the mathematics of one element over whole arrays; `EnergyTerm` provides sums, sparsity and the solver. It declares a
polynomial of degree 4, so AVF selects a rule that integrates it exactly and conserves the energy.
"""

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Cube
from supple.types import Array


class Well(EnergyTerm):
    """k in N/m^3; the elements are single vertices. Its energy goes into the ledger's column `other`."""

    degree = 4

    def __init__(self, n: int, centre: Array, k: float) -> None:
        self.elements = np.arange(n, dtype=np.int32)[:, None]
        self.centre, self.k = centre, k

    def element_values(self, x: Array) -> Array:
        d = x - self.centre
        return self.k / 4 * (d * d).sum(axis=1) ** 2

    def element_gradients(self, x: Array) -> Array:
        d = x - self.centre
        return (self.k * (d * d).sum(axis=1)[:, None] * d)[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        # k (|d|^2 I + 2 d d^T)
        d = x - self.centre
        return self.k * ((d * d).sum(axis=1)[:, None, None] * np.eye(3) + 2 * d[:, :, None] * d[:, None, :])


def check_derivatives(term: EnergyTerm, x: Array) -> None:
    """The directional derivatives of value and gradient against central differences."""
    d, e = np.random.default_rng(1).normal(size=x.shape), 1e-5
    slope = np.vdot(term.element_gradients(x)[:, 0], d)
    assert np.isclose(slope, (term.element_values(x + e * d) - term.element_values(x - e * d)).sum() / (2 * e))
    bend = np.einsum("mij,mj->mi", term.element_hessians(x), d)
    change = term.element_gradients(x + e * d) - term.element_gradients(x - e * d)
    assert np.allclose(bend, change[:, 0] / (2 * e), rtol=1e-6, atol=1e-6)


def main() -> None:
    mesh = Cube(cells=2, size=0.4).mesh()
    X = mesh.vertices
    well = Well(mesh.n, np.array([0.0, 1.0, 0.0]), k=30.0)
    check_derivatives(well, X)
    solid = Solid(X, mesh.tets, StableNeoHookean.from_young(2e4, 0.4))
    system = build_system(X, lumped_mass(mesh, density=1000.0), [solid, well])
    moving = State(0.0, X, np.tile([1.0, 0.0, 0.0], (mesh.n, 1)))
    frames = list(simulate(system, AVF(), moving, 1 / 30, 60))
    start, end = frames[0].ledger.energies, frames[-1].ledger.energies
    drift = max(abs(f.ledger.residual) for f in frames) / start.total
    print(f"in the well {start.other:.2f} J, then {end.other:.2f} J; elastic {end.elastic:.2f} J; drift {drift:.1e}")
    assert system.potential.degree == 6  # that of the solid; the well alone would have 4
    assert abs(end.other - start.other) > 1.0
    assert drift < 1e-11


if __name__ == "__main__":
    main()
