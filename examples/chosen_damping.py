"""Requested damping compared with numerical damping.

A stretched bar is released three times: with AVF, with AVF and dampers along its edges, and with backward Euler. The ledger
separates the losses: energy dissipated by dampers is `dissipated`, the numerical loss is `residual`.
"""

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import unique_edges

DURATION = 0.5


def lost(method: Integrator, damping: float, steps: int) -> tuple[float, float]:
    """Shares of the energy that dampers [N s/m] took and that the numerics lost."""
    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5)).mesh()
    X = mesh.vertices
    # A dissipation is an energy term of velocities: springs without rest length there are linear dampers.
    dampers = [HookeSprings(np.zeros_like(X), unique_edges(mesh.tets), damping)] if damping else []
    solid = Solid(X, mesh.tets, StVK.from_young(2e4, 0.3))
    system = build_system(X, lumped_mass(mesh, density=500.0), [solid], dissipation=dampers)
    stretched = State(0.0, X * [1.1, 1.0, 1.0], np.zeros_like(X))
    *_, last = simulate(system, method, stretched, DURATION / steps, steps)
    return last.ledger.dissipated / last.ledger.initial, -last.ledger.residual / last.ledger.initial


def main() -> None:
    print(f"{'method':<16} {'step':>6} {'requested':>10} {'numerical':>10}")
    found = {}
    for name, method, damping in (
        ("AVF", AVF(), 0.0),
        ("AVF, dampers", AVF(), 30.0),
        ("backward Euler", BackwardEuler(), 0.0),
    ):
        for steps in (30, 60):
            found[name, steps] = lost(method, damping, steps)
            print(f"{name:<16} {f'1/{steps * 2}':>6} {found[name, steps][0]:>10.4f} {found[name, steps][1]:>10.1e}")
    for steps in (30, 60):
        assert found["AVF", steps][0] == 0
        assert abs(found["AVF", steps][1]) < 1e-11
        assert abs(found["AVF, dampers", steps][1]) < 1e-11
        assert found["backward Euler", steps][0] == 0
    # Requested damping hardly depends on the step; numerical damping of backward Euler does.
    assert abs(found["AVF, dampers", 60][0] / found["AVF, dampers", 30][0] - 1) < 0.05
    assert found["backward Euler", 60][1] < 0.85 * found["backward Euler", 30][1]
    assert found["backward Euler", 60][1] > 0.3


if __name__ == "__main__":
    main()
