"""Temporary springs: what they are in a step and between steps, and how far the energy drifts with them."""

import numpy as np
import pytest

from builders import Setup, at_rest, run, totals
from supple.contact.laws import Quadratic
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.repulsion import Repulsion
from supple.contact.obstacles.shapes import BoxShape, Shape, SphereShape
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.instant import Instant
from supple.integrators import INTEGRATORS
from supple.solvers.tools import StepTools
from supple.types import Array

METHODS = INTEGRATORS.load()
DOWN = np.array([0.0, -9.8, 0.0])


def falling_point(k: float, method: str, h: float, seconds: float) -> Array:
    """H/H0 of a point of 1 kg that falls from 1 m."""
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    system = build_system(x, mass, [Gravity(mass, DOWN), Repulsion(HalfSpace(), k, [0])])
    return totals(run((system, at_rest(x)), METHODS[method](), h, round(seconds / h)))


@pytest.mark.parametrize(
    ("k", "rate", "end"),
    [
        (200.0, 30, 1.673),
        pytest.param(200.0, 100, 0.991, marks=pytest.mark.study),
        (2000.0, 30, 0.553),
        pytest.param(2000.0, 100, 2.216, marks=pytest.mark.study),
    ],
)
def test_energy_drifts_as_documented(k: float, rate: int, end: float) -> None:
    """After 10 s, by AVF, which keeps the energy within each step."""
    H = falling_point(k, "avf", 1 / rate, 10.0)
    assert H[-1] == pytest.approx(end, abs=1e-3)


def test_energy_is_kept_while_nothing_comes_or_goes() -> None:
    """All jumps are at the ends of steps that enter or leave."""
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    system = build_system(x, mass, [Gravity(mass, DOWN), Repulsion(HalfSpace(), 200.0, [0])])
    frames = run((system, at_rest(x)), METHODS["avf"](), 1 / 100, 100)
    inside = np.array([frame.state.x[0, 1] < 0.0 for frame in frames])
    jumps = np.abs(np.diff([frame.ledger.energies.total for frame in frames])) / 9.8
    stays = inside[1:] == inside[:-1]
    assert inside.sum() >= 10
    assert jumps[stays].max() <= 1e-14
    assert jumps[~stays].min() > 1e-6


def test_the_ledger_shows_the_springs_of_the_state_itself() -> None:
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    system = build_system(x, mass, [Gravity(mass, DOWN), Repulsion(HalfSpace(), 200.0, [0])])
    for frame in run((system, at_rest(x)), METHODS["avf"](), 1 / 30, 60):
        y = frame.state.x[0, 1]
        assert frame.ledger.energies.other == pytest.approx(200.0 * min(y, 0.0) ** 2, rel=1e-14, abs=0.0)


@pytest.mark.parametrize(
    "shape",
    [
        HalfSpace((0.0, 0.1, 0.0), (0.1, 1.0, 0.2)),
        SphereShape((0.0, 0.0, 0.0), 0.7),
        BoxShape((0.1, 0.0, 0.0), (1.2, 0.9, 1.4)),
    ],
)
def test_frozen_springs(shape: Shape) -> None:
    """Equal to the one-sided penalty, force included, where they were frozen; quadratic, from both sides, elsewhere."""
    generator = np.random.default_rng(3)
    x = generator.uniform(-0.8, 0.8, (40, 3))
    weights = generator.uniform(0.5, 2.0, 40)
    term = Repulsion(shape, 30.0, np.arange(40), weights, 0.01)
    live = ObstacleContact(shape, Quadratic(30.0), np.arange(40), weights, 0.01)
    springs = term.freeze(Instant(x, x + 1.0, 0.0, 0.1))
    d = live.gaps(x)
    assert 5 < (d < 0.0).sum() < 35
    np.testing.assert_array_equal(springs.elements, live.elements)
    np.testing.assert_allclose(springs.element_values(x), live.element_values(x), rtol=1e-13)
    np.testing.assert_allclose(springs.element_gradients(x), live.element_gradients(x), rtol=1e-12, atol=1e-13)
    n = live.shape.outward(x)
    out = springs.element_values(x - 2.0 * d[:, None] * n)  # as far outside as it was inside
    np.testing.assert_allclose(out, springs.element_values(x), rtol=1e-10)
    p = generator.normal(size=x.shape)
    slope = np.einsum("mai,mi->m", springs.element_gradients(x + 0.5 * p), p)
    np.testing.assert_allclose(springs.element_values(x + p) - springs.element_values(x), slope, rtol=0, atol=1e-11)
    bend = np.einsum("mij,mj->mi", springs.element_hessians(x), p)
    turned = springs.element_gradients(x + p) - springs.element_gradients(x)
    np.testing.assert_allclose(turned[:, 0], bend, rtol=0, atol=1e-11)


