"""Constants of rubber from Treloar's data of 1944, and a bar of it: fit, compare, pull.

Uniaxial and biaxial tension are fitted together, 40 points up to a stretch of 7.6. Laws with locking chains reproduce them; the
neo-Hookean law, which has none, misses a third of the largest stress. A bar of the fitted rubber, stretched to a point of the
curve, is in equilibrium with the force of the curve, and its sides are free of stress.
"""

from pathlib import Path

import numpy as np

import supple as sp

DATA = Path(__file__).parent / "data" / "treloar.csv"
SIZE = (0.3, 0.1, 0.1)
LAWS = ("gent-gent", "gent", "neo-hookean")


def main() -> None:
    data = sp.read_stress_data(DATA)
    fits = {law: sp.fit_material(law, data) for law in LAWS}
    for law, fit in fits.items():
        constants = ", ".join(f"{name} {value:.4g} ± {fit.errors[name]:.1g}" for name, value in fit.values.items())
        print(f"{law}: rms {fit.rms / 1e6:.3f} MPa, R^2 {fit.r2:.4f}, AIC {fit.aic:.0f}; {constants}")
    assert [fit.rms / 1e6 for fit in fits.values()] == sorted(fit.rms / 1e6 for fit in fits.values())
    assert abs(fits["gent-gent"].rms / 1e6 - 0.100) < 0.002
    assert abs(fits["gent"].rms / 1e6 - 0.155) < 0.002
    assert abs(fits["neo-hookean"].rms / 1e6 - 0.646) < 0.01

    curves = {law: sp.material_curves(fit.material, ("uniaxial",), (1.0, 7.6)) for law, fit in fits.items()}
    last = {law: float(one["uniaxial"].stress[-1]) / 1e6 for law, one in curves.items()}
    print(
        f"nominal stress at a stretch of 7.6: measured 6.32 MPa, {', '.join(f'{k} {v:.2f}' for k, v in last.items())}"
    )
    assert abs(last["gent-gent"] - 6.32) < 0.4
    assert last["neo-hookean"] < 4.5

    bar = sp.assemble(sp.World([sp.Body(sp.Bar(cells=(6, 2, 2), size=SIZE), fits["gent"].material)], gravity=0.0))
    curve = curves["gent"]["uniaxial"]
    twice = int(np.argmin(np.abs(curve.amount - 2.0)))
    X = bar.mesh.vertices
    forces = bar.system.potential.gradient(X @ curve.F[twice].T)
    right = X[:, 0] > X[:, 0].max() - 1e-9
    held = forces[right, 0].sum()
    print(
        f"a bar of {SIZE[1]:g} m by {SIZE[2]:g} m, {curve.amount[twice]:.2f} times as long as at rest, is held by {held:.0f} N"
    )
    assert abs(held - curve.stress[twice] * SIZE[1] * SIZE[2]) < 1e-6 * held
    assert np.abs(forces[:, 1:]).max() < 1e-6 * held  # its sides are free
    assert curve.is_whole(curve.stable)
    assert curve.is_whole(curve.elliptic)


if __name__ == "__main__":
    main()
