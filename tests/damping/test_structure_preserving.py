"""Structure-preserving damping: the same energy at a fixed time for any step, both momenta, and the limit of the explicit
form. The figures of the spring are those of its differential equation."""

from collections.abc import Callable

import numpy as np
import pytest
from damped_bodies import FORMS, cube, damped, pulled_spring, spinning_bar

from builders import hold, run
from supple.constraints.motion import Motion
from supple.damping.structure_preserving import ExplicitImpulse, StructurePreserving
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.energies.springs.anchor import Anchors
from supple.energies.springs.springs import HookeSprings
from supple.errors import StepFailed, StepRejected
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import Frame
from supple.solvers.tools import StepTools

STEPS = (0.01, 0.008, 0.005, 0.004)


def before_the_last_impulse(frames: list[Frame]) -> float:
    """Energy at the end of the last step, before its impulse, relative to the start."""
    last = frames[-1].ledger.dissipated - frames[-2].ledger.dissipated
    return (frames[-1].ledger.energies.total + last) / frames[0].ledger.energies.total


def at_the_end(frames: list[Frame]) -> float:
    return frames[-1].ledger.energies.total / frames[0].ledger.energies.total


@pytest.mark.parametrize(
    ("form", "energy"),
    [("explicit", before_the_last_impulse), ("implicit", at_the_end), ("integrable", at_the_end)],
)
def test_a_spring_at_four_steps(form: str, energy: Callable[[list[Frame]], float]) -> None:
    """m x'' = -k (x - l) - tau k x', which all forms tend to, has 0.6827 of its energy at t = 1."""
    left = [energy(run(pulled_spring(StructurePreserving(0.004, form)), Verlet(), h, round(1 / h))) for h in STEPS]
    np.testing.assert_allclose(left, 0.6827, rtol=2e-3)
    assert np.ptp(left) <= 2e-3 * left[-1]


@pytest.mark.parametrize("form", FORMS)
def test_a_bar_at_two_steps(form: str) -> None:
    left, lost = [], []
    for h in (0.008, 0.004):
        system, start = spinning_bar(StructurePreserving(0.003, form))
        frames = run((system, start), Verlet(), h, round(1 / h))
        left.append(at_the_end(frames))
        P, L = (np.array(part) for part in zip(*(momenta(system, f.state) for f in frames[::10]), strict=True))
        assert np.abs(P - P[0]).max() <= 1e-11
        lost.append(np.abs(L - L[0]).max() / np.linalg.norm(L[0]))
    np.testing.assert_allclose(left, 0.99294, rtol=0, atol=2.7e-5)
    if form == "integrable":
        assert 1e-9 < lost[0] <= 1e-4
        assert lost[0] > 1.5 * lost[1]
    else:
        assert max(lost) <= 1e-12


def test_a_bar_after_four_seconds() -> None:
    frames = run(spinning_bar(StructurePreserving(0.003, "explicit")), Verlet(), 0.004, 1000)
    assert at_the_end(frames) == pytest.approx(0.98698, abs=1.1e-5)


def test_stage_weights() -> None:
    """The integrable form is h tau W_inc in backward Euler's stage and h tau/2 W_inc in AVF's: one step of a spring."""
    tau, h, k = 0.02, 0.05, 100.0
    for method, weight, sides in ((BackwardEuler(), 1.0, (0.0, 1.0)), (AVF(), 0.5, (0.5, 0.5))):
        x1 = run(pulled_spring(StructurePreserving(tau, "integrable")), method, h, 1)[-1].state.x[1, 0]
        elastic = k * (sides[0] * 0.2 + sides[1] * (x1 - 1.0))
        assert x1 - 1.2 + weight * (h * h * elastic + h * tau * k * (x1 - 1.2)) == pytest.approx(0.0, abs=1e-12)


def oscillation(rate: float, form: str, omega_h: float = 0.05) -> tuple[object, State, float]:
    """A spring that is stretched by a step in which tau omega^2 h is `rate`."""
    h = omega_h / 10.0
    system, start = pulled_spring(StructurePreserving(rate / (100.0 * h), form))
    return system, start, h


