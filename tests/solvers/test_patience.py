"""Old factors of small bodies: they save factorisations, pause after failures, and a resumed run has the same bits."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from builders import Setup, drift, run, stretched_bar
from supple.energies.samples import one_sample
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.progress import begin, restore
from supple.solvers.strategies.choice import SMALL
from supple.solvers.strategies.patience import FEWEST, LONGEST, MANY, Patience
from supple.solvers.tools import StepTools
from supple.types import Array

H = 1 / 30


def calm() -> Setup:
    """A free bar of 750 unknowns that swings gently."""
    return stretched_bar(cells=(9, 4, 4), stretch=(1.02, 1.0, 1.0))


def wild() -> Setup:
    """The same, stretched so far that its matrices are often indefinite."""
    return stretched_bar(cells=(9, 4, 4))


def resumed(setup: Setup, steps: int, stop: int) -> tuple[Array, dict[str, Array]]:
    """Final positions of a run that continues from a checkpoint, and the solver's memory in that."""
    system, state = setup
    tools = StepTools(system)
    progress = begin(system, AVF(), state, tools)
    next(frame for frame in simulate(system, AVF(), progress, H, steps, tools) if frame.step == stop)
    memory, (meta, arrays) = tools.memory(), copy.deepcopy(progress.save(tools))
    tools.close()
    tools = StepTools(system)
    *_, last = simulate(system, AVF(), restore(meta, arrays, tools), H, steps, tools)
    tools.close()
    return last.state.x, memory


def test_limits_grow_with_the_number_of_unknowns() -> None:
    limits = [Patience(n).limit for n in (SMALL, 3_000, 5_000, 1_000_000)]
    assert limits == sorted(limits)
    assert limits[0] == FEWEST
    assert limits[-1] == MANY


def test_pauses_grow_with_failures_in_a_row_and_end_with_a_success() -> None:
    patience, pauses = Patience(1_000), []
    for _ in range(6):
        patience.learn(worked=False)
        pauses.append(0)
        while patience.waits():
            pauses[-1] += 1
    assert pauses == [0, 1, 3, LONGEST, LONGEST, LONGEST]
    patience.learn(worked=True)
    assert not patience.waits()


def test_many_unknowns_are_worth_any_number_of_attempts() -> None:
    patience = Patience(1_000_000)
    for _ in range(6):
        patience.learn(worked=False)
        assert not patience.waits()


def test_a_pause_is_remembered() -> None:
    first, second = Patience(1_000), Patience(1_000)
    for _ in range(3):
        first.learn(worked=False)
    first.waits()
    second.restore(first.memory())
    assert [first.waits() for _ in range(4)] == [second.waits() for _ in range(4)] == [True, True, False, False]


def test_calm_motion_needs_few_factorisations_and_keeps_its_energy_as_well() -> None:
    assert calm()[0].pattern.unknowns >= SMALL
    fresh, reused = run(calm(), AVF(), H, 10, reuse="never"), run(calm(), AVF(), H, 10)
    assert sum(f.solve.factorisations for f in reused) < 0.4 * sum(f.solve.factorisations for f in fresh)
    assert drift(reused) < max(10.0 * drift(fresh), 1e-13)
    assert np.allclose(reused[-1].state.x, fresh[-1].state.x, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("stop", [1, 4])
def test_a_run_resumed_in_wild_motion_has_the_same_bits(stop: int) -> None:
    plain = run(wild(), AVF(), H, 6)
    x, memory = resumed(wild(), 6, stop)
    assert memory["patience"].any() or memory["factored"].size  # there is something to be remembered
    assert np.array_equal(x, plain[-1].state.x)


def test_kept_energies_are_those_of_the_state_to_the_bit() -> None:
    system, state = calm()
    for frame in simulate(system, AVF(), state, H, 3):
        sums = {"elastic": 0.0, "gravity": 0.0, "other": 0.0}
        for term, value, _ in system.potential.contributions(one_sample(frame.state.x.copy())):
            sums[term.group] += value
        e = frame.ledger.energies
        assert (e.elastic, e.gravity, e.other) == (sums["elastic"], sums["gravity"], sums["other"])
