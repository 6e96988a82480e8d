"""The loop: frames, steps in pieces, and runs that go on from a save as if nothing had happened."""

import copy
from typing import Any

import numpy as np
import pytest

from builders import Setup, accepted, four_nodes, run, spring_sheet, stretched_bar, twisted_bar
from methods import METHODS
from supple.adaptive.error_control import ErrorControl
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule, PosesRule
from supple.adaptive.symplectic import AdaptiveExplicit, AdaptiveSymplectic
from supple.dynamics.state import State
from supple.errors import StepFailed
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import Frame, simulate
from supple.materials.stable_neo_hookean import StableNeoHookeanLog
from supple.progress import Progress, begin, restore
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

H = 1 / 30


def same(a: Frame, b: Frame) -> bool:
    """Whether all but the wall time agrees to the last bit."""
    counts = [(s.iterations, s.factorisations, s.line_search_steps, s.gradient_norm) for s in (a.solve, b.solve)]
    return (
        (a.step, a.h, a.whole, a.note, a.ledger, a.state.t) == (b.step, b.h, b.whole, b.note, b.ledger, b.state.t)
        and np.array_equal(a.state.x, b.state.x)
        and np.array_equal(a.state.v, b.state.v)
        and counts[0] == counts[1]
    )


def interrupted(setup: Setup, method: Any, h: float, steps: int, stop: int, **options: Any) -> list[Frame]:
    """Frames of a run that is saved after `stop` rows, dropped, and continued by new objects."""
    system, state = setup
    tools = StepTools(system, SolverOptions(**options))
    progress = begin(system, method, state, tools)
    frames = []
    for frame in simulate(system, method, progress, h, steps, tools):
        frames.append(frame)
        if frame.step == stop:
            break
    meta, arrays = copy.deepcopy(progress.save(tools))
    tools = StepTools(system, SolverOptions(**options))
    return frames + list(simulate(system, method, restore(meta, arrays, tools), h, steps, tools))


def check_same(again: list[Frame], whole: list[Frame]) -> None:
    assert [f.step for f in again] == [f.step for f in whole]
    assert all(same(a, b) for a, b in zip(again, whole, strict=True))


def check_resume(setup: Setup, method: Any, h: float, steps: int, stop: int, **options: Any) -> list[Frame]:
    whole = run(setup, method, h, steps, **options)
    check_same(interrupted(setup, method, h, steps, stop, **options), whole)
    return whole


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_resumed_run_has_the_same_bits(name: str) -> None:
    h = 1 / 500 if METHODS[name]().facts.solves == 0 else 1 / 60
    sheet = accepted(METHODS[name](), spring_sheet, lambda: spring_sheet(hooke=True))
    check_resume(sheet, METHODS[name](), h, 4, 2)


ADAPTIVE = [
    AdaptiveReversible(PosesRule()),
    AdaptiveSymplectic(PosesRule()),
    AdaptiveExplicit(ElasticRule()),
    AdaptiveNaive(PosesRule(), of=Verlet()),
    ErrorControl(AVF(), tolerance=1e-2),
]


@pytest.mark.parametrize("method", ADAPTIVE, ids=lambda m: m.name)
def test_a_resumed_run_with_steps_of_any_length_has_the_same_bits(method: Any) -> None:
    frames = check_resume(four_nodes(), method, 1 / 60, 6, 3)
    assert len({f.h for f in frames}) == len(frames)
    assert frames[-2].state.t < 0.1 <= frames[-1].state.t
    longer = interrupted(four_nodes(), method, 1 / 60, 6, len(frames) - 1)
    assert len(longer) == len(frames)  # the time has passed: nothing is left


@pytest.mark.parametrize("name", ["avf", "bdf2", "newmark", "midpoint"])
@pytest.mark.parametrize("reuse", ["never", "always"])
def test_a_resumed_solid_has_the_same_bits(name: str, reuse: str) -> None:
    check_resume(twisted_bar(), METHODS[name](), H, 5, 3, reuse=reuse)


@pytest.mark.parametrize("linear", ["auto", "amg", "ic", "cg"])
def test_a_run_resumed_with_a_kept_preconditioner_has_the_same_bits(linear: str) -> None:
    check_resume(twisted_bar(), METHODS["avf"](), H, 8, 4, linear=linear, reuse="always")


