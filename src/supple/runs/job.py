"""A prepared run: frames are simulated, watched and recorded one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from supple.errors import StepFailed
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.progress import Progress
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.recorder import Recorder
from supple.runs.notes.fall_watch import FallWatch
from supple.runs.notes.gap_watch import GapWatch
from supple.runs.notes.squeeze_watch import SqueezeWatch
from supple.runs.notes.stability import stability_note
from supple.runs.notes.trouble import TroubleWatch
from supple.scene.tables.scene import Scene
from supple.solvers.tools import StepTools


@dataclass
class Job:
    """A prepared run: iterate over `frames()`, `save()`, then `finish` in any case."""

    scene: Scene
    folder: RunFolder
    progress: Progress
    notes: tuple[str, ...]
    """Notes on repairs and differences; also in the log."""
    model: Model
    _tools: StepTools
    _recorder: Recorder

    @property
    def steps(self) -> int:
        """Number of whole steps of the complete run."""
        return self.scene.time.steps

    @property
    def name(self) -> str:
        """Title and method, for display."""
        return f"{self.scene.title or self.folder.path.name} ({self.scene.integrator.label})"

    def frames(self) -> Iterator[Frame]:
        """Simulate and record; each frame is on file when it is yielded."""
        setup, model = self.scene.make(), self.model
        watches = (TroubleWatch(model), GapWatch(model.contact), SqueezeWatch(model), FallWatch(model))
        try:
            for frame in simulate(model.system, setup.method, self.progress, setup.h, self.steps, self._tools):
                for watch in watches:
                    frame = watch.told(frame)
                self._recorder.record(frame)
                yield frame
        except StepFailed as problem:
            remedy = stability_note(model, setup.method, setup.h, setup.duration)
            raise StepFailed(f"{problem}; {remedy}" if remedy else str(problem)) from problem

    def save(self) -> None:
        """Write a checkpoint after the frame that was yielded last."""
        self._recorder.save()

    def finish(self, status: RunStatus, reason: str = "") -> list[str]:
        """Close the files, draw the energy plot, release the folder; returns a problem, if any."""
        from supple.recording.history import read_history
        from supple.render.plots.svg import plot_energy

        def plot() -> None:
            plot_energy(read_history(self.folder.history), self.folder.energy_plot, self.name)

        try:
            return self._recorder.finish(status, reason, plot)
        finally:
            self._tools.close()
            self.folder.close()
