"""Modes: lowest, orthonormal in the mass, the same whether found densely or by Lanczos."""

import numpy as np
import pytest

from builders import SOFT, Setup, dense, pulled_bar, spring_sheet, stretched_bar
from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.linear.modes import Modes, ritz_modes
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.solvers import modes as solver
from supple.solvers.modes import lowest_modes
from supple.work import Work, counted


def free_bar(stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Setup:
    return stretched_bar(SOFT, cells=(5, 3, 3), stretch=stretch)


def held_bar() -> Setup:
    system, state = pulled_bar()
    return system, State(0.0, state.x * 0.0 + _rest(state), state.v)


def _rest(state: State) -> np.ndarray:
    x = state.x.copy()
    x[:, 1] /= 1.6
    x[:, 0] -= 0.5 * (x[:, 1] / 2) ** 2
    return x


SETUPS = {
    "free bar": free_bar,
    "held bar": held_bar,
    "compressed bar": lambda: free_bar((0.6, 1.0, 1.0)),
    "sheet": lambda: spring_sheet(8),
}


@pytest.fixture
def by_lanczos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "DENSE", 0)


def check(setup: Setup, modes: Modes) -> None:
    system, state = setup
    s = modes.count
    flat = modes.vectors.reshape(s, -1)
    np.testing.assert_allclose((flat * np.repeat(system.mass, 3)) @ flat.T, np.eye(s), rtol=0, atol=1e-12)
    held = np.setdiff1d(np.arange(system.n), system.free)
    assert not modes.vectors[:, held].any()
    assert (np.diff(modes.values) >= 0).all()
    linearised = Linearised(system, state)
    root = np.sqrt(system.unknown_mass)
    spectrum = np.linalg.eigvalsh(dense(system, linearised.stiffness) / root[:, None] / root)
    np.testing.assert_allclose(modes.values, spectrum[:s], rtol=0, atol=1e-11 * spectrum[-1])


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.usefixtures("by_lanczos")
def test_lanczos_finds_the_lowest(setup: str) -> None:
    made = SETUPS[setup]()
    check(made, lowest_modes(made[0], made[1].x, 12))


@pytest.mark.parametrize("setup", SETUPS)
def test_small_systems_are_solved_densely(setup: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "DENSE", 10_000)
    made = SETUPS[setup]()
    check(made, lowest_modes(made[0], made[1].x, 12))


@pytest.mark.usefixtures("by_lanczos")
def test_a_free_body_has_six_rigid_modes_and_a_compressed_one_unstable_ones() -> None:
    system, state = free_bar()
    values = lowest_modes(system, state.x, 8).values
    assert (np.abs(values[:6]) <= 1e-6 * values[6]).all()
    assert values[6] > 1.0
    assert lowest_modes(system, state.x * [0.6, 1.0, 1.0], 3).values[0] < -1.0


def test_more_modes_than_unknowns_are_as_many_as_there_are() -> None:
    system, state = spring_sheet(3)
    assert lowest_modes(system, state.x, 1000).count == 3 * len(system.free)
    with pytest.raises(SuppleError, match="at least 1 must be requested, found 0"):
        lowest_modes(system, state.x, 0)


@pytest.mark.usefixtures("by_lanczos")
def test_the_same_bits_every_time() -> None:
    system, state = held_bar()
    one, two = (lowest_modes(system, state.x, 5) for _ in range(2))
    assert np.array_equal(one.vectors, two.vectors)


def test_ritz_modes_know_how_old_they_are() -> None:
    system, state = held_bar()
    modes = lowest_modes(system, state.x, 6)
    same = ritz_modes(Linearised(system, state), modes.vectors)
    assert same.residual <= 1e-10
    np.testing.assert_allclose(same.modes.values, modes.values, rtol=1e-10)
    residuals = []
    for stretch in (1.01, 1.1, 1.4):
        moved = State(0.0, np.ascontiguousarray(state.x * [1.0, stretch, 1.0]), state.v)
        old = ritz_modes(Linearised(system, moved), modes.vectors)
        residuals.append(old.residual)
        flat = old.modes.vectors.reshape(6, -1)
        np.testing.assert_allclose((flat * np.repeat(system.mass, 3)) @ flat.T, np.eye(6), rtol=0, atol=1e-12)
        reduced = flat @ old.image.reshape(6, -1).T
        np.testing.assert_allclose(reduced, np.diag(old.modes.values), rtol=0, atol=1e-9 * np.abs(reduced).max())
    assert 0.0 < residuals[0] < residuals[1] < residuals[2] < 1.0


def test_modes_beyond_the_work_of_a_step_are_refused_before_they_are_computed() -> None:
    system, state = free_bar()
    unknowns = system.pattern.unknowns
    with (
        counted(Work(0, unknowns**3 // solver.CUBES - 1)) as work,
        pytest.raises(SuppleError, match=rf"modes: {unknowns} modes of {unknowns} unknowns take .*request fewer modes"),
    ):
        lowest_modes(system, state.x, 10**18)
    assert work.done == 0
    with counted(Work(0, 10**6)) as work:
        lowest_modes(system, state.x, 3)
    assert work.done < 100
