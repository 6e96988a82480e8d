"""Exponential methods: the reduced forms are the dense formulas, the corrected hybrids are of order 2 and stable, the
printed ones are neither."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from beam import beam_errors
from phase_space import Low, Phase, phi1
from scipy.linalg import expm

from builders import held_beam, run, stretched_bar, totals
from supple.errors import StepFailed
from supple.integrators import INTEGRATORS
from supple.integrators.exponential.ere import ERE
from supple.solvers.modes import lowest_modes

METHODS = INTEGRATORS.load()
HYBRIDS = ["siere", "beere", "sbdf2-ere", "bdf2-ere", "str-sbdf2-ere", "tr-bdf2-ere"]
H = 1 / 60
COUNT = 5


def low_of(phase: Phase, u: np.ndarray, modes: np.ndarray | None = None) -> Low:
    """The split with the modes at u, or with older ones."""
    vectors = lowest_modes(phase.system, phase.state(u).x, COUNT).vectors if modes is None else modes
    return Low(vectors[:, phase.system.free].reshape(len(vectors), -1), phase.system.unknown_mass)


def implicit_stage(phase: Phase, y: np.ndarray, k: float, start: np.ndarray, low: Low | None = None) -> np.ndarray:
    """u = y + k F(u), or y + k H(u) with a split, by Newton's method."""
    rest = np.eye(len(y)) if low is None else np.eye(len(y)) - np.kron(np.eye(2), low.P)
    u = start
    for _ in range(12):
        u = u - np.linalg.solve(np.eye(len(y)) - k * rest @ phase.J(u), u - y - k * rest @ phase.F(u))
    assert np.abs(u - y - k * rest @ phase.F(u)).max() < 1e-12
    return u


def dense_step(name: str, phase: Phase, u0: np.ndarray, before: Any, h: float, modes: Any, printed: bool) -> np.ndarray:
    """One step of a hybrid with matrices of phase space; `printed`: with the published, unstable flows."""
    one, F = np.eye(len(u0)), phase.F
    semi = name in {"siere", "sbdf2-ere", "str-sbdf2-ere"}
    trapezoid = "tr" in name or ("bdf2" in name and before is None)
    u = u0
    if trapezoid and semi:
        u = u0 + np.linalg.solve(one - h / 4 * phase.J(u0), h / 2 * F(u0))
    elif trapezoid:
        u = implicit_stage(phase, u0 + h / 4 * F(u0), h / 4, u0)
    low = low_of(phase, u, modes)
    J = phase.J(u)
    J_G = low.J(J)
    G = low.G(F(u))
    if trapezoid:
        k, y = h / 3, u + (u - u0 + h * phi1((h / 2 if printed else h) * J_G) @ G) / 3
    elif name in {"siere", "beere"}:
        k, y = h, u0 + h * phi1(h * J_G) @ G
    else:
        e = phi1(h * J_G) @ G if printed else 1.5 * phi1(h * J_G) @ G - 0.5 * phi1(-h * J_G) @ G
        k, y = 2 * h / 3, u0 + (u0 - before) / 3 + 2 * h / 3 * e
    if not semi and name != "beere":
        P2 = np.kron(np.eye(2), low.P)
        y = y + k * P2 @ J @ (np.eye(len(u0)) - P2) @ (u - u0 if trapezoid else u0 - before)
    if semi:
        base = y if name == "siere" else u
        return base + np.linalg.solve(one - k * (J - J_G), y - base + k * (F(u) - low.G(F(u))))
    return implicit_stage(phase, y, k, u, low)


def dense_run(
    name: str, phase: Phase, u0: np.ndarray, h: float, steps: int, modes: Any = None, printed: bool = False
) -> np.ndarray:
    """All u of a run."""
    path = [u0]
    for _ in range(steps):
        before = path[-2] if len(path) > 1 else None
        path.append(dense_step(name, phase, path[-1], before, h, modes, printed))
    return np.array(path)


