"""A scene run into a folder, from its start or from the last checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supple import __version__
from supple.errors import RecordError, SuppleError
from supple.linalg.factorisation import available_backends, best_backend
from supple.progress import Progress, begin, restore
from supple.recording.cadence import EveryStep, FramesPerSecond
from supple.recording.checkpoint import read_checkpoint
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.recorder import Recorder, Subject
from supple.scene.build import build
from supple.scene.load import dump_scene, load_scene, scene_hash
from supple.scene.schema import Scene
from supple.simulate import Frame, simulate
from supple.solvers.tools import StepTools


@dataclass
class Run:
    """A run that is ready to go: iterate over `frames()`, then `finish`."""

    scene: Scene
    folder: RunFolder
    steps: int
    progress: Progress
    recorder: Recorder
    notes: tuple[str, ...]
    _tools: StepTools
    _subject: Subject

    def frames(self) -> Iterator[Frame]:
        """Simulate and record; each frame is on file when it is yielded."""
        integrator, h = self.scene.integrator.make(), self.scene.time.step
        for frame in simulate(self._subject.system, integrator, self.progress, h, self.steps, self._tools):
            self.recorder.record(frame)
            yield frame

    def finish(self, status: RunStatus) -> None:
        """Close the files, draw the energy plot, release the folder."""
        from supple.recording.history import read_history
        from supple.render.energy_plot import plot_energy

        self.recorder.finish(status)
        try:
            title = f"{self.scene.title or self.scene.source}: {self.scene.integrator.made_from.name}"
            plot_energy(read_history(self.folder.history), self.folder.energy_plot, title)
        except RecordError as problem:
            self.recorder.log(str(problem))
        finally:
            self._tools.solver.close()
            self.folder.close()


def start_run(scene: Scene, out: Path, steps: int | None = None, overwrite: bool = False) -> Run:
    """A new run of a scene into the folder `out`; the scene is built before the folder is touched."""
    assembled = build(scene)
    tools = StepTools(assembled.system, scene.solver.make())
    folder = RunFolder.create(out, overwrite)
    try:
        folder.scene.write_text(dump_scene(scene), encoding="utf-8")
        subject = Subject(assembled.system, assembled.mesh, assembled.share)
        progress = begin(assembled.system, scene.integrator.make(), assembled.state, tools)
        count = steps if steps is not None else scene.time.steps
        recorder = _recorder(scene, folder, subject, progress, tools)
        recorder.create(_cadence(scene).frames(count, scene.time.step), _metadata(scene))
        for note in assembled.notes:
            recorder.log(note)
        return Run(scene, folder, count, progress, recorder, assembled.notes, tools, subject)
    except BaseException:
        folder.close()
        raise


def resume_run(out: Path, steps: int | None = None) -> Run:
    """Continue a run after its last checkpoint, as if it had never stopped."""
    folder = RunFolder.open(out, writing=True)
    try:
        scene = load_scene(folder.scene)
        saved = read_checkpoint(folder.path)
        notes = [saved.note] if saved.note else []
        notes += _differences(saved.meta, _identity(scene), folder.path)
        assembled = build(scene)
        tools = StepTools(assembled.system, scene.solver.make())
        progress = restore(saved.meta, saved.arrays, tools)
        count = steps if steps is not None else max(scene.time.steps, progress.whole_steps)
        subject = Subject(assembled.system, assembled.mesh, assembled.share)
        recorder = _recorder(scene, folder, subject, progress, tools)
        recorder.reopen(_cadence(scene).frames(count, scene.time.step), saved)
        folder.mark(RunStatus.RUNNING)
        for note in notes:
            recorder.log(note)
        return Run(scene, folder, count, progress, recorder, tuple(notes), tools, subject)
    except BaseException:
        folder.close()
        raise


def _recorder(scene: Scene, folder: RunFolder, subject: Subject, progress: Progress, tools: StepTools) -> Recorder:
    seconds = scene.record.checkpoint_seconds
    return Recorder(folder, subject, _cadence(scene), progress, tools, seconds, _identity(scene))


def _cadence(scene: Scene) -> EveryStep | FramesPerSecond:
    if scene.record.fps is not None:
        return FramesPerSecond(scene.record.fps)
    return EveryStep(scene.record.every or 1)


def _metadata(scene: Scene) -> dict[str, str | float]:
    return {
        "units": "SI (m, kg, s)",
        "up": scene.world.up,
        "scene": scene.title or scene.source,
        "integrator": scene.integrator.made_from.name,
        "step": scene.time.step,
        "supple": __version__,
    }


def _identity(scene: Scene) -> dict[str, Any]:
    """What decides about the bits of a run, besides its state."""
    backend = scene.solver.make().backend
    name = best_backend() if backend == "auto" else backend
    return {"scene": scene_hash(scene), "supple": __version__, "backend": f"{name} ({available_backends()[name]})"}


def _differences(saved: dict[str, Any], now: dict[str, Any], path: Path) -> list[str]:
    if saved["scene"] != now["scene"]:
        raise SuppleError(
            f"{path}: scene.toml was changed after the checkpoint was made; undo the change, or start a new run from it"
        )
    return [
        f"the run began with {key} {saved[key]}, now it is {now[key]}: the rest may differ in the last digits"
        for key in ("supple", "backend")
        if saved[key] != now[key]
    ]
