"""Steps that cannot be taken as asked: halved, taken some other way with a note, or refused by a strict solver."""

from dataclasses import dataclass

import numpy as np
import pytest

from builders import at_rest
from supple.contact.barrier_law import Barrier
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.errors import StepFailed, StepRejected
from supple.integrators.implicit.avf import AVF
from supple.loop import Frame, simulate
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

DOWN = np.array([0.0, -9.8, 0.0])


def falling_point(law: Barrier | None = None) -> tuple[System, State]:
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    contact = [HalfSpaceContact(HalfSpace(), law, [0])] if law else []
    return build_system(x, mass, [Gravity(mass, DOWN), *contact]), at_rest(x)


@dataclass(frozen=True)
class Failing(AVF):
    """Fails between two times however short the step."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        if 0.091 < state.t + h / 2 < 0.099:
            raise StepRejected("as requested")
        return super().step(system, state, memory, h, tools)


@dataclass(frozen=True)
class Leaking(AVF):
    """Loses a part of its velocity in every step without a report."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        new, memory, report = super().step(system, state, memory, h, tools)
        return State(new.t, new.x, 0.999 * new.v), memory, report


def frames_of(method: AVF, steps: int = 20, strict: bool = False) -> list[Frame]:
    system, state = falling_point()
    tools = StepTools(system, SolverOptions(threads=1, strict=strict))
    return list(simulate(system, method, state, 0.01, steps, tools))


def test_a_step_that_always_fails_is_taken_by_another_method() -> None:
    frames = frames_of(Failing())
    told = [frame for frame in frames if frame.exceptional]
    assert frames[-1].state.t == pytest.approx(0.2)
    assert told
    assert all("taken by backward-euler" in frame.note for frame in told)
    assert all("as requested" in frame.note for frame in told)
    # backward Euler's own error is in the ledger: nothing is left unexplained
    assert frames[-1].ledger.rescued != 0.0
    assert abs(frames[-1].ledger.residual) < 1e-12
    assert not any(frame.exceptional for frame in frames if frame.state.t < 0.089 or frame.state.t > 0.101)


def test_a_strict_solver_ends_there() -> None:
    with pytest.raises(StepFailed, match="as requested"):
        frames_of(Failing(), strict=True)


def test_energy_that_a_conserving_method_loses_is_told() -> None:
    frames = frames_of(Leaking(), steps=3)
    assert all(frame.exceptional for frame in frames[2:])
    assert "would miss" in frames[-1].note
    with pytest.raises(StepFailed, match="would miss"):
        frames_of(Leaking(), steps=3, strict=True)


def test_a_barrier_too_soft_for_an_impact_does_not_lie() -> None:
    """It lands with 4.3 m/s. Few iterations and halvings: with more of them the impact fails as well, at greater length."""
    system, _ = falling_point(Barrier(1e-2, 1e-3))
    tools = StepTools(system, SolverOptions(threads=1, max_iterations=50, max_halvings=3))
    landing = State(0.0, np.array([[0.0, 0.05, 0.0]]), np.array([[0.0, -4.3, 0.0]]))
    frames = list(simulate(system, AVF(), landing, 0.01, 5, tools))
    assert min(frame.state.x[0, 1] for frame in frames) > 0.0
    assert abs(frames[-1].ledger.residual) < 1e-9 * 9.8
    assert all(np.isfinite(frame.ledger.energies.total) for frame in frames)
    assert any(frame.exceptional for frame in frames)
