"""A rubber sphere full of air, struck on one side: AVF conserves the energy of rubber and air, backward Euler does not."""

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import build_system
from supple.energies.areas.whole_measure import Gas, enclosed_volume
from supple.energies.membranes.membrane import Membrane
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import simulate
from supple.materials.membranes.laws import RubberMembrane
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.surface import Sphere

THICKNESS = 3e-4


def struck(method: Integrator) -> tuple[float, float]:
    """Energy that is left after a tenth of a second, and the largest pressure over that outside [Pa]."""
    mesh = Sphere(radius=0.1, subdivisions=2).mesh()
    X = mesh.vertices
    rubber = Membrane(X, mesh.triangles, RubberMembrane(young=1.2e6), THICKNESS)
    air = enclosed_volume(X, mesh.triangles, Gas(pressure=101_925.0, ambient=101_325.0, exponent=1.4))
    system = build_system(X, lumped_mass(mesh, density=1000.0 * THICKNESS), [rubber, air])
    v = np.zeros_like(X)
    v[:, 0] = 4.0 * np.exp(-((X[:, 0] + 0.1) ** 2) / 0.05**2)
    frames = list(simulate(system, method, State(0.0, X, v), h=1 / 240, steps=24))
    left = frames[-1].ledger.energies.total / frames[-1].ledger.initial
    return left, max(air.pressure(frame.state.x) for frame in frames)


def main() -> None:
    kept, high = struck(AVF())
    eaten, _ = struck(BackwardEuler())
    print(f"AVF            keeps {kept:.9f} of the energy; pressure of up to {high:.0f} Pa")
    print(f"backward Euler keeps {eaten:.9f}")
    assert abs(kept - 1.0) < 1e-9
    assert eaten < 0.25
    assert 800.0 < high < 1100.0


if __name__ == "__main__":
    main()
