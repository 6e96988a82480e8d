"""The simulation process: messages act, it ends with its parent, and its memory goes."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_bar import bar

from child import environment
from supple.viewer.figures import INDEX
from supple.viewer.messages import Change, Colour, Colouring, Hold, Play, RealTime, Release, Reset, Step
from supple.viewer.page.surface import mesh_surface
from supple.viewer.settings import settings_of
from supple.viewer.simulation import Simulation

PATIENCE = 120.0


def until(found: Callable[[], bool], what: str) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, f"waited in vain for: {what}"
        time.sleep(0.01)


def figure(simulation: Simulation, name: str) -> float:
    shown = simulation.latest()
    return float(shown.figures[INDEX[name]]) if shown else float("nan")


@pytest.fixture(scope="module")
def simulation() -> Iterator[Simulation]:
    scene = bar()
    with Simulation(scene, mesh_surface(scene.make().assemble().mesh).vertices, settings_of(scene.make())) as running:
        until(lambda: running.latest() is not None, "the first frame")
        yield running
    assert not running.alive


@pytest.fixture(autouse=True)
def from_the_start(simulation: Simulation) -> None:
    simulation.send(Play(False))
    resets = figure(simulation, "resets")
    simulation.send(Change(settings_of(bar().make())))
    simulation.send(Colour(Colouring.NOTHING))
    simulation.send(Reset())
    until(lambda: figure(simulation, "resets") > resets, "a reset")
    simulation.note()


def test_it_waits_until_it_is_told_to_play(simulation: Simulation) -> None:
    assert figure(simulation, "time") == 0.0
    simulation.send(Play(True))
    until(lambda: figure(simulation, "step") >= 5, "five steps")
    simulation.send(Play(False))
    until(lambda: figure(simulation, "playing") == 0, "the pause")
    stood = figure(simulation, "step")
    time.sleep(0.3)
    assert figure(simulation, "step") == stood


def test_single_steps(simulation: Simulation) -> None:
    for _ in range(3):
        simulation.send(Step())
    until(lambda: figure(simulation, "step") == 3, "three steps")
    assert figure(simulation, "time") == pytest.approx(3 / 60)


def test_dragging_moves_the_vertex_and_the_residual_stays(simulation: Simulation) -> None:
    first = simulation.latest()
    assert first
    far = int(np.argmax(first.x[:, 0]))
    simulation.send(Play(True))
    simulation.send(Hold(far, (1.0, 0.8, 0.3)))
    until(lambda: (got := simulation.latest()) is not None and got.x[far, 1] > 0.5, "the vertex to follow")
    assert figure(simulation, "external_work") > 0
    simulation.send(Release())
    until(lambda: figure(simulation, "other") == 0.0, "the release")
    assert abs(figure(simulation, "residual")) < 1e-11 * figure(simulation, "scale")


def test_colours(simulation: Simulation) -> None:
    simulation.send(Colour(Colouring.SPEED))
    simulation.send(Step())
    until(lambda: figure(simulation, "step") == 1, "a step")
    got = simulation.latest()
    assert got
    assert got.values.max() == pytest.approx(9.81 / 60, rel=0.2)
    simulation.send(Colour(Colouring.STRAIN))
    simulation.send(Step())
    until(lambda: (got := simulation.latest()) is not None and got.values.max() > 1.0, "strain energies")


def test_changes_are_told(simulation: Simulation) -> None:
    simulation.send(Change(replace(settings_of(bar().make()), stiffness=2.0)))
    said: list[str] = []
    until(lambda: bool(said.append(simulation.note() or "") or said[-1]), "a note")
    assert said[-1] == "parameters changed: the energy ledger restarts"


def test_what_cannot_be_done_pauses(simulation: Simulation) -> None:
    simulation.send(Change(replace(settings_of(bar().make()), integrator="forward-euler", step=0.2)))
    simulation.send(Play(True))
    simulation.send(RealTime(False))
    said: list[str] = []
    # the witness may report before that energy is created
    until(lambda: bool(said.append(simulation.note() or "") or said[-1].startswith("paused: step ")), "an explosion")
    until(lambda: figure(simulation, "playing") == 0, "the pause")  # the note may come before the figures
    simulation.send(RealTime(True))


def test_a_ghost_keeps_to_its_leader(simulation: Simulation) -> None:
    scene = bar()
    shown = mesh_surface(scene.make().assemble().mesh).vertices
    simulation.send(Reset())
    other = replace(settings_of(scene.make()), integrator="backward-euler")
    with Simulation(scene, shown, other, leader=simulation) as ghost:
        for _ in range(4):
            simulation.send(Step())
        until(lambda: figure(ghost, "step") == 4, "the ghost to follow")
        time.sleep(0.1)
        assert figure(ghost, "step") == 4
        assert figure(ghost, "residual") < 0


PARENT = """
import time
from small_bar import bar
from supple.viewer.settings import settings_of
from supple.viewer.simulation import Simulation
from supple.viewer.page.surface import mesh_surface
if __name__ == "__main__":
    scene = bar()
    simulation = Simulation(scene, mesh_surface(scene.make().assemble().mesh).vertices, settings_of(scene.make()))
    while simulation.latest() is None:
        time.sleep(0.05)
    print(simulation.pid, simulation._slot.name, flush=True)
    time.sleep(300)
"""


def test_a_killed_parent_leaves_nobody_behind(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    around = environment(Path(__file__).parent)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=around)
    assert parent.stdout
    pid, name = parent.stdout.readline().split()
    parent.kill()
    parent.wait()
    until(lambda: not Path(f"/proc/{pid}").exists(), "the end of the orphan")
    until(lambda: not Path(f"/dev/shm/{name}").exists(), "the end of its memory")
