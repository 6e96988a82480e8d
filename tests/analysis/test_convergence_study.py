"""Convergence studies: a reference that is one, orders as declared on a shipped scene, failures as results."""

import math

import numpy as np
import pytest

from builders import four_nodes, spring_sheet
from supple.adaptive.error_control import ErrorControl
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule
from supple.analysis.convergence import orders, placed, trials
from supple.analysis.oscillator import oscillator
from supple.analysis.reference import dop853, fine_run
from supple.analysis.timed_run import Problem
from supple.analysis.yardstick import Yardstick, vibrations, yardstick
from supple.constraints.motion import Motion, Prescribed
from supple.constraints.scripts import Translate, Window
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.springs.springs import HookeSprings
from supple.errors import SuppleError
from supple.integrators.explicit.runge_kutta import RK4, ForwardEuler
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.tr_bdf2 import TRBDF2
from supple.integrators.linear.corotational import CorotationalReversible
from supple.scene.text.load import load_scene
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

TIGHT = SolverOptions(tolerance=1e-12)


def silent(t: float) -> None:
    """Without a listener."""


def test_dop853_knows_the_circle() -> None:
    start = State(0.0, np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 3.0, 0.0]]))
    times: list[float] = []
    end = dop853(oscillator(3.0), start, 2.0, times.append)
    np.testing.assert_allclose(end.x, [[math.cos(6), math.sin(6), 0]], atol=1e-10)
    np.testing.assert_allclose(end.v, [[-3 * math.sin(6), 3 * math.cos(6), 0]], atol=1e-10)
    assert times == sorted(times)
    assert times[-1] == end.t == 2.0


def test_dop853_moves_prescribed_vertices() -> None:
    # a mass on a spring whose other end is pulled away at u: in the frame of that end it swings from rest speed -u
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    pulled = Prescribed(np.array([0], np.int32), x[:1].copy(), Translate((-0.3, 0.0, 0.0), Window()))
    springs = HookeSprings(x, np.array([[0, 1]], np.int32), 4.0)
    system = build_system(x, np.ones(2), [springs], Motion((pulled,)))
    end = dop853(system, placed(system, State(0.0, x, np.zeros_like(x))), 0.7, silent)
    np.testing.assert_allclose(end.x[0], [-0.21, 0, 0], atol=1e-15)
    np.testing.assert_allclose(end.v[0], [-0.3, 0, 0], atol=1e-15)
    np.testing.assert_allclose(end.x[1, 0], 1 - 0.21 + 0.3 / 2 * math.sin(1.4), atol=1e-11)


def test_the_two_references_agree() -> None:
    system, start = four_nodes()
    exact = dop853(system, start, 0.5, silent)
    fine = fine_run(system, RK4(), start, 0.5 / 800, 800, TIGHT, silent)
    np.testing.assert_allclose(fine.x, exact.x, atol=3e-10)
    assert fine.t == pytest.approx(exact.t, rel=1e-12)


def test_orders_of_known_errors() -> None:
    found = orders([8.0, 2.0, math.nan, 1.0, 0.0], [10, 20, 40, 80, 160])
    assert found[1] == pytest.approx(2.0)
    assert [math.isnan(o) for o in found] == [True, False, True, True, True]
    assert orders([27.0, 1.0], [10, 30])[1] == pytest.approx(3.0)


@pytest.fixture(scope="module")
def sheet() -> tuple[Problem, Yardstick]:
    body = load_scene("spring-sheet").make().assemble()
    problem = Problem(body.system, placed(body.system, body.state), 0.1, TIGHT)
    end = dop853(problem.system, problem.start, problem.duration, silent)
    return problem, yardstick(problem.system, problem.start, end, modes=6)


@pytest.mark.parametrize("method", [BackwardEuler(), BDF2(), AVF(), TRBDF2()], ids=lambda m: m.name)
def test_orders_on_a_shipped_scene(sheet: tuple[Problem, Yardstick], method: BackwardEuler) -> None:
    problem, reference = sheet
    steps = [64, 128]
    found = list(trials(problem, {"it": method}, steps, reference))
    assert [t.steps for t in found] == steps
    for column in ("error_x", "error_v"):
        last = orders([getattr(t, column) for t in found], steps)[-1]
        assert last == pytest.approx(method.facts.order, abs=0.12), column