@pytest.mark.parametrize(
    ("old_modes", "damping"),
    [
        (False, 5.0),
        (True, 0.0),
        pytest.param(False, 0.0, marks=pytest.mark.study),
        pytest.param(True, 5.0, marks=pytest.mark.study),
    ],
)
@pytest.mark.parametrize("name", HYBRIDS)
def test_the_reduced_forms_are_the_dense_formulas(name: str, old_modes: bool, damping: float) -> None:
    system, start = held_beam(damping=damping)
    phase = Phase(system, start.x)
    steps = 5 if name[0] == "s" else 3
    # modes of the first step, kept: those at the beginning, or after the first trapezoidal half step
    refresh = {"refresh": "interval", "interval": 1000} if old_modes else {}
    u0 = phase.vector(start)
    modes = None
    if old_modes:
        first = u0
        if "bdf2" in name and name[0] == "s":
            first = u0 + np.linalg.solve(np.eye(len(u0)) - H / 4 * phase.J(u0), H / 2 * phase.F(u0))
        elif "bdf2" in name:
            first = implicit_stage(phase, u0 + H / 4 * phase.F(u0), H / 4, u0)
        modes = lowest_modes(system, phase.state(first).x, COUNT).vectors
    end = run((system, start), METHODS[name](modes=COUNT, **refresh), H, steps, tolerance=1e-13)[-1].state
    wanted = phase.state(dense_run(name, phase, u0, H, steps, modes)[-1])
    assert np.abs(end.x - start.x).max() > 1e-3
    np.testing.assert_allclose(end.x, wanted.x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(end.v, wanted.v, rtol=0, atol=3e-11)


@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_ere_is_the_dense_exponential(damping: float) -> None:
    system, start = held_beam(damping=damping)
    phase = Phase(system, start.x)
    u = phase.vector(start)
    for _ in range(5):
        u = u + H * phi1(H * phase.J(u)) @ phase.F(u)
    for basis in (40, 8):  # whole, and in many pieces
        end = run((system, start), ERE(basis=basis), H, 5)[-1].state
        np.testing.assert_allclose(end.x, phase.state(u).x, rtol=0, atol=1e-12)
        np.testing.assert_allclose(end.v, phase.state(u).v, rtol=0, atol=1e-10)


# -- orders, numerics C5 ---------------------------------------------------------------------------------------------------

BEAM_ORDERS = {
    "ere": (5.4e-7, 1.98, 2.07),
    "siere": (5.7e-4, 0.96, 0.76),
    "beere": (5.7e-4, 0.96, 0.76),
    "sbdf2-ere": (2.2e-5, 1.95, 1.94),
    "bdf2-ere": (2.2e-5, 1.96, 1.95),
    "str-sbdf2-ere": (2.6e-6, 2.00, 1.99),
    "tr-bdf2-ere": (2.5e-6, 1.99, 1.98),
}


@pytest.mark.parametrize("name", BEAM_ORDERS)
def test_orders_on_the_beam(name: str) -> None:
    error, *rates = BEAM_ORDERS[name]
    method = ERE() if name == "ere" else METHODS[name](modes=COUNT)
    coarse, fine = (beam_errors(method, n) for n in (64, 128))
    assert fine[0] == pytest.approx(error, rel=0.05)
    np.testing.assert_allclose(np.log2(coarse / fine), rates, rtol=0, atol=0.03)


@pytest.mark.parametrize("name", ["sbdf2-ere", "str-sbdf2-ere", "bdf2-ere", "tr-bdf2-ere"])
def test_old_modes_keep_the_second_order(name: str) -> None:
    method = METHODS[name](modes=COUNT, refresh="interval", interval=1000)
    steps = 32 if "tr" in name else 64  # with two old values the order shows later
    coarse, fine = (beam_errors(method, n) for n in (steps, 2 * steps))
    np.testing.assert_allclose(np.log2(coarse / fine), 2, rtol=0, atol=0.15)


# -- effects of the printed formulas ------------------------------------------------------------------------------------------


def low_mode_radius(name: str, hw: float, printed: bool) -> float:
    """Spectral radius of a hybrid on a mode that it follows."""
    J = np.array([[0.0, hw], [-hw, 0.0]])
    one = np.eye(2)
    if "str" in name:
        half = np.linalg.solve(one - J / 4, one + J / 4)
        flow = J @ phi1(J / 2 if printed else J)
        T = (4 * half - one + flow @ half) / 3
    else:
        e = J @ phi1(J) if printed else 1.5 * J @ phi1(J) + 0.5 * (expm(-J) - one)
        T = np.block([[(4 * one + 2 * e) / 3, -one / 3], [one, 0 * one]])
    return float(np.abs(np.linalg.eigvals(T)).max())


def test_the_printed_flows_are_unstable_and_ours_are_not() -> None:
    at = [0.05, 0.1, 0.2, 0.5, 1, 2, 3]
    printed22 = [1.001238, 1.004818, 1.017453, 1.068956, 1.114997, 0.976036, 0.626304]
    printed26 = [1.000208, 1.000832, 1.003308, 1.019890, 1.069597, 1.169919, 1.164143]
    ours26 = [1.000000, 0.999999, 0.999978, 0.999165, 0.988051, 0.872886, 0.683568]
    np.testing.assert_allclose([low_mode_radius("sbdf2-ere", x, True) for x in at], printed22, rtol=0, atol=1e-6)
    np.testing.assert_allclose([low_mode_radius("sbdf2-ere", x, False) for x in at], 1, rtol=0, atol=1e-12)
    np.testing.assert_allclose([low_mode_radius("str-sbdf2-ere", x, True) for x in at], printed26, rtol=0, atol=1e-6)
    np.testing.assert_allclose([low_mode_radius("str-sbdf2-ere", x, False) for x in at], ours26, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["sbdf2-ere", "str-sbdf2-ere"])
def test_the_printed_hybrids_gain_energy_on_a_beam(name: str) -> None:
    system, start = held_beam(plucked=True)
    phase = Phase(system, start.x)
    from supple.dynamics.invariants import energies

    def last(printed: bool) -> float:
        path = dense_run(name, phase, phase.vector(start), 1 / 60, 40, printed=printed)
        H = [energies(system, phase.state(u)).total for u in path]
        low = energies(system, run((system, start), METHODS["quasi-static"](), 1.0, 1)[-1].state).total
        return (H[-1] - low) / (H[0] - low)

    assert last(printed=True) > 1.1
    assert last(printed=False) < 1.01


# -- figure 6 of Ascher et al., numerics C6 --------------------------------------------------------------------------------

KEPT = {
    "backward-euler": (0.462, 0.232, 0.056),
    "si": (None, None, 0.056),
    "bdf2": (0.981, 0.961, 0.943),
    "siere": (0.989, 0.986, 0.963),
    "sbdf2-ere": (None, None, 0.951),
    "str-sbdf2-ere": (0.9985, 0.9981, 0.9942),
    "str-sbdf2": (0.9994, 0.9997, 0.9969),
    "sdirk": (0.9994, 0.9978, 0.9967),
    "tr-bdf2": (0.9994, 0.9978, 0.9968),
    "avf": (1.0, 1.0, 1.0),
}
"""Energy above equilibrium that is left after 1.25, 2.5 and 5 s."""


@pytest.fixture(scope="module")
def kept() -> Callable[[str], np.ndarray]:
    setup = held_beam((6, 2, 2), (4.0, 0.5, 0.5), 1e5, plucked=False)
    low = run(setup, METHODS["quasi-static"](), 1.0, 1)[-1].ledger.energies.total

    def measure(name: str) -> np.ndarray:
        H = np.array([f.ledger.energies.total for f in run(setup, METHODS[name](), 1 / 30, 150)])
        return ((H - low) / (H[0] - low))[[38, 75, 150]]

    return measure


RANKED = ("backward-euler", "siere", "str-sbdf2-ere", "sdirk", "tr-bdf2")


@pytest.mark.parametrize("names", [RANKED, pytest.param(tuple(KEPT), marks=pytest.mark.study)], ids=["some", "all"])
def test_energy_kept_by_the_beam(kept: Callable[[str], np.ndarray], names: tuple[str, ...]) -> None:
    found = {name: kept(name) for name in names}
    for name in names:
        for value, page in zip(found[name], KEPT[name], strict=True):
            assert page is None or value == pytest.approx(page, abs=2e-3), name
    last = {name: values[-1] for name, values in found.items()}
    assert 10 * last["backward-euler"] < last["siere"] < last["str-sbdf2-ere"] < min(last["sdirk"], last["tr-bdf2"])
    assert last["sdirk"] == pytest.approx(last["tr-bdf2"], abs=1e-3)


# -- when modes are found --------------------------------------------------------------------------------------------------


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Counts the searches for modes."""
    from supple.solvers.tools import StepTools

    seen: list[float] = []
    original = StepTools.modes

    def counted(self: Any, linearised: Any, count: int) -> Any:
        seen.append(count)
        return original(self, linearised, count)

    monkeypatch.setattr(StepTools, "modes", counted)
    return seen


def test_modes_are_found_when_the_policy_says_so(searches: list[float]) -> None:
    setup = held_beam()
    for options, wanted in (({}, 12), ({"refresh": "interval", "interval": 4}, 3)):
        searches.clear()
        run(setup, METHODS["siere"](modes=COUNT, **options), H, 12)
        assert len(searches) == wanted
    counts = []
    for residual in (0.02, 0.2, 1.0):
        searches.clear()
        run(setup, METHODS["siere"](modes=COUNT, refresh="residual", residual=residual), H, 12)
        counts.append(len(searches))
    assert counts[0] > counts[1] >= counts[2] == 1


def test_residual_policy_keeps_the_motion() -> None:
    setup = held_beam()
    every = run(setup, METHODS["siere"](modes=COUNT), H, 20)[-1].state
    seldom = run(setup, METHODS["siere"](modes=COUNT, refresh="residual", residual=0.05), H, 20)[-1].state
    moved = np.abs(every.x - setup[1].x).max()
    assert np.abs(every.x - seldom.x).max() < 0.02 * moved


# -- unstable equilibria, free bodies, too fast modes ----------------------------------------------------------------------


def test_negative_and_zero_eigenvalues_have_their_closed_forms() -> None:
    from supple.integrators.exponential.splitting import _damped_flow, _oscillation

    values = np.array([-9.0, -1e-14, 0.0, 1e-14, 4.0])
    for t in (0.7, -0.3):
        S, C = _oscillation(values, t)
        for value, s, c in zip(values, S, C, strict=True):
            E = phi1(t * np.array([[0.0, 1.0], [-value, 0.0]])) * t
            np.testing.assert_allclose([[s, c], [-value * c, s]], E, rtol=1e-13, atol=1e-15)
        p, r = np.array([1.0, 2.0, -1.0, 0.5, 0.3]), np.array([0.2, -1.0, 0.4, 2.0, 1.0])
        same = _damped_flow(values, np.zeros((5, 5)), p, r, t)
        np.testing.assert_allclose(same, [S * p + C * r, S * r - values * C * p], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", HYBRIDS)
def test_a_free_spinning_body_keeps_its_momentum(name: str) -> None:
    system, start = stretched_bar(cells=(3, 1, 1), stretch=(1.1, 1.0, 1.0))
    frames = run((system, start), METHODS[name](modes=12), 1 / 60, 20)
    p = [system.mass @ frame.state.v for frame in frames]
    assert np.abs(np.diff(p, axis=0)).max() < 1e-10
    assert totals(frames)[-1] < 1.05


def test_modes_beyond_the_stability_limit_are_left_to_the_implicit_part() -> None:
    setup = held_beam((6, 2, 2), (4.0, 0.5, 0.5), 1e5, plucked=False)
    fastest = np.sqrt(lowest_modes(setup[0], setup[1].x, 40).values[-1])
    assert fastest / 8 > 4.6
    try:
        frames = run(setup, METHODS["str-sbdf2-ere"](modes=40), 1 / 8, 60)
    except StepFailed:
        pytest.fail("the step with fast modes failed")
    H = np.array([f.ledger.energies.total for f in frames])
    assert H.max() <= H[0] + 0.02 * np.ptp(H)
