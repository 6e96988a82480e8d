"""Energy-conserving springs: the ledger of every spring, single springs over long runs, and the systems of the notes.

Systems and figures: numerics notes on Su, Sheth and Fedkiw 2013; all springs have k = 20 N, masses 1 kg, h = 1/24 s.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from builders import Setup, accepted, at_rest, four_nodes, hold, run, spring_sheet, stretched_bar
from supple.constraints.motion import Motion
from supple.constraints.scripts import Translate
from supple.dynamics.invariants import energies, kinetic_energy, momenta
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.springs.generalised import (
    altitude_springs,
    axial_bending_springs,
    edge_springs,
    zero_length_springs,
)
from supple.energies.springs.springs import HookeSprings
from supple.errors import SuppleError
from supple.integrators.explicit.runge_kutta import RK4
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.springs import link_forces
from supple.integrators.springs.conserving_springs import ConservingSprings
from supple.mesh.topology import unique_edges
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

H = 1 / 24
LINE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])


def pairs(*ends: tuple[int, int]) -> np.ndarray:
    return np.array(ends, np.int32)


def rotating() -> Setup:
    X = LINE[:2]
    return build_system(X, np.ones(2), [edge_springs(X, pairs((0, 1)), 20.0)]), State(
        0.0, X, np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    )


def two_springs(pinned: bool) -> Setup:
    x = LINE + ([[0.0], [0.4], [0.0]] if pinned else [[-0.3], [0.0], [0.5]]) * np.array([1.0, 0.0, 0.0])
    motion = Motion((hold([0, 2], x),)) if pinned else None
    return build_system(LINE, np.ones(3), [edge_springs(LINE, pairs((0, 1), (1, 2)), 20.0)], motion), at_rest(x)


def hanging() -> Setup:
    X = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    x = X * 1.5
    terms = [edge_springs(X, pairs((0, 1)), 20.0), Gravity(np.ones(2), np.array([0.0, 0.0, -9.8]))]
    return build_system(X, np.ones(2), terms, Motion((hold([0], x),))), at_rest(x)


def three_pinned() -> Setup:
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-0.5, 0.87, 0.0], [-0.5, -0.87, 0.0]])
    v = np.zeros((4, 3))
    v[0] = 0.8, 0.8, 0.0
    springs = edge_springs(X, pairs((0, 1), (0, 2), (0, 3)), 20.0)
    return build_system(X, np.ones(4), [springs], Motion((hold([1, 2, 3], X),))), State(0.0, X, v)


def tet(altitudes: bool = True) -> Setup:
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.4, 0.9, 0.0], [0.45, 0.3, 0.8]])
    cell = np.array([[0, 1, 2, 3]], np.int32)
    terms: list[Any] = [edge_springs(X, unique_edges(cell), 20.0)]
    terms += [altitude_springs(X, cell, 20.0)] if altitudes else []
    return build_system(X, np.ones(4), terms), at_rest(X * [1.3, 1.0, 0.8])


def two_triangles() -> Setup:
    X = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.9, 0.5, 0.0], [0.9, 0.5, 0.0]])
    triangles = np.array([[0, 1, 2], [1, 0, 3]], np.int32)
    v = np.zeros((4, 3))
    v[:2, 2] = 1.0
    terms = [edge_springs(X, unique_edges(triangles), 20.0), axial_bending_springs(X, triangles, 5.0)]
    return build_system(X, np.ones(4), terms, Motion((hold([2, 3], X),))), State(0.0, X, v)


@dataclass(frozen=True)
class Path:
    """Energies of a run, relative to that in play at the start, and how far the ledger is from it."""

    energy: Array
    mismatch: float
    states: list[State]
    blown_up: bool = False

    @property
    def largest(self) -> float:
        return float(np.abs(self.energy).max())


def path(setup: Setup, method: Any, h: float, steps: int) -> Path:
    """Steps without the loop, which would cost more than they do. Stops when the energy has grown tenfold."""
    system, state = setup
    tools, memory = StepTools(system, SolverOptions(tolerance=1e-15)), method.start(system, state)

    def total(state: State) -> float:
        potential = sum(float(term.element_values(state.x).sum()) for term in system.potential.terms)
        return kinetic_energy(system, state.v) + potential

    first, scale = total(state), energies(system, state).scale
    found, mismatch, states = [0.0], 0.0, [state]
    for _ in range(steps):
        state, memory, _ = method.step(system, state, memory, h, tools)
        found.append((total(state) - first) / scale)
        states.append(state)
        if "residual" in memory:
            mismatch = max(mismatch, abs(memory["residual"].sum() / scale - found[-1]) / max(1.0, abs(found[-1])))
        if found[-1] > 10.0:
            break
    return Path(np.array(found), mismatch, states, found[-1] > 10.0)


OMEGAS = (0.12, 0.51, 1.2, 2.4, 6.3)


def oscillators(held: bool = False) -> Setup:
    """Springs of length 1 m that do not touch each other, stretched by half, with these omega h for h = 1/24."""
    count = len(OMEGAS)
    X = np.zeros((2 * count, 3))
    X[1::2, 0] = 1.0
    X[:, 1] = np.repeat(np.arange(count), 2)
    x = X.copy()
    x[1::2, 0] = 1.5
    kappa = (np.array(OMEGAS) / H) ** 2 / (1.0 if held else 2.0)
    springs = HookeSprings(X, np.arange(2 * count, dtype=np.int32).reshape(-1, 2), kappa)
    motion = Motion((hold(np.arange(0, 2 * count, 2), x),)) if held else None
    return build_system(X, np.ones(2 * count), [springs], motion), at_rest(x)


def spring_by_spring(setup: Setup, method: ConservingSprings, steps: int) -> tuple[Array, Array]:
    """Energies (steps, springs) relative to the first, and lengths."""
    system, state = setup
    (springs,) = system.potential.terms
    inertia = np.zeros((system.n, 1))
    inertia[system.free] = 0.5 * system.mass[system.free, None]
    tools, memory = StepTools(system), method.start(system, state)
    energy, length = [], []
    for _ in range(steps):
        energy.append(springs.element_values(state.x) + (inertia * state.v**2).sum(axis=1).reshape(-1, 2).sum(axis=1))
        length.append(state.x[1::2, 0] - state.x[::2, 0])
        state, memory, _ = method.step(system, state, memory, H, tools)
    return np.array(energy) / energy[0], np.array(length)


@pytest.mark.parametrize("steps", [1_000, pytest.param(20_000, marks=pytest.mark.study)])
def test_single_springs_keep_their_energy(steps: int) -> None:
    energy, length = spring_by_spring(oscillators(), ConservingSprings(), steps)
    assert np.abs(energy - 1.0).max() <= 1e-11
    np.testing.assert_allclose(length.min(axis=0), 0.5, atol=1e-3)
    np.testing.assert_allclose(length.max(axis=0), 1.5, atol=1e-3)


def test_so_do_springs_with_one_end_held() -> None:
    energy, _ = spring_by_spring(oscillators(held=True), ConservingSprings(), 400)
    assert np.abs(energy - 1.0).max() <= 2e-12


def test_the_published_root_brings_springs_to_a_stop() -> None:
    """It freezes the length in a few steps at omega h = .51 and 1.2, and for ever from 2.4 on; energy is kept all the same."""
    energy, length = spring_by_spring(oscillators(), ConservingSprings(root="analytic"), 1000)
    frozen = (np.abs(np.diff(length, axis=0)) < 1e-13).mean(axis=0)
    assert np.abs(energy - 1.0).max() <= 1e-11
    assert frozen[0] == 0.0
    assert 0.001 < frozen[1] < 0.1
    assert 0.01 < frozen[2] < 0.2
    np.testing.assert_array_equal(frozen[3:] > 0.99, True)
    assert length[-1, 3:] == pytest.approx([0.9, 1.5], abs=0.02)


def test_a_spring_of_rest_length_zero_needs_no_direction() -> None:
    """In three dimensions, spinning, and through its zero."""
    X = np.array([[0.0, 0.0, 0.0], [0.4, -0.3, 0.2], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    springs = zero_length_springs(4, pairs((0, 1), (2, 3)), 20.0, 0.5)
    v = np.array([[0.0, 0.0, 0.0], [0.3, 1.0, -0.8], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    found = path((build_system(X, np.ones(4), [springs]), State(0.0, X, v)), ConservingSprings(), H, 500)
    assert found.largest <= 2e-12
    system = build_system(X, np.ones(4), [springs])
    L = np.array([momenta(system, s)[1] for s in found.states[::25]])
    assert np.abs(L - L[0]).max() <= 1e-11


def test_the_work_of_a_moving_end_is_booked() -> None:
    X = LINE[:2]
    motion = Motion((hold([0], X, Translate((0.3, 0.4, 0.0))),))
    gravity = Gravity(np.ones(2), np.array([0.0, 0.0, -9.8]))
    for terms in ([], [gravity]):
        system = build_system(X, np.ones(2), [edge_springs(X, pairs((0, 1)), 20.0), *terms], motion)
        frames = run((system, at_rest(X)), ConservingSprings(), H, 100)
        scale = max(f.ledger.energies.scale for f in frames)
        assert abs(frames[-1].ledger.external_work) > 0.01
        tools, method = StepTools(system), ConservingSprings()
        state, memory, work = frames[0].state, method.start(system, frames[0].state), 0.0
        for frame in frames[1:]:
            state, memory, report = method.step(system, state, memory, H, tools)
            assert abs(memory["residual"].sum() - frame.ledger.residual) <= 1e-13 * scale
            work += report.mean_gradient[0] @ np.array([0.3, 0.4, 0.0]) * H
        assert work == pytest.approx(frames[-1].ledger.external_work, rel=1e-11)


CASES: dict[str, tuple[Callable[[], Setup], float | None, float]] = {
    # largest change of the energy with frozen directions (None: blows up), and with the budget
    "two springs, free": (lambda: two_springs(False), 1e-13, 1e-13),
    "two springs, pinned": (lambda: two_springs(True), 1e-13, 1e-13),
    "spring and gravity": (hanging, 1e-13, 1e-13),
    "rotating spring": (rotating, None, 0.05),
    "three pinned springs": (three_pinned, 0.4, 3e-3),
    "tet with altitudes": (tet, None, 0.3),
    "two triangles that bend": (two_triangles, None, 0.1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_systems_of_the_notes(name: str) -> None:
    setup, _, budget = CASES[name]
    found = path(setup(), ConservingSprings(), H, 200)
    assert not found.blown_up
    assert found.largest <= budget
    assert found.mismatch <= 1e-12


SLOW = {"two triangles that bend"}
"""Systems that take more than a thousand steps to blow up."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.study if n in SLOW else ()) for n in CASES])
def test_the_systems_of_the_notes_without_the_budget(name: str) -> None:
    setup, frozen, _ = CASES[name]
    bare = path(setup(), ConservingSprings(balance=False), H, 1500 if frozen is None else 200)
    assert bare.mismatch <= 1e-12
    assert bare.blown_up == (frozen is None)
    if frozen is not None:
        assert bare.largest <= frozen