def test_a_trial_says_what_it_cost(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    taken: list[int] = []
    explicit, implicit = trials(problem, {"a": RK4(), "b": AVF()}, [8], reference, lambda: taken.append(1))
    assert len(taken) == 16
    assert (explicit.iterations, explicit.h) == (0, 0.1 / 8)
    assert implicit.iterations >= 8
    assert 0.0 < explicit.wall_seconds < implicit.wall_seconds
    assert 0.0 < explicit.cpu_seconds < implicit.cpu_seconds
    assert not explicit.failure + implicit.failure


def test_errors_are_max_norms() -> None:
    zero = State(0.0, np.zeros((2, 3)), np.zeros((2, 3)))
    off = State(0.0, np.array([[0, 0, 0], [0, -0.5, 0.25]]), np.array([[0, 2.0, 0], [1.0, 0, 0]]))
    error_x, error_v, error_modes = Yardstick(zero, 1.0, 1.0, np.empty((0, 2, 3))).errors(off)
    assert (error_x, error_v) == (0.5, 2.0)
    assert math.isnan(error_modes)


def test_explosions_and_failures_do_not_end_a_study() -> None:
    system, start = spring_sheet()
    hopeless = SolverOptions(max_iterations=1, tolerance=1e-14)
    problem = Problem(system, placed(system, start), 4.0, hopeless)
    reference = yardstick(system, problem.start, problem.start)
    methods = {"explicit": ForwardEuler(), "implicit": BackwardEuler(), "rk4": RK4()}
    exploded, failed, fine = trials(problem, methods, [400], reference)
    assert exploded.failure.startswith("diverged")
    assert failed.failure.startswith("failed: a stage was not minimised")
    assert math.isnan(failed.error_x)
    assert fine.failure == ""
    assert fine.error_x < 10.0


def test_a_reference_that_fails_says_what_to_do() -> None:
    system, start = spring_sheet()
    with pytest.raises(SuppleError, match=r"--reference: the run of 40 steps failed: .*use more steps"):
        fine_run(system, ForwardEuler(), start, 0.1, 40, TIGHT, silent)


def test_a_run_that_is_warm_gives_the_same_errors(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    for method in (AVF(), BDF2(), ForwardEuler()):
        once, again = (next(trials(problem, {"it": method}, [8], reference, repeats=n)) for n in (1, 3))
        state, memory, tools = (
            problem.start,
            method.start(problem.system, problem.start),
            StepTools(problem.system, TIGHT),
        )
        for _ in range(8):
            state, memory, _ = method.advance(problem.system, state, memory, 0.1 / 8, tools)
        tools.close()
        assert once.error_x == again.error_x == reference.errors(state)[0]
        assert once.iterations == again.iterations == tools.report.iterations


def test_energy_and_modes_are_measured(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    methods = {"avf": AVF(), "bdf2": BDF2(), "euler": BackwardEuler()}
    avf, bdf2, euler = trials(problem, methods, [32], reference)
    assert avf.error_energy < 1e-11
    assert 1e-3 < bdf2.error_energy < euler.error_energy < 1.0
    assert 0.0 < avf.error_modes < bdf2.error_modes < euler.error_modes
    for trial in (avf, bdf2, euler):  # a part of the displacement, in its root mean square
        assert trial.error_modes < trial.error_x


def test_high_frequencies_are_no_error_of_the_lowest_modes() -> None:
    system, start = spring_sheet()
    start = placed(system, start)
    shape = vibrations(system, start.x, 8)
    end = State(1.0, start.x + 0.1 * shape[:2].sum(axis=0), start.v)
    measure = yardstick(system, start, end, modes=4)
    assert len(measure.modes) == 4
    whole = math.sqrt(system.mass[system.free].sum())
    assert measure.errors(State(1.0, end.x + 0.3 * shape[7], end.v))[2] == pytest.approx(0.0, abs=1e-12)
    assert measure.errors(State(1.0, end.x + 0.3 * shape[1], end.v))[2] == pytest.approx(0.3 / whole, rel=1e-9)


def test_modes_that_the_motion_has_no_part_in_are_left_out() -> None:
    system, start = spring_sheet()
    assert not len(yardstick(system, start, start, modes=4).modes)
    assert not len(yardstick(system, start, State(1.0, start.x + 1.0, start.v)).modes)


def test_refusals_are_results(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    methods = {"b": CorotationalReversible(), "c": RK4()}
    refused, fine = trials(problem, methods, [8], reference, repeats=2)
    assert refused.failure.startswith("refused: ")
    assert math.isnan(refused.error_energy)
    assert not fine.failure


def test_adaptive_methods_end_at_the_time_of_the_reference(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    rule = AdaptiveReversible(ElasticRule(0.5))
    found = list(trials(problem, {"it": rule}, [32, 64], reference))
    assert orders([t.error_x for t in found], [32, 64])[-1] == pytest.approx(2.0, abs=0.2)
    assert all(t.taken > t.steps for t in found)


def test_a_tolerance_follows_the_number_of_steps(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    coarse, fine = trials(problem, {"it": ErrorControl(Verlet(), tolerance=3e-3)}, [8, 16], reference)
    assert 1.4 * coarse.taken < fine.taken < 3 * coarse.taken
    assert fine.error_x < coarse.error_x / 2


def test_forces_are_counted(sheet: tuple[Problem, Yardstick]) -> None:
    problem, reference = sheet
    verlet, rk4, avf = trials(problem, {"v": Verlet(), "r": RK4(), "a": AVF(rule="gauss-2")}, [8], reference)
    assert verlet.evaluations == 8 + 1  # one per step, and the acceleration at the start
    assert rk4.evaluations == 4 * 8
    assert avf.evaluations >= 2 * (avf.iterations + 8)
