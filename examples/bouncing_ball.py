"""A ball that bounces: how high does it come back, with three methods and the same contact?

Contact with a half-space is integrated exactly under AVF, so an impact neither creates nor loses energy. The part that does not
return as height remains in the ball as vibration. Backward Euler loses nearly all of it; the energy budget restores it.
"""

import numpy as np

from supple.budget.energy_budget import EnergyBudget
from supple.contact.barrier_law import Barrier
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import simulate
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.round import Ball

RADIUS, DROP = 0.1, 0.4


def bounce(method: Integrator) -> tuple[float, float]:
    """Height of the first bounce over the drop, and the energy at the end over that at the start."""
    mesh = Ball(radius=RADIUS, centre=(0.0, RADIUS + DROP, 0.0), resolution=2).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    ground = HalfSpaceContact(HalfSpace(), Barrier(kappa=4e6, dhat=0.005), np.arange(mesh.n), weights=1e-2)
    solid = Solid(X, mesh.tets, StableNeoHookean.from_young(1e5, 0.4))
    system = build_system(X, mass, [solid, Gravity(mass, np.array([0.0, -9.81, 0.0])), ground])
    frames = list(simulate(system, method, State(0.0, X, np.zeros_like(X)), 1 / 100, 60))
    heights = np.array([mass @ frame.state.x[:, 1] / mass.sum() for frame in frames])
    assert all(ground.gaps(frame.state.x).min() > 0.0 for frame in frames)
    back = heights[heights.argmin() :].max() - RADIUS
    return float(back) / DROP, frames[-1].ledger.energies.total / frames[-1].ledger.initial


def main() -> None:
    found = {
        "AVF": bounce(AVF()),
        "backward Euler": bounce(BackwardEuler()),
        "... in a budget": bounce(EnergyBudget(BackwardEuler())),
    }
    for name, (height, energy) in found.items():
        print(f"{name:<16} comes back to {height:.2f} of its drop, energy kept {energy:.12f}")
    avf, bare, closed = found.values()
    assert abs(avf[1] - 1) < 1e-11
    assert bare[0] < 0.2 < closed[0]
    assert abs(closed[1] - 1) < 0.02


if __name__ == "__main__":
    main()
