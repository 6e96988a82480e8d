"""Noether's theorem in discrete time: a free neo-Hookean bar keeps its momenta to rounding, and its energy does not drift."""

import numpy as np
import pytest

from builders import Setup
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.method import Method
from supple.integrators.variational.steps import Variational
from supple.loop import simulate
from supple.materials.mooney_rivlin import ModifiedNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar


def bar() -> Setup:
    """24 tets, stretched, spinning and drifting."""
    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5), origin=(-1.0, -0.25, -0.25), tets=6).mesh()
    X = mesh.vertices
    x = X * [1.1, 0.98, 0.97]
    v = np.cross([0.3, 1.0, 2.0], x) + np.array([0.2, 0.5, -0.1])
    solid = Solid(X, mesh.tets, ModifiedNeoHookean(3e3, 1.5e4))
    return build_system(X, lumped_mass(mesh, density=1000.0), [solid]), State(0.0, x, v)


def check(method: Method, steps: int) -> None:
    """dP/P <= 1e-11, dL/L <= 1e-10, energy within 1e-4, and its mean the same in the first and the last tenth."""
    system, start = bar()
    P, L, E = [], [], []
    for frame in simulate(system, method, start, 0.004, steps):
        E.append(frame.ledger.energies.total)
        if frame.step % 50 == 0:
            p, spin = momenta(system, frame.state)
            P.append(p)
            L.append(spin)
    for values, allowed in ((np.array(P), 1e-11), (np.array(L), 1e-10)):
        assert np.linalg.norm(values - values[0], axis=1).max() <= allowed * np.linalg.norm(values[0])
    energy = np.array(E) / E[0] - 1.0
    assert np.abs(energy).max() <= 1e-4
    tenth = steps // 10
    assert abs(energy[-tenth:].mean() - energy[1 : tenth + 1].mean()) <= 1e-5
    assert np.ptp(energy) > 1e-6  # it does oscillate


@pytest.mark.parametrize("method", [Verlet(), Variational(rule="trapezoidal")], ids=lambda m: m.name)
def test_a_free_bar_keeps_its_momenta(method: Method) -> None:
    check(method, 1000)


@pytest.mark.study
def test_a_free_bar_keeps_its_momenta_for_a_long_time() -> None:
    check(Verlet(), 100_000)
