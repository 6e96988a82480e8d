"""Energies of parts: each term is booked with the part that it belongs to, and their sum is the energy of the system."""

import numpy as np
import pytest

from supple.budget.parts import find_parts
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.springs.springs import HookeSprings

RNG = np.random.default_rng(11)
REST = RNG.standard_normal((6, 3))
TWO_BARS = np.array([[0, 1], [1, 2], [3, 4], [4, 5]], dtype=np.int32)


def springs(edges: np.ndarray, stiffness: float = 3.0) -> HookeSprings:
    return HookeSprings(REST, edges, stiffness)


def test_parts_add_up_to_the_system() -> None:
    system = build_system(REST, np.ones(6), [springs(TWO_BARS), springs(TWO_BARS[2:], 5.0)])
    state = State(0.0, REST + 0.1 * RNG.standard_normal(REST.shape), np.zeros_like(REST))
    total, of_parts = find_parts(system).energies(system, state)
    first = springs(TWO_BARS[:2]).element_values(state.x).sum()
    second = (
        springs(TWO_BARS[2:]).element_values(state.x).sum() + springs(TWO_BARS[2:], 5.0).element_values(state.x).sum()
    )
    np.testing.assert_allclose(of_parts[:, 0], [first, second], rtol=1e-12)
    np.testing.assert_allclose(of_parts[:, 1], of_parts[:, 0], rtol=0)
    assert total.elastic == pytest.approx(first + second, rel=1e-12)


def test_a_term_without_elements_is_booked_with_no_part() -> None:
    none = springs(np.zeros((0, 2), dtype=np.int32))
    system = build_system(REST, np.ones(6), [springs(TWO_BARS), none])
    state = State(0.0, 1.1 * REST, np.zeros_like(REST))
    _, of_parts = find_parts(system).energies(system, state)
    alone = build_system(REST, np.ones(6), [springs(TWO_BARS)])
    np.testing.assert_array_equal(of_parts, find_parts(alone).energies(alone, state)[1])