def test_without_budget_three_pinned_springs_drift() -> None:
    assert path(three_pinned(), ConservingSprings(balance=False), H, 600).largest > 0.1


def test_the_ledger_is_the_energy_while_altitudes_take_turns() -> None:
    system, start = tet()
    found = path((system, start), ConservingSprings(), H, 200)
    altitudes = system.potential.terms[1]
    active = np.array([altitudes.active(s.x)[0] for s in found.states])
    assert (np.diff(active) != 0).sum() > 25
    assert found.mismatch <= 1e-13
    assert abs(found.energy[-1]) <= 0.1
    P = np.array([momenta(system, s)[0] for s in found.states[::20]])
    assert np.abs(P).max() <= 1e-12


def test_the_discrete_gradient_spring_is_exact() -> None:
    """simo-tarnow on a rotating spring and a tet of six springs, side by side."""
    (one, spin), (six, swing) = rotating(), tet(altitudes=False)
    terms = [one.potential.terms[0], six.potential.terms[0]]
    x, v = np.concatenate([spin.x, swing.x]), np.concatenate([spin.v, swing.v])
    terms[1].elements += np.int32(2)
    system = build_system(x, np.ones(6), terms)
    found = path((system, State(0.0, x, v)), SimoTarnow(), H, 200)
    assert found.largest <= 1e-12
    kept = [momenta(system, s) for s in found.states[::10]]
    assert np.abs(kept[0][1]).max() > 0.5
    for k in (0, 1):
        assert max(np.abs(m[k] - kept[0][k]).max() for m in kept) <= 1e-12


