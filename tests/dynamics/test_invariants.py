"""Energies, momenta and the ledger."""

import numpy as np
import pytest

from builders import four_nodes, hold, spring_sheet
from supple.constraints.motion import Motion
from supple.constraints.scripts import Translate
from supple.dynamics.invariants import Energies, energies, kinetic_energy, momenta
from supple.dynamics.ledger import Ledger
from supple.dynamics.path import Path
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.dynamics.system import build_system
from supple.energies.springs.springs import StVKSprings
from supple.linalg.quadrature import lobatto


def test_energies_by_column() -> None:
    system, state = four_nodes()
    found = energies(system, state)
    assert found.kinetic == pytest.approx(0.5 * np.sum(system.mass[:, None] * state.v**2))
    assert found.gravity == pytest.approx(9.8 * np.sum(system.mass * state.x[:, 1]))
    assert found.elastic > 0.0
    assert found.other == 0.0
    assert found.total == pytest.approx(found.kinetic + found.elastic + found.gravity)


def test_scale_does_not_vanish_where_the_total_cancels() -> None:
    assert Energies(3.0, 1.0, -4.0, 0.0).total == 0.0
    assert Energies(3.0, 1.0, -4.0, 0.0).scale == 4.0
    assert Energies(0.0, 0.0, -4.0, 0.0).scale == 4.0


def test_momenta() -> None:
    system, state = four_nodes()
    p, L = momenta(system, state)
    np.testing.assert_allclose(p, system.mass @ state.v, rtol=0, atol=1e-15)
    np.testing.assert_allclose(L, np.cross(state.x, system.mass[:, None] * state.v).sum(axis=0))


def test_held_vertices_have_no_inertia() -> None:
    system, state = spring_sheet()
    v = np.zeros_like(state.v)
    v[np.setdiff1d(np.arange(system.n), system.free)] = 5.0
    assert kinetic_energy(system, v) == 0.0
    assert np.array_equal(momenta(system, State(0.0, state.x, v))[0], np.zeros(3))
    assert np.array_equal(system.force(state)[v[:, 0] > 0], np.zeros((4, 3)))


def test_force_is_minus_the_gradients() -> None:
    system, state = four_nodes(0.3)
    wanted = -system.potential.gradient(state.x) - system.dissipation.frozen.gradient(state.v)
    np.testing.assert_allclose(system.force(state), wanted, rtol=1e-14)
    np.testing.assert_allclose(system.acceleration(state), wanted / system.mass[:, None], rtol=1e-14)


def test_path_mean_is_exact_for_quartic_energies() -> None:
    system, state = four_nodes()
    x1 = state.x + np.random.default_rng(1).uniform(-0.5, 0.5, state.x.shape)
    change = sum(system.potential.by_group(x1).values()) - sum(system.potential.by_group(state.x).values())
    assert np.vdot(Path(system.potential, state.x, lobatto(3)).mean_gradient(x1), x1 - state.x) == pytest.approx(
        change, rel=1e-13
    )


def test_ledger_balances() -> None:
    now = Energies(1.0, 2.0, 3.0, 4.0)
    ledger = Ledger(now, initial=9.5, dissipated=0.75, external_work=1.0)
    assert ledger.residual == pytest.approx(10.0 + 0.75 - 1.0 - 9.5)


def test_ledger_books_the_work_of_a_hand_that_stretches_a_spring() -> None:
    x0 = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    spring = StVKSprings(x0, np.array([[0, 1]], np.int32), 4.0)
    motion = Motion((hold([0], x0), hold([1], x0, Translate((0.5, 0.0, 0.0)))))
    system = build_system(x0, np.ones(2), [spring], motion)
    old = State(0.0, x0, np.zeros_like(x0))
    new = State(1.0, motion.place(x0, 1.0), np.zeros_like(x0))
    after = energies(system, new)
    ledger = Ledger(energies(system, old), 0.0).after(system, old, new, StepReport(1.0), after)
    assert ledger.external_work == pytest.approx(0.5 * 4.0 * 1.25**2, rel=1e-14)
    assert abs(ledger.residual) <= 1e-14
