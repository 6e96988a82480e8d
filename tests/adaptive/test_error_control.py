"""Steps controlled by their error, and runs with steps of any length: frames, saves, scenes."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from swinging import pendulum, three_masses

from builders import Setup, four_nodes, run, twisted_bar
from supple.adaptive.error_control import ErrorControl
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule, PhaseRule, PosesRule
from supple.budget.energy_budget import EnergyBudget
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.runge_kutta import RK4
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.tr_bdf2 import TRBDF2
from supple.loop import simulate
from supple.recording.cadence import between
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.recording.playback import open_animation
from supple.runs.run import start_run
from supple.scene.text.load import load_scene, read_scene

TOLERANCE = 3e-3
FINE = 0.01


@cache
def reference(body: Callable[[], Setup], duration: float) -> list[State]:
    """Fine steps, some of them beyond the end of the run."""
    system, start = body()
    return [f.state for f in simulate(system, RK4(), start, FINE, round(1.2 * duration / FINE))]


def worst(body: Callable[[], Setup], method: Any, duration: float) -> float:
    """Largest distance from a fine reference, relative to the size of the body and the time of the run [1/s]."""
    (system, start), fine = body(), reference(body, duration)
    size = float(np.linalg.norm(np.ptp(start.x, axis=0))) or 1.0
    found = []
    for frame in simulate(system, method, start, 0.02, round(duration / 0.02)):
        k = int(frame.state.t / FINE)
        d = frame.state.x - between(fine[k], fine[k + 1], frame.state.t).x
        found.append(np.sqrt(np.einsum("i,ij,ij->", system.mass, d, d) / system.mass.sum()))
    return max(found) / size / duration


@pytest.mark.parametrize("method", [AVF(), TRBDF2()], ids=lambda m: m.name)
@pytest.mark.parametrize("body", [three_masses, four_nodes, pendulum])
def test_the_tolerance_is_met_within_a_factor_of_three(body: Any, method: Any) -> None:
    found = worst(body, ErrorControl(method, tolerance=TOLERANCE), 2.0)
    assert TOLERANCE / 3 <= found <= 3 * TOLERANCE


def test_a_tolerance_ten_times_finer_is_ten_times_better() -> None:
    coarse, fine = (worst(three_masses, ErrorControl(Verlet(), tolerance=t), 1.0) for t in (1e-2, 1e-3))
    assert coarse / fine == pytest.approx(10.0, rel=0.35)


def test_rejected_steps_are_counted() -> None:
    frames = run(pendulum(), ErrorControl(Verlet(), tolerance=1e-4), 1.0, 1)
    assert frames[1].rejected >= 2
    assert frames[1].h < 0.2
    halved = run(twisted_bar(), BackwardEuler(), 1 / 30, 2, max_iterations=5)
    assert sum(f.rejected for f in halved) > 0


def test_limits_of_the_step() -> None:
    frames = run(pendulum(), ErrorControl(Verlet(), tolerance=1e-9, h_min=0.01), 0.02, 10)
    assert {round(f.h, 12) for f in frames[1:]} == {0.01}
    frames = run(pendulum(), ErrorControl(Verlet(), tolerance=1.0, h_max=0.05), 0.02, 10)
    assert max(f.h for f in frames) == pytest.approx(0.05, rel=1e-12)


def test_the_ledger_closes() -> None:
    """AVF keeps the balance of each of its steps, of whatever length."""
    frames = run(four_nodes(damping=0.3), ErrorControl(AVF(), tolerance=1e-2), 0.02, 20)
    last = frames[-1].ledger
    assert last.dissipated > 0.1
    assert abs(last.residual) <= 1e-10 * last.energies.scale
    budget = run(four_nodes(gravity=0.0), EnergyBudget(ErrorControl(BackwardEuler(), tolerance=0.1)), 0.02, 20)
    assert abs(budget[-1].ledger.residual) <= 1e-11 * budget[-1].ledger.energies.scale
    assert len({f.h for f in budget}) > 3


@pytest.mark.parametrize("name", ["bdf2", "sbdf2", "quasi-static"])
def test_methods_that_cannot_change_their_steps(name: str) -> None:
    with pytest.raises(
        SuppleError, match=rf"integrator.adaptive: found '{name}', which (uses the previous step|has no time scale)"
    ):
        ErrorControl(INTEGRATORS.find(name)())
    with pytest.raises(SuppleError, match="which chooses its steps itself"):
        ErrorControl(AdaptiveReversible(PosesRule()))


def test_a_run_lasts_as_long_as_it_should() -> None:
    frames = run(three_masses(), AdaptiveReversible(ElasticRule(2.0)), 0.02, 10)
    assert frames[-2].state.t < 0.2 - 1e-9
    assert 0.2 <= frames[-1].state.t < 0.22
    assert len(frames) > 14
    assert all(b.state.t - a.state.t == pytest.approx(b.h, rel=1e-9) for a, b in pairwise(frames))


def test_frames_come_at_even_times_and_the_history_has_the_steps(tmp_path: Path) -> None:
    job = start_run(load_scene("three-masses", ["time.duration=0.5", "record.every=2"]), tmp_path / "run")
    steps = [frame.state for frame in job.frames()]
    job.save()
    assert job.finish(RunStatus.FINISHED) == []
    history = read_history(tmp_path / "run" / "history.csv")
    assert len(set(history["h"])) > 15
    assert history["time"][-1] == steps[-1].t
    with open_animation(tmp_path / "run" / "animation.vtkhdf") as animation:
        np.testing.assert_allclose(animation.times, np.arange(13) * 0.04, rtol=0, atol=1e-12)
        k = int(np.searchsorted([s.t for s in steps], 0.4))
        wanted = between(steps[k - 1], steps[k], 0.4)
        np.testing.assert_allclose(animation.points(10), wanted.x, rtol=0, atol=1e-6)


def test_scenes(tmp_path: Path) -> None:
    body = {"mesh": {"shape": "rope", "segments": 1}, "material": {"name": "hooke-spring", "stretch": 1.0}, "mass": 1.0}
    plain = {"time": {"step": 0.1}, "body": [body]}

    def made(**integrator: Any) -> Any:
        return read_scene({**plain, "integrator": integrator}, tmp_path).integrator

    assert made(name="avf", adaptive=True).make() == ErrorControl(AVF())
    assert made(name="avf", adaptive={"tolerance": 0.1}).label == "avf + adaptive"
    assert made(name="avf", adaptive=True, budget=True).make() == EnergyBudget(ErrorControl(AVF()))
    assert made(name="adaptive-reversible", rule="poses").make() == AdaptiveReversible(PosesRule())
    phase = made(name="adaptive-naive", of="verlet", rule={"name": "phase", "tau": 0.1}, h_max=0.2)
    assert phase.make() == AdaptiveNaive(PhaseRule(tau=0.1), h_max=0.2, of=Verlet())
    scene = read_scene({**plain, "integrator": {"name": "adaptive-reversible", "rule": "poses"}}, tmp_path)
    assert scene.integrator.label == "adaptive-reversible"
    eps = read_scene(scene.model_dump(exclude_none=True), tmp_path, "", ["integrator.rule.eps=3.0"])
    assert eps.integrator.make() == AdaptiveReversible(PosesRule(3.0))
