"""The recorder: what a frame becomes, energies around vertices, and files that stay in step with the checkpoint."""

from pathlib import Path

import numpy as np
import pytest

from supple.errors import RecordError
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.mesh.shapes.solid import Bar
from supple.model.assemble import assemble
from supple.model.body import Body
from supple.model.initial import Initial, Twist
from supple.model.world import World
from supple.progress import Progress, begin, restore
from supple.recording.cadence import EveryStep
from supple.recording.checkpoint import read_checkpoint
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import COLUMNS, read_history
from supple.recording.playback import open_animation
from supple.recording.recorder import Plan, Recorder
from supple.solvers.tools import StepTools

H = 1 / 30
BAR = Body(
    Bar(cells=(8, 1, 1), size=(4.0, 0.5, 0.5)),
    StVK(1000.0, 500.0),
    mass=1.0,
    pin="left",
    initial=Initial(twist=Twist("x", np.pi / 4, (0.0, 0.25, 0.25))),
)
MODEL = assemble(World([BAR], gravity=0.0))
SYSTEM, START = MODEL.system, MODEL.state
PLAN = Plan(EveryStep(2), 4, 1e9, {"scene": "x"}, {"up": "y"})


def record(recorder: Recorder, progress: Progress, tools: StepTools, steps: int) -> None:
    for frame in simulate(SYSTEM, AVF(), progress, H, steps, tools):
        recorder.record(frame)


def new(path: Path) -> tuple[Recorder, Progress, StepTools]:
    tools = StepTools(SYSTEM)
    progress = begin(SYSTEM, AVF(), START, tools)
    return Recorder.create(RunFolder.create(path), MODEL, PLAN), progress, tools


def test_the_energy_around_vertices_adds_up() -> None:
    density = MODEL.energy_density(START.x)
    elastic = SYSTEM.potential.by_group(START.x)["elastic"]
    assert float((density * MODEL.sizes).sum()) == pytest.approx(elastic, rel=1e-13)
    assert density.min() >= 0.0


def test_rows_frames_and_status(tmp_path: Path) -> None:
    recorder, progress, tools = new(tmp_path / "run")
    record(recorder, progress, tools, 5)
    assert recorder.finish(RunStatus.FINISHED) == []
    folder = RunFolder.open(tmp_path / "run")
    history = read_history(folder.history)
    assert tuple(history) == COLUMNS
    assert history["step"].tolist() == list(range(6))
    left = history["total"] + history["dissipated"] - history["external_work"] - history["total"][0]
    np.testing.assert_array_equal(left, history["residual"])
    with open_animation(folder.animation) as animation:
        np.testing.assert_allclose(animation.times, [0, 2 * H, 4 * H])
        np.testing.assert_array_equal(animation.points(0), START.x.astype(np.float32))
    assert folder.status is RunStatus.FINISHED
    assert "finished after step 5" in folder.log.read_text()


def test_reopen_cuts_back_to_the_checkpoint(tmp_path: Path) -> None:
    recorder, progress, tools = new(tmp_path / "run")
    record(recorder, progress, tools, 3)
    recorder.save()
    record(recorder, progress, tools, 6)  # beyond the checkpoint: to be forgotten
    recorder.finish(RunStatus.INTERRUPTED, "by a test")
    recorder.folder.close()
    expected = read_history(recorder.folder.history)

    folder = RunFolder.open(tmp_path / "run", writing=True)
    saved = read_checkpoint(folder.path)
    tools = StepTools(SYSTEM)
    progress = restore(saved.meta, saved.arrays, tools)
    again = Recorder.reopen(folder, MODEL, PLAN, saved)
    assert read_history(folder.history)["step"].tolist() == [0, 1, 2, 3]
    record(again, progress, tools, 6)
    again.finish(RunStatus.FINISHED)
    found = read_history(folder.history)
    for column in COLUMNS[:-1]:
        np.testing.assert_array_equal(found[column], expected[column])
    with open_animation(folder.animation) as animation:
        assert len(animation) == 4
    assert "by a test" in folder.log.read_text()


def test_what_cannot_be_done_at_the_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, progress, tools = new(tmp_path / "run")
    record(recorder, progress, tools, 1)

    def refuse(_: Path) -> None:
        raise RecordError("the disk is full")

    monkeypatch.setattr("supple.recording.recorder.repack", refuse)
    assert recorder.finish(RunStatus.FINISHED) == ["the disk is full"]
    with open_animation(recorder.folder.animation) as animation:
        assert len(animation) == 1