@pytest.mark.parametrize("rate", [0.98, 1.02])
def test_the_explicit_form_knows_its_limit(rate: float) -> None:
    system, start, h = oscillation(rate * ExplicitImpulse.STABLE, "explicit")
    new = State(h, start.x - np.array([[0.0, 0.0, 0.0], [0.01, 0.0, 0.0]]), start.v)
    (impulse,) = system.impulses
    assert isinstance(impulse, ExplicitImpulse)
    if rate < 1:
        np.testing.assert_allclose(impulse.impulse(system, start, new, h, None)[1], [0.015 * rate / h, 0, 0], atol=1e-9)
    else:
        with pytest.raises(StepRejected, match="implicit"):
            impulse.impulse(system, start, new, h, None)


def test_the_loop_halves_steps_beyond_the_limit() -> None:
    system, start, h = oscillation(1.4 * ExplicitImpulse.STABLE, "explicit")
    frames = run((system, start), Verlet(), h, 100)
    assert {f.h for f in frames[1:]} == {h / 2}
    assert "tau omega^2 h is above 1.5" in frames[1].note
    assert np.diff([f.ledger.dissipated for f in frames]).min() >= 0.0


def test_a_limit_out_of_reach_is_said() -> None:
    system, start, h = oscillation(1e4, "explicit")
    with pytest.raises(StepFailed, match='form = "implicit"'):
        run((system, start), Verlet(), h, 2)


def test_rigid_spin_does_not_pass_for_a_limit() -> None:
    """A body that turns by a tenth of a radian a step, with next to no strain rate."""
    system, start = cube(StructurePreserving(0.05, "explicit"))
    turn = np.array([[np.cos(0.1), -np.sin(0.1), 0.0], [np.sin(0.1), np.cos(0.1), 0.0], [0.0, 0.0, 1.0]])
    (impulse,) = system.impulses
    for strain in (0.0, 1e-12, 1e-9, 1e-6, 1e-3):
        new = State(0.02, (start.x * [1.0 + strain, 1.0, 1.0]) @ turn.T, start.v)
        given = impulse.impulse(system, start, new, 0.02, None)
        assert np.abs(given).max() <= 1e2 * strain + 1e-12


def test_the_implicit_form_takes_any_tau() -> None:
    system, start, h = oscillation(1e4, "implicit", omega_h=1.0)
    frames = run((system, start), Verlet(), h, 20)
    assert np.diff([f.ledger.energies.total for f in frames]).max() <= 0.0
    assert np.abs(frames[-1].state.v).max() <= 1e-3


def test_implicit_impulses_of_a_solid_are_found_in_few_iterations() -> None:
    system, start = spinning_bar(StructurePreserving(0.05))
    frames = run((system, start), Verlet(), 0.004, 20)
    assert max(f.solve.iterations for f in frames[1:]) <= 5
    tools = StepTools(system)
    (impulse,) = system.impulses
    given = impulse.impulse(system, start, start, 0.004, tools)
    assert np.abs(given.sum(axis=0)).max() <= 1e-12 * np.abs(given).max()
    assert np.abs(np.cross(start.x, given).sum(axis=0)).max() <= 1e-12 * np.abs(given).max()


def test_a_body_that_is_pulled_by_a_script_or_an_anchor() -> None:
    """Held vertices give impulses too, which are ignored; terms that cannot rest elsewhere are not damped."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    springs = HookeSprings(X, np.array([[0, 1], [1, 2]], dtype=np.int32), 100.0)
    damping = StructurePreserving(0.01)
    system = damped(X, np.ones(3), [springs, Anchors(X, 5.0)], damping, motion=Motion((hold([0], X),)))
    frames = run((system, State(0.0, X * 1.1, np.zeros_like(X))), AVF(), 0.02, 50)
    assert frames[-1].ledger.dissipated > 0.1 * frames[0].ledger.energies.total
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * frames[0].ledger.energies.total
    np.testing.assert_array_equal(frames[-1].state.x[0], X[0])
