"""Ether drag: derivatives, the decay it promises, and a ledger that closes."""

import numpy as np
import pytest

from builders import run
from supple.damping.drag import Drag
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.springs.springs import StVKSprings
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF

RNG = np.random.default_rng(3)
MASS = np.array([0.5, 1.0, 2.0])
X = np.array([[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.3, 0.9, 0.2]])
EDGES = np.array([[0, 1], [1, 2], [0, 2]], dtype=np.int32)


def test_derivatives() -> None:
    term, v, d = Drag(MASS, 0.7), RNG.standard_normal((3, 3)), RNG.standard_normal((3, 3))
    slope = (term.element_values(v + 1e-4 * d) - term.element_values(v - 1e-4 * d)) / 2e-4
    gradient = term.element_gradients(v)[:, 0]
    assert np.abs(gradient).max() > 0.1
    np.testing.assert_allclose(slope, (gradient * d).sum(axis=1), rtol=1e-9)
    change = (term.element_gradients(v + d) - term.element_gradients(v - d))[:, 0] / 2
    np.testing.assert_allclose(change, np.einsum("mij,mj->mi", term.element_hessians(v), d), rtol=1e-12)


def test_a_free_body_slows_down_at_the_rate() -> None:
    system = build_system(X, MASS, [], dissipation=[Drag(MASS, 2.0)])
    frames = run((system, State(0.0, X, np.ones((3, 3)))), AVF(), 1e-3, 500)
    np.testing.assert_allclose(frames[-1].state.v, np.exp(-1.0), rtol=1e-6)


@pytest.mark.parametrize("eta", [0.5, 5.0])
def test_the_ledger_closes_under_avf(eta: float) -> None:
    system = build_system(X, MASS, [StVKSprings(X, EDGES, 50.0)], dissipation=[Drag(MASS, eta)])
    frames = run((system, State(0.0, X * 1.3, RNG.standard_normal((3, 3)))), AVF(), 0.02, 60)
    start, end = frames[0].ledger, frames[-1].ledger
    assert end.energies.total < 0.9 * start.energies.total
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * start.energies.total


@pytest.mark.parametrize("eta", [-1.0, np.nan, np.inf])
def test_a_rate_that_makes_no_sense(eta: float) -> None:
    with pytest.raises(SuppleError, match="not negative"):
        Drag(MASS, eta)