def bar_on_the_ground() -> Setup:
    x = np.array([[0.0, -0.05, 0.0], [0.3, 0.4, 0.0]])
    mass = np.array([1.0, 2.0])
    system = build_system(x, mass, [Gravity(mass, DOWN), Repulsion(HalfSpace(), 300.0, [0, 1])])
    return system, State(0.0, x, np.array([[1.0, -1.0, 0.5], [0.0, 0.0, 0.0]]))


@pytest.mark.parametrize("name", ["avf", "backward-euler", "bdf2", "generalized-alpha", "yoshida"])
def test_steps_freeze_and_leave_the_system_as_it_was(name: str) -> None:
    system, start = bar_on_the_ground()
    method = METHODS[name]()
    tools = StepTools(system)
    before = tools.energies(start)
    new, _, _ = method.advance(system, start, method.start(system, start), 0.1, tools)
    assert tools.energies(start) == before
    depth = min(new.x[0, 1], 0.0)
    assert tools.energies(new).other == pytest.approx(300.0 * depth**2, rel=1e-13)
    assert abs(new.x[0, 0] - 0.1) <= 1e-12  # the springs let it slide
    assert new.x[0, 1] > -0.05 - 0.1 - 0.049 + 0.05  # higher than without them


def test_explicit_methods_see_the_one_sided_penalty() -> None:
    system, start = bar_on_the_ground()
    penalty = build_system(
        start.x, system.mass, [Gravity(system.mass, DOWN), ObstacleContact(HalfSpace(), Quadratic(300.0), [0, 1])]
    )
    ends = [run((s, start), METHODS["verlet"](), 0.01, 30)[-1].state for s in (system, penalty)]
    np.testing.assert_array_equal(ends[0].x, ends[1].x)
    assert ends[0].x[0, 1] > 0.0


def test_a_spring_stays_until_its_vertex_is_outside_and_moves_away() -> None:
    term = Repulsion(HalfSpace(), 200.0, [0, 1, 2, 3])
    x = np.array([[0.0, y, 0.0] for y in (-0.1, 0.1, 0.1, 0.1)])
    v = np.array([[0.0, s, 0.0] for s in (1.0, 1.0, -1.0, -1.0)])
    before = np.array([False, True, True, False])
    np.testing.assert_array_equal(term.held(x, v, before), [True, False, True, False])
    np.testing.assert_array_equal(term.held(x, v, None), [True, False, False, False])
    assert term.pulling(x, np.array([1.0, 0.0, 1.0, 0.0])) == pytest.approx(200.0 * 0.01)


@pytest.mark.parametrize(
    ("k", "rate"), [(200.0, 30), (2000.0, 30), pytest.param(2000.0, 100, marks=pytest.mark.study), (2e4, 30)]
)
def test_the_ledger_books_springs_that_come_and_go(k: float, rate: int) -> None:
    """The drift of AVF is nothing but the energies of springs at their creation less those at their removal."""
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    system = build_system(x, mass, [Gravity(mass, DOWN), Repulsion(HalfSpace(), k, [0])])
    last = run((system, at_rest(x)), METHODS["avf"](), 1 / rate, 5 * rate)[-1].ledger
    assert abs(last.residual) > 1e-3
    assert abs(last.residual - last.springs) < 1e-11 * 9.8


def test_springs_that_pull_outside_are_part_of_the_energy() -> None:
    """Outside and moving in: the spring is still there, in the memory, in the energy and in the next step."""
    x, mass = np.array([[0.0, -0.02, 0.0]]), np.ones(1)
    system = build_system(x, mass, [Repulsion(HalfSpace(), 200.0, [0])])
    method, tools = METHODS["backward-euler"](), StepTools(system)
    memory = {"springs": np.ones(1)}
    state = State(0.0, np.array([[0.0, 0.01, 0.0]]), np.array([[0.0, -0.5, 0.0]]))
    assert method.energies(system, state, memory, tools).other == pytest.approx(200.0 * 1e-4)
    held, _, _ = method.advance(system, state, memory, 0.01, tools)
    free, _, _ = method.advance(system, state, {}, 0.01, tools)
    assert held.v[0, 1] < free.v[0, 1] == pytest.approx(-0.5)
