"""A recording of a live simulation: a run folder without checkpoints, for `supple view`, `render` and `export`.

Time is that of the simulation. Actions of the user are external work: pulls, and the energy that a state gains
or loses when a material changes. So the ledger of the recording closes from its first row to its last. The log lists
changes of settings with their times; scene.toml has the initial ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.errors import RecordError
from supple.loop import Frame
from supple.recording.animation import AnimationWriter, repack
from supple.recording.cells import Cells
from supple.recording.files import replace_bytes
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import HistoryWriter, read_history
from supple.recording.recorder import history_row
from supple.runs.keep import keep_scene, kept_files, recording_plan
from supple.scene.text.load import dump_scene
from supple.solvers.report import SolveReport
from supple.viewer.session import Session
from supple.viewer.settings import Settings


class Tape:
    """Records from construction until `close`."""

    def __init__(self, out: Path, session: Session) -> None:
        self._session, self._scene = session, session.scene
        self._folder = RunFolder.create(out)
        try:
            keep_scene(self._folder, self._scene, kept_files(session.model)[0])
            plan = recording_plan(self._scene, session.model)
            mesh = session.model.mesh
            self._cadence = plan.cadence
            self._history = HistoryWriter.create(self._folder.history)
            self._animation = AnimationWriter.create(
                self._folder.animation, Cells.of(mesh, session.model.particles), mesh.n, plan.frames, plan.metadata
            )
        except BaseException:
            self._folder.close()
            raise
        self._settings = session.settings
        self._begin = self._before = session.state
        self._seen = session.ledger
        held = self._seen.held
        self._ledger = Ledger(self._seen.energies, self._seen.energies.total + held, held=held)
        self._rows = self._whole = 0
        self._log(f"recorded live from t = {session.state.t:g} s on")
        self._keep(Frame(0, session.state, 0.0, self._ledger, SolveReport(), 0.0, True, momenta=session.momenta))

    @property
    def path(self) -> Path:
        return self._folder.path

    def __len__(self) -> int:
        """Frames so far."""
        return len(self._animation)

    def add(self, frames: Sequence[Frame]) -> None:
        """Record the frames of a step of the session."""
        for frame in frames:
            seen, now = self._seen, frame.ledger
            taken, work = now.dissipated - seen.dissipated, now.external_work - seen.external_work
            own = self._ledger
            sums = own.dissipated + taken, own.external_work + work
            self._ledger = Ledger(now.energies, own.initial, *sums, held=now.held)
            self._seen = now
            self._whole += frame.whole
            self._keep(replace(frame, step=self._rows, ledger=self._ledger))
            if frame.note:
                self._log(frame.note)

    def changed(self) -> None:
        """Record new settings of the session, and a possible change of energy."""
        now, work = self._session.ledger, 0.0
        if now.initial != self._seen.initial:  # its ledger restarts
            work = now.energies.total - self._seen.energies.total
            self._seen = now
        self._ledger = replace(self._ledger, energies=now.energies, external_work=self._ledger.external_work + work)
        words = ", ".join(_differences(self._settings, self._session.settings))
        self._settings = self._session.settings
        if words:
            self._log(
                f"t = {self._session.state.t:g} s: {words}" + (f" ({work:+.6g} J of external work)" if work else "")
            )

    def close(self) -> str:
        """Close the recording; returns a problem, or an empty text."""
        from supple.render.plots.svg import plot_energy

        folder = self._folder
        try:
            self._history.close()
            self._animation.close()
            repack(folder.animation)
            length = self._before.t - self._begin.t
            time = self._scene.time.model_copy(update={"duration": max(length, self._scene.time.step)})
            replace_bytes(folder.scene, dump_scene(self._scene.model_copy(update={"time": time})).encode())
            name = f"{self._scene.title or folder.path.name} ({self._scene.integrator.label})"
            plot_energy(read_history(folder.history), folder.energy_plot, name)
            self._log(f"ended at t = {self._before.t:g} s, after {self._rows - 1} steps")
            folder.mark(RunStatus.FINISHED)
        except RecordError as problem:
            with suppress(RecordError):
                folder.mark(RunStatus.FAILED)
            return str(problem)
        finally:
            folder.close()
        return ""

    def _keep(self, frame: Frame) -> None:
        """Times of frames count from the beginning of the recording."""
        t0 = self._begin.t
        shifted = replace(frame, state=_later(frame.state, -t0))
        for state in self._cadence.due(_later(self._before, -t0), shifted, self._whole, len(self._animation)):
            energy = (
                self._session.energy_density()
                if self._session.model.system.clouds
                else self._session.model.energy_density(state.x, t=frame.state.t)
            )
            self._animation.record(state.t + t0, state.x, state.v, energy)
        self._before = frame.state
        self._history.append(history_row(self._session.model, frame))
        self._rows += 1

    def _log(self, line: str) -> None:
        with self._folder.log.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _later(state: State, seconds: float) -> State:
    return State(state.t + seconds, state.x, state.v)


def _differences(old: Settings, new: Settings) -> list[str]:
    before = asdict(old)
    return [f"{key} {before[key]} -> {value}" for key, value in asdict(new).items() if value != before[key]]
