"""A material of your own: a solid whose density is quartic in F - I, psi = mu |F - I|^2 + nu/4 |F - I|^4.

It is not invariant under rotation, so it is a toy; but its derivatives fit on a page. Two kernels over batches of LANES
elements are all that the solid needs; Numba picks them by the type of the parameters.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.materials.kernel import LANES, pair, response_for, tangent_for
from supple.materials.material import Material
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar


class ToyParameters(NamedTuple):
    """Arrays with one entry an element."""

    mu: object
    nu: object


@dataclass(frozen=True)
class Toy(Material):
    """`degree` lets AVF choose the rule that is exact for it."""

    mu: float
    nu: float

    name: ClassVar[str] = "toy"
    Parameters: ClassVar[type] = ToyParameters
    degree: ClassVar[int | None] = 4


@response_for(ToyParameters)
def response(p, elements, F, psi, P):
    # P = (2 mu + nu s) D,  D = F - I, s = |D|^2
    for q in range(LANES):
        mu, nu = p.mu[elements[q]], p.nu[elements[q]]
        s = 0.0
        for ij in range(9):
            d = F[ij * LANES + q] - (1.0 if ij % 4 == 0 else 0.0)
            s += d * d
        for ij in range(9):
            P[ij * LANES + q] = (2.0 * mu + nu * s) * (F[ij * LANES + q] - (1.0 if ij % 4 == 0 else 0.0))
        psi[q] = mu * s + 0.25 * nu * s * s


@tangent_for(ToyParameters)
def tangent(p, elements, F, C):
    # dP = (2 mu + nu s) dD + 2 nu D (D : dD)
    for q in range(LANES):
        mu, nu = p.mu[elements[q]], p.nu[elements[q]]
        s = 0.0
        for ij in range(9):
            d = F[ij * LANES + q] - (1.0 if ij % 4 == 0 else 0.0)
            s += d * d
        for r in range(9):
            a = F[r * LANES + q] - (1.0 if r % 4 == 0 else 0.0)
            for c in range(r, 9):
                b = F[c * LANES + q] - (1.0 if c % 4 == 0 else 0.0)
                C[pair(r, c) * LANES + q] = 2.0 * nu * a * b + (2.0 * mu + nu * s if r == c else 0.0)


def check_derivatives(material: Material) -> None:
    """Stress against differences of the density, tangent against differences of the stress."""
    rng, e = np.random.default_rng(1), 1e-6
    F, d = np.eye(3) + 0.3 * rng.normal(size=(20, 3, 3)), rng.normal(size=(20, 3, 3))
    slope = (material.density(F + e * d) - material.density(F - e * d)) / (2 * e)
    assert np.allclose(np.einsum("mij,mij->m", material.stress(F), d), slope, rtol=1e-7)
    bend = (material.stress(F + e * d) - material.stress(F - e * d)) / (2 * e)
    assert np.allclose(np.einsum("mijkl,mkl->mij", material.tangent(F), d), bend, rtol=1e-6, atol=1e-2)


def main() -> None:
    material = Toy(mu=2e3, nu=8e3)
    check_derivatives(material)
    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5)).mesh()
    X = mesh.vertices
    system = build_system(X, lumped_mass(mesh, density=500.0), [Solid(X, mesh.tets, material)])
    stretched = State(0.0, X * [1.3, 1.0, 0.9], np.zeros_like(X))
    frames = list(simulate(system, AVF(), stretched, 1 / 30, 30))
    drift = max(abs(f.ledger.residue) for f in frames) / frames[0].ledger.initial
    print(f"{frames[0].ledger.initial:.3f} J, kept to {drift:.1e} over 30 steps of 1/30 s")
    assert drift < 1e-11


if __name__ == "__main__":
    main()
