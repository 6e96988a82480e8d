"""Tools of a step: views that share solvers, each with a system and a report; and energies of a step that are measured once."""

import numpy as np
import pytest

from builders import four_nodes, stretched_bar
from supple.dynamics import ledger
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Arrival, StepReport
from supple.dynamics.system import System, build_system
from supple.integrators.implicit.avf import AVF
from supple.solvers.tools import StepTools

H = 1 / 30
SYSTEM, START = four_nodes(0.3)


def stage(state: State) -> Stage:
    start = state.x + H * state.v
    return Stage(state.t + H, start, (Sample(H * H),), origin=state.x, start=start)


def heavier() -> System:
    """The same with stronger gravity."""
    return four_nodes(0.3, gravity=20.0)[0]


def test_a_step_has_a_report_of_its_own() -> None:
    tools = StepTools(SYSTEM)
    one, two = tools.for_step(), tools.for_step()
    one.minimise(stage(START))
    assert one.report.iterations > 0
    assert two.report.iterations == tools.report.iterations == 0


def test_views_of_a_step_count_together_and_leave_each_other_alone() -> None:
    tools = StepTools(SYSTEM)
    first = tools.minimise(stage(START))
    spent = tools.report.iterations
    other = tools.during(heavier()).minimise(stage(START))
    assert tools.report.iterations > spent
    assert np.abs(other.x - first.x).max() > 1e-3
    np.testing.assert_allclose(tools.minimise(stage(START)).x, first.x, rtol=0, atol=1e-12)


def test_energies_belong_to_a_state_and_a_potential() -> None:
    tools = StepTools(SYSTEM)
    here, there = tools.energies(START), tools.during(heavier()).energies(START)
    assert tools.energies(START) is here
    assert there.gravity == pytest.approx(here.gravity * 20.0 / 9.8)


def test_tools_are_as_before_after_a_step() -> None:
    system, start = stretched_bar(cells=(2, 1, 1), dissipation=0.1)
    tools = StepTools(system)
    first = tools.minimise(stage(start)).x
    AVF().advance(system, start, AVF().start(system, start), H, tools)
    np.testing.assert_allclose(tools.minimise(stage(start)).x, first, rtol=0, atol=1e-10)


def test_what_a_step_dissipated_is_measured_once() -> None:
    """Over the step itself, before anything moved bodies; later losses are added."""
    reached = State(H, START.x + H * START.v, START.v)
    after = State(H, reached.x + 1.0, 0.0 * START.v)
    plain = ledger.measured(SYSTEM, START, reached, StepReport(H))
    report = StepReport(H, arrival=Arrival(SYSTEM, reached), taken_after=(0.25, 0.5))
    found = ledger.measured(SYSTEM, START, after, report)
    assert plain.dissipated is not None
    assert plain.dissipated > 0.0
    assert found.dissipated == plain.dissipated + 0.25 + 0.5
    assert found.external_work == 0.0
    again = ledger.measured(SYSTEM, START, after, found)
    assert (again.dissipated, again.external_work) == (found.dissipated, found.external_work)


def test_only_the_loop_books() -> None:
    system, start = four_nodes(0.3)
    _, _, report = AVF().advance(system, start, {}, H, StepTools(system))
    assert report.dissipated is None
    assert report.arrival is not None
    bare = build_system(start.x, system.mass, system.potential.terms)
    _, _, report = AVF().advance(bare, start, {}, H, StepTools(bare))
    assert report.arrival is not None
    assert report.arrival.system is bare