@pytest.mark.parametrize("name", ["avf", "midpoint"])
def test_a_matrix_that_had_to_be_shifted_is_remembered(name: str) -> None:
    system, start = stretched_bar()
    method, tools = METHODS[name](), StepTools(system)
    progress = begin(system, method, start, tools)
    whole, shifted = [], []
    for frame in simulate(system, method, progress, H, 12, tools):
        whole.append(frame)
        if progress.save(tools)[1]["solver.shift"] > 0 and frame.step < 12:
            shifted.append(frame.step)
    assert shifted
    for stop in shifted[:3]:
        check_same(interrupted((system, start), method, H, 12, stop), whole)


def test_the_adaptive_rule_is_remembered() -> None:
    check_resume(stretched_bar(StableNeoHookeanLog(500.0, 10.0), cells=(2, 1, 1)), AVF(), H, 6, 3)


def test_running_twice_gives_the_same_bits() -> None:
    first, second = (run(twisted_bar(), AVF(), H, 10) for _ in range(2))
    assert all(same(a, b) for a, b in zip(first, second, strict=True))


def test_frames_tell_what_happened() -> None:
    frames = run(four_nodes(), BackwardEuler(), H, 5)
    assert [f.step for f in frames] == [0, 1, 2, 3, 4, 5]
    assert [f.h for f in frames] == [0.0] + 5 * [H]
    assert all(f.whole and not f.note and f.wall_seconds >= 0 for f in frames)
    np.testing.assert_allclose([f.state.t for f in frames], H * np.arange(6), rtol=1e-14)
    assert frames[0].solve.iterations == 0
    assert frames[0].ledger.residual == 0.0


def test_no_steps_give_the_initial_state_only() -> None:
    assert len(run(four_nodes(), BackwardEuler(), H, 0)) == 1


HARD: dict[str, Any] = {"max_iterations": 5}
"""Too few iterations for a whole step of the twisted bar, enough for its halves or quarters."""


def test_a_step_that_fails_is_taken_in_halves() -> None:
    frames = run(twisted_bar(), BackwardEuler(), H, 4, **HARD)
    pieces = [f for f in frames[1:] if f.h < H]
    assert pieces
    assert sum(f.whole for f in frames[1:]) == 4
    assert frames[-1].state.t == pytest.approx(4 * H, rel=1e-12)
    assert [f.step for f in frames] == list(range(len(frames)))
    taken = 0.0
    for frame in frames[1:]:
        taken += frame.h
        if frame.whole:
            assert taken == pytest.approx(H, rel=1e-14)
            taken = 0.0
    first = next(f for f in frames if f.note)
    assert "taken in steps of" in first.note
    assert "the limit of iterations was reached" in first.note
    assert sum(bool(f.note) for f in frames) < len(frames) - 1


@pytest.mark.parametrize("name", ["backward-euler", "bdf2", "newmark"])
def test_pieces_still_to_be_taken_survive_a_save(name: str) -> None:
    whole = run(twisted_bar(), METHODS[name](), H, 3, **HARD)
    stop = next(f.step for f in whole[1:] if not f.whole)
    check_resume(twisted_bar(), METHODS[name](), H, 3, stop, **HARD)


def test_a_hopeless_step_stops_the_run() -> None:
    with pytest.raises(StepFailed, match=r"step 1 at t = 0 s failed even in substeps of 0\.008\d* s: a stage was not"):
        run(twisted_bar(), BackwardEuler(), H, 2, max_iterations=1, max_halvings=2)


def test_without_halvings_the_first_failure_stops_the_run() -> None:
    with pytest.raises(StepFailed, match=r"failed even in substeps of 0\.033\d* s"):
        run(twisted_bar(), BackwardEuler(), H, 2, max_iterations=1, max_halvings=0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_nan_stops_the_run(name: str) -> None:
    system, state = accepted(METHODS[name](), four_nodes, lambda: four_nodes(hooke=True))
    x = state.x.copy()
    x[2, 1] = np.nan
    with pytest.raises(StepFailed):
        run((system, State(0.0, x, state.v)), METHODS[name](), H, 2, max_halvings=1)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_explosion_stops_the_run_with_the_last_good_state() -> None:
    system, start = twisted_bar()
    method, tools = METHODS["forward-euler"](), StepTools(system)
    progress: Progress = begin(system, method, start, tools)
    with pytest.raises(StepFailed, match=": unstable"):
        for _ in simulate(system, method, progress, 0.5, 100, tools):
            pass
    assert 0 < progress.step < 100
    assert np.isfinite(progress.state.x).all()
    assert progress.whole_steps == progress.step
