"""Every run gives the same bits; another number of threads changes only the last digits, by the factorisation."""

import numpy as np
import pytest
from numba import config, get_num_threads

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.integrators.implicit.avf import AVF
from supple.linalg.factors import pardiso
from supple.linalg.threads import FEW, cores, suit_threads, threads, use_threads
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools


def positions(count: int, reuse: str) -> np.ndarray:
    use_threads(count)
    try:
        mesh = Bar(cells=(20, 5, 5), size=(4.0, 1.0, 1.0)).mesh()
        X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
        held = mesh.groups["left"]
        terms = [Solid(X, mesh.tets, StVK.from_young(1e6, 0.4)), Gravity(mass, np.array([0.0, -9.81, 0.0]))]
        system = build_system(X, mass, terms, Motion((Prescribed(held, X[held], Hold()),)))
        tools = StepTools(system, SolverOptions(reuse=reuse))
        *_, last = simulate(system, AVF(), State(0.0, X, np.zeros_like(X)), 1 / 30, 4, tools)
        tools.close()
    finally:
        use_threads(0)
    return np.concatenate([last.state.x, last.state.v])


@pytest.mark.parametrize("reuse", ["never", "always"])
def test_runs_repeat_their_bits_and_agree_for_one_and_two_threads(reuse: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pardiso, "SMALL", 100)  # a body that is quick to compute, with a threaded factorisation
    one, two = positions(1, reuse), positions(2, reuse)
    np.testing.assert_allclose(one, two, rtol=0.0, atol=1e-12)
    assert np.array_equal(one, positions(1, reuse))
    assert np.array_equal(two, positions(2, reuse))


def test_small_systems_get_one_thread_unless_another_number_was_asked_for() -> None:
    try:
        use_threads(0)
        assert [suit_threads(n) for n in (30, FEW - 1, FEW)] == [1, 1, max(1, min(cores(), config.NUMBA_NUM_THREADS))]
        assert suit_threads(30) == threads() == get_num_threads() == 1
        most = use_threads(2)
        assert [suit_threads(n) for n in (30, FEW)] == [most, most]
        build_system(np.zeros((3, 3)), np.ones(3), [])
        assert threads() == most
        use_threads(0)
        build_system(np.zeros((3, 3)), np.ones(3), [])
        assert threads() == 1
    finally:
        use_threads(0)
