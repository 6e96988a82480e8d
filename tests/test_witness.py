"""The ledger as a witness: nonsense is reported and ends a strict run, errors of the method do not; limits of work, numbers."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest

from builders import at_rest, run, stretched_bar, twisted_bar
from supple.dynamics.invariants import Energies
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System, build_system
from supple.dynamics.witness import Step, Witness
from supple.energies.gravity import Gravity
from supple.errors import StepFailed, StepRejected, SuppleError
from supple.integrators.explicit.runge_kutta import ForwardEuler
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import Frame, simulate
from supple.progress import begin, restore
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

DOWN = np.array([0.0, -9.8, 0.0])


def ledger(kinetic: float, initial: float = 1.0) -> Ledger:
    return Ledger(Energies(kinetic, 0.0, 0.0, 0.0), initial)


def heard(witness: Witness, *totals: float, promised: float | None = None) -> tuple[Witness, list[str]]:
    """Verdict on steps between these energies of a system without external work."""
    said = []
    for before, after in itertools.pairwise(totals):
        witness, doubt = witness.hears(Step(ledger(before), ledger(after), promised=promised))
        said.append(doubt)
    return witness, said


def falling() -> tuple[System, State]:
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    return build_system(x, mass, [Gravity(mass, DOWN)]), at_rest(x)


@dataclass(frozen=True)
class Kicked(BackwardEuler):
    """Five times as fast after one step, for no reason."""

    at: float = 0.305

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        new, memory, report = super().step(system, state, memory, h, tools)
        factor = 5.0 if state.t <= self.at < new.t else 1.0
        return State(new.t, new.x, factor * new.v), memory, report


@dataclass(frozen=True)
class Broken(BackwardEuler):
    """Raises the exceptions of arithmetic."""

    problem: type[Exception] = ZeroDivisionError

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        raise self.problem("so it is")


def frames(method: BackwardEuler, steps: int = 60, **options: object) -> list[Frame]:
    system, state = falling()
    return list(simulate(system, method, state, 0.01, steps, StepTools(system, SolverOptions(threads=1, **options))))


def test_a_conserving_method_is_held_to_its_promise() -> None:
    _, said = heard(Witness(), 1.0, 1.0 + 5e-9, 1.0 - 5e-9, promised=1e-8)
    assert said == ["", ""]
    _, said = heard(Witness(), 1.0, 1.0 - 2e-8, promised=1e-8)
    assert "lost 2e-08 J of 1 J in play" in said[0]


def test_losses_of_a_damping_method_are_its_own_figures() -> None:
    _, said = heard(Witness(), *(0.7**k for k in range(60)))
    assert not any(said)


def test_a_jump_beyond_the_running_scale_is_told_once() -> None:
    calm = [1.0 - 1e-4 * k for k in range(60)]
    witness, said = heard(Witness(), *calm)
    assert not any(said)
    _, said = heard(witness, calm[-1], calm[-1] + 0.3, calm[-1] + 0.301)
    assert "made 0.3 J of" in said[0]
    assert said[1] == ""


def test_growth_is_told_whenever_it_is_tenfold() -> None:
    _, said = heard(Witness(), *(1.2**k for k in range(42)))
    told = [k for k, doubt in enumerate(said) if doubt]
    assert all("made from nothing by now" in said[k] for k in told)
    assert len(told) == 4  # beyond 1, 10, 100 and 1,000 times the energy in play


def test_energy_that_has_a_name_is_no_jump() -> None:
    step = Step(ledger(1.0), ledger(1.9), named=0.9)
    assert replace(Witness(), scale=0.0).hears(step)[1] == ""
    assert replace(Witness(), scale=0.0).hears(replace(step, named=0.0))[1]


def test_the_frame_says_what_and_how_much_and_a_strict_run_ends() -> None:
    found = frames(Kicked())
    doubtful = [frame for frame in found if frame.doubtful]
    assert [round(frame.state.t, 9) for frame in doubtful] == [0.31]
    assert "doubtful: the step made" in doubtful[0].note or "from nothing" in doubtful[0].note
    with pytest.raises(StepFailed, match="doubtful"):
        frames(Kicked(), strict=True)


def test_a_body_at_rest_is_never_doubtful() -> None:
    setup = stretched_bar(stretch=(1.0, 1.0, 1.0), spin=(0.0, 0.0, 0.0))
    found = run(setup, BackwardEuler(), 1e-3, 20)
    assert not any(frame.doubtful for frame in found)


def test_a_resumed_run_has_the_same_witness() -> None:
    system, state = falling()
    tools = StepTools(system, SolverOptions(threads=1))
    whole = list(simulate(system, Kicked(), state, 0.01, 40, tools))
    progress = begin(system, Kicked(), state, tools)
    *_, last = simulate(system, Kicked(), progress, 0.01, 25, tools)
    again = restore(*last.save(), tools)
    assert again.witness == progress.witness
    assert again.work == progress.work
    rest = list(simulate(system, Kicked(), again, 0.01, 40, tools))
    assert [frame.doubtful for frame in rest] == [frame.doubtful for frame in whole[26:]]
    assert [frame.note for frame in rest] == [frame.note for frame in whole[26:]]


@pytest.mark.parametrize("problem", [ZeroDivisionError, OverflowError, FloatingPointError, np.linalg.LinAlgError])
def test_what_arithmetic_raises_rejects_the_step(problem: type[Exception]) -> None:
    found = frames(Broken(problem=problem), steps=1)
    assert "beyond the range of double precision (so it is)" in found[-1].note
    with pytest.raises(StepFailed, match="beyond the range of double precision"):
        frames(Broken(problem=problem), steps=1, strict=True)


def test_a_bug_is_no_rejected_step() -> None:
    with pytest.raises(IndexError):
        frames(Broken(problem=IndexError), steps=1)


@dataclass(frozen=True)
class Hopeless(BackwardEuler):
    """Never takes a whole step."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        if h > 1e-4:
            raise StepRejected("it is too long")
        return super().step(system, state, memory, h, tools)


def test_the_work_of_a_step_is_bounded() -> None:
    assert len(frames(Hopeless(), steps=2, max_halvings=7)) == 1 + 2 * 128
    with pytest.raises(StepFailed, match=r"solver\.max_work = 5000"):
        frames(Hopeless(), steps=2, max_halvings=7, max_work=5000)


@dataclass(frozen=True)
class Endless(BackwardEuler):
    """Never comes back from a step by itself."""

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        while True:
            super().step(system, state, memory, h, tools)


def test_work_is_bounded_within_an_attempt() -> None:
    with pytest.raises(StepFailed, match=r"step 1 at t = 0 s: .*solver\.max_work = 5000"):
        frames(Endless(), steps=2, max_work=5000)


def test_no_warnings_and_no_infinities_from_an_explosion(recwarn: pytest.WarningsRecorder) -> None:
    system, start = twisted_bar()
    found: list[Frame] = []
    with pytest.raises(StepFailed, match="unstable"):
        found.extend(simulate(system, ForwardEuler(), start, 0.5, 100, StepTools(system)))
    assert any(frame.doubtful for frame in found)
    assert all(frame.ledger.is_finite and np.isfinite(frame.momenta()).all() for frame in found[-1:])
    assert not recwarn.list


def test_a_start_without_finite_energy_is_refused() -> None:
    system, state = falling()
    with pytest.raises(SuppleError, match="energy at the start is not finite"):
        next(simulate(system, BackwardEuler(), State(0.0, state.x, np.full((1, 3), 1e200)), 0.01, 1))