def test_the_discrete_gradient_of_a_single_altitude_is_exact_too() -> None:
    """A triangle held in shape by edges and the altitude that stays the shortest."""
    X = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.9, 0.6, 0.0]])
    cell = np.array([[0, 1, 2]], np.int32)
    terms = [edge_springs(X, unique_edges(cell), 20.0), altitude_springs(X, cell, 20.0)]
    system = build_system(X, np.ones(3), terms)
    v = np.array([[0.0, 0.5, 0.3], [0.0, -0.5, 0.2], [0.4, 0.0, -0.6]])
    frames = run((system, State(0.0, X * [1.05, 0.9, 1.0], v)), SimoTarnow(), H, 80, tolerance=1e-15)
    assert all((terms[1].active(f.state.x) == terms[1].active(X)).all() for f in frames)
    energy = np.array([f.ledger.energies.total for f in frames])
    assert np.abs(energy / energy[0] - 1.0).max() <= 1e-12
    kept = np.array([momenta(system, f.state)[1] for f in frames])
    assert np.abs(kept - kept[0]).max() <= 1e-12


def test_hooke_forces_in_the_same_scheme_gain_energy() -> None:
    system, state = oscillators()
    first = energies(system, state).total
    for _ in range(2000):
        a, h = system.acceleration(state), 0.01
        state = State(0.0, state.x + h * state.v + 0.5 * h * h * a, state.v + h * a)
        if energies(system, state).total > 1e6 * first:
            return
    pytest.fail("the energy should have grown a millionfold")


