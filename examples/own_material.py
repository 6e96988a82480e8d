"""A material of your own in five lines: Gent's rubber (1996), whose chains stretch to a limit, I1 - 3 < Jm.

    psi = -mu/2 Jm log(1 - (I1 - 3)/Jm) - mu log J + lam/2 log(J)^2
Only the energy is written. Stress and tangent are its derivatives. Where a logarithm is undefined, the density is infinite, so
the solver avoids the limit. The material stiffens towards the limit, unlike neo-Hookean rubber.
"""

import numpy as np

import supple as sp
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.loop import simulate
from supple.mesh.measure import lumped_mass

gent = sp.material(
    "gent",
    "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J) + lam/2*log(J)^2",
    mu=2e3, lam=8e3, Jm=1.5,
)  # fmt: skip


def check_derivatives(material: sp.Material) -> None:
    """Stress against differences of the density, tangent against differences of the stress."""
    rng, e = np.random.default_rng(1), 1e-6
    F, d = np.eye(3) + 0.1 * rng.normal(size=(20, 3, 3)), rng.normal(size=(20, 3, 3))
    slope = (material.density(F + e * d) - material.density(F - e * d)) / (2 * e)
    assert np.allclose(np.einsum("mij,mij->m", material.stress(F), d), slope, rtol=1e-6, atol=1e-4)
    bend = (material.stress(F + e * d) - material.stress(F - e * d)) / (2 * e)
    assert np.allclose(np.einsum("mijkl,mkl->mij", material.tangent(F), d), bend, rtol=1e-6, atol=1e-2)


def pull(material: sp.Material, stretch: float) -> float:
    """Stress along a bar that keeps its volume [Pa]."""
    side = stretch**-0.5
    P = material.stress(np.diag([stretch, side, side])[None])[0]
    return float(P[0, 0] - P[1, 1] * side / stretch)  # without the pressure that keeps the sides in place


def main() -> None:
    check_derivatives(gent)
    soft = sp.NeoHookean(mu=2e3, lam=8e3)
    ratios = [pull(gent, stretch) / pull(soft, stretch) for stretch in (1.05, 1.3, 1.6)]
    print(f"pull over that of neo-Hookean rubber at stretches 1.05, 1.3, 1.6: {', '.join(f'{r:.2f}' for r in ratios)}")
    assert 1.0 < ratios[0] < 1.02 < ratios[1] < ratios[2]
    assert np.isposinf(gent.density(np.diag([2.1, 0.7, 0.7])[None])[0])

    mesh = sp.Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5)).mesh()
    X = mesh.vertices
    system = build_system(X, lumped_mass(mesh, density=500.0), [Solid(X, mesh.tets, gent)])
    stretched = sp.State(0.0, X * [1.3, 1.0, 0.9], np.zeros_like(X))
    frames = list(simulate(system, sp.AVF(), stretched, 1 / 60, 30))
    drift = max(abs(f.ledger.residual) for f in frames) / frames[0].ledger.initial
    print(f"{frames[0].ledger.initial:.3f} J, kept to {drift:.1e} over 30 steps of 1/60 s")
    assert drift < 1e-9


if __name__ == "__main__":
    main()
