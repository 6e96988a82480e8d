"""The pieces of the budget: the quadratic, rigid motion, free bodies, and a viscous force that turns nothing."""

import numpy as np
import pytest
from spinning import spinning_bar, spinning_springs

from builders import hold
from supple.budget.bodies import find_bodies
from supple.budget.quadratic import stride
from supple.budget.rigid import Rigid
from supple.budget.viscous import viscous_force
from supple.constraints.motion import Motion
from supple.damping.dashpot import Dashpots
from supple.damping.drag import Drag
from supple.dynamics.system import System, build_system
from supple.energies.instant import Instant
from supple.energies.springs.springs import HookeSprings

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("R", [-2.0, -1e-14, 1e-14, 0.3])
@pytest.mark.parametrize("P", [-1.0, 1.0])
def test_the_smaller_root(P: float, R: float) -> None:
    Q = 0.8
    s = stride(P, Q, R)
    roots = np.roots([Q / 2, P, R])
    assert abs(s) <= np.abs(roots).min() * (1 + 1e-6)
    assert Q / 2 * s * s + P * s == pytest.approx(-R, rel=1e-12)


def test_what_cannot_be_taken() -> None:
    s = stride(-1.0, 0.5, 5.0)
    assert s == 2.0
    assert 0.25 * s * s - s == -1.0  # P^2/(2 Q)


def test_at_rest_and_when_nothing_is_owed() -> None:
    assert stride(0.0, 2.0, -1.0) == 1.0
    assert stride(-0.0, 2.0, -1.0) == 1.0
    assert stride(0.0, 2.0, 0.0) == 0.0


def bodies_of(*edges: tuple[int, int], held: tuple[int, ...] = (), dampers: bool = False) -> tuple[System, np.ndarray]:
    X = RNG.standard_normal((8, 3))
    springs = HookeSprings(X, np.array(edges, dtype=np.int32), 1.0)
    motion = Motion((hold(np.array(held, dtype=int), X),)) if held else Motion()
    dissipation = [Drag(np.ones(8), 1.0), Dashpots(springs.elements, 1.0)] if dampers else []
    return build_system(X, np.arange(1.0, 9.0), [springs], motion, dissipation), X


def test_free_bodies() -> None:
    system, _ = bodies_of((0, 1), (1, 2), (4, 3), (5, 6), held=(6,))
    bodies = find_bodies(system)
    assert bodies.count == 2
    assert bodies.label.tolist() == [0, 0, 0, 1, 1, -1, -1, -1]
    assert find_bodies(system) is bodies
    assert bodies.without(np.array([2], np.int32)).label.tolist() == [-1, -1, -1, 0, 0, -1, -1, -1]
    assert bodies.without(np.array([7], np.int32)).count == 2
    assert bodies.without(np.array([0, 4], np.int32)).count == 0


def test_dampers_from_outside() -> None:
    system, x = bodies_of((0, 1), (1, 2), dampers=True)
    outside = system.dissipation.from_outside(Instant(x, x, 0.0, 0.01))
    assert [type(term) for term in outside.terms] == [Drag]


def test_rigid_motion() -> None:
    """A line, a plane triangle and a solid body: v_rig has the momenta, and equals v for a rigid motion."""
    system, x = bodies_of((0, 1), (2, 3), (3, 4), (5, 6), (6, 7))
    bodies = find_bodies(system)
    rigid, v = Rigid(bodies, system.mass, x), RNG.standard_normal(x.shape)
    P, L = rigid.momenta(v)
    again = rigid.momenta(rigid.velocity(P, L))
    np.testing.assert_allclose(again[0], P, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(again[1], L, rtol=1e-9, atol=1e-10)
    turning = np.cross([0.3, -1.0, 2.0], x) + np.array([1.0, 2.0, 3.0])
    same = rigid.velocity(*rigid.momenta(turning))
    np.testing.assert_allclose(same[2:], turning[2:], rtol=0, atol=1e-11)
    push, turn = rigid.net(system.mass[:, None] * np.array([0.0, -9.8, 0.0]))
    np.testing.assert_allclose(push[:, 1], -9.8 * np.array([3.0, 12.0, 21.0]), rtol=1e-13)
    np.testing.assert_allclose(turn, 0.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("setup", [spinning_bar, spinning_springs])
def test_the_viscous_force_takes_energy_and_turns_nothing(setup: object) -> None:
    system, start = setup()
    x = start.x + 0.05 * RNG.standard_normal(start.x.shape)
    v = RNG.standard_normal(x.shape)
    f = viscous_force(system, x, v)
    size = np.abs(f).sum()
    assert (f * v).sum() < -1e-2 * size
    assert np.abs(f.sum(axis=0)).max() <= 1e-13 * size
    assert np.abs(np.cross(x, f).sum(axis=0)).max() <= 1e-13 * size
    rigid = np.cross([1.0, -2.0, 0.5], x) + np.array([1.0, 2.0, 3.0])
    assert np.abs(viscous_force(system, x, rigid)).max() <= 1e-12 * np.abs(f).max()
    np.testing.assert_allclose(viscous_force(system, x, v + rigid), f, rtol=0, atol=1e-11 * np.abs(f).max())