def order(budget: bool, steps: tuple[int, int], damping: float = 0.0) -> Array:
    """Observed orders of position and velocity of falling, spinning springs, against rk4."""
    ends = [
        run(four_nodes(damping, hooke=True), method, 0.5 / n, n, tolerance=1e-12)[-1].state
        for method, n in ((RK4(), 60), *((ConservingSprings(balance=budget), n) for n in steps))
    ]
    gaps = [[np.abs(s.x - ends[0].x).max(), np.abs(s.v - ends[0].v).max()] for s in ends[1:]]
    return np.log2(np.array(gaps[0]) / gaps[1]) / np.log2(steps[1] / steps[0])


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_order_one(damping: float) -> None:
    """Clean without the budget; with it velocities jump where a spring hardly moves, so only over a wide range, and at least."""
    np.testing.assert_allclose(order(False, (80, 160), damping), 1.0, atol=0.15)
    assert (order(True, (20, 160), damping) > 0.75).all()


def test_dissipated_energy_is_booked() -> None:
    """Residual of the ledger and sum of the residuals of all springs are the same number."""
    system, start = four_nodes(0.3, hooke=True)
    frames = run((system, start), ConservingSprings(), 1 / 60, 60)
    assert frames[-1].ledger.dissipated > 0.01
    method, tools = ConservingSprings(), StepTools(system)
    state, memory = start, method.start(system, start)
    for frame in frames[1:]:
        state, memory, _ = method.step(system, state, memory, 1 / 60, tools)
        assert abs(memory["residual"].sum() - frame.ledger.residual) <= 1e-12 * frames[0].ledger.energies.scale


def test_many_springs_need_the_sparse_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """More links than the dense solver takes; both give the same step."""
    setup = spring_sheet(8, hooke=True)
    assert len(setup[0].potential.terms[0].elements) > link_forces.FEW
    sparse = path(setup, ConservingSprings(), 1 / 400, 5)
    monkeypatch.setattr(link_forces, "FEW", 10_000)
    dense = path(setup, ConservingSprings(), 1 / 400, 5)
    np.testing.assert_allclose(dense.states[5].x, sparse.states[5].x, rtol=0, atol=1e-12)


def test_in_a_net_the_budget_of_single_springs_does_more_harm_than_good() -> None:
    """A sheet that falls and folds for 0.4 s; the ledger is exact all the same."""
    with_budget, without = (
        [
            path(spring_sheet(8, hooke=True), ConservingSprings(balance=budget), h, round(0.4 / h))
            for h in (1 / 100, 1 / 400)
        ]
        for budget in (True, False)
    )
    assert max(p.mismatch for p in (*with_budget, *without)) <= 1e-12
    assert with_budget[0].largest > 0.5
    assert with_budget[1].largest <= 0.1
    assert without[0].largest <= 0.1
    assert without[1].largest <= 0.015


def test_a_spring_that_has_shrunk_to_a_point_remembers_its_direction() -> None:
    X = LINE[:2]
    system = build_system(X, np.ones(2), [edge_springs(X, pairs((0, 1)), 20.0)])
    together = np.zeros((2, 3))
    method, tools = ConservingSprings(), StepTools(system)
    still = State(0.0, together, np.zeros((2, 3)))
    memory = {**method.start(system, still), "direction": np.array([[0.0, 1.0, 0.0]])}
    end = method.step(system, still, memory, H, tools)[0]
    assert end.x[1, 1] > 0.0
    assert np.abs(end.x[:, [0, 2]]).max() == 0.0
    moving = State(0.0, together, np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.5]]))
    end = method.step(system, moving, method.start(system, moving), H, tools)[0]
    assert end.x[1, 2] > 0.5 * H
    assert np.abs(end.x[:, :2]).max() == 0.0


def test_other_bodies_are_refused() -> None:
    method = ConservingSprings()
    with pytest.raises(
        SuppleError, match=r"conserving-springs is for springs .* found Solid; take .* the material hooke-spring"
    ):
        run(stretched_bar(), method, H, 1)
    with pytest.raises(SuppleError, match="found StVKSprings"):
        run(four_nodes(), method, H, 1)
    assert method.refuses(four_nodes(hooke=True)[0]) == ""
    with pytest.raises(AssertionError, match="refuses every body"):
        accepted(method, four_nodes)
