"""Keeps what a run yields: a history row for every step, frames of the animation, checkpoints now and then."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.dynamics.invariants import momenta
from supple.dynamics.system import System
from supple.errors import RecordError
from supple.mesh.mesh import Mesh
from supple.progress import Progress
from supple.recording.animation import AnimationWriter, repack
from supple.recording.cadence import EveryStep, FramesPerSecond
from supple.recording.cells import Cells
from supple.recording.checkpoint import Checkpoint, write_checkpoint
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import HistoryWriter
from supple.simulate import Frame
from supple.solvers.tools import StepTools
from supple.types import Array


@dataclass(frozen=True)
class Subject:
    """What is being recorded."""

    system: System
    mesh: Mesh
    share: Array
    """(n,) volume that each vertex stands for [m^3] (or area, or length)."""

    def energy_density(self, x: Array) -> Array:
        """(n,) elastic energy around each vertex over the volume it stands for [J/m^3]."""
        energy = np.zeros(len(x))
        for term in self.system.potential.terms:
            if term.group == "elastic":
                k = term.elements.shape[1]
                np.add.at(energy, term.elements.ravel(), np.repeat(term.element_values(x) / k, k))
        return energy / self.share


class Recorder:
    """Order of a step: animation, history, then perhaps a checkpoint; a kill in between loses nothing that counts."""

    def __init__(
        self,
        folder: RunFolder,
        subject: Subject,
        cadence: EveryStep | FramesPerSecond,
        progress: Progress,
        tools: StepTools,
        checkpoint_seconds: float,
        identity: Mapping[str, Any],
    ) -> None:
        """`identity`: what a later continuation must agree with; use `create` or `reopen`."""
        self.folder = folder
        self._subject = subject
        self._cadence = cadence
        self._progress = progress
        self._tools = tools
        self._seconds = checkpoint_seconds
        self._identity = dict(identity)
        self._before = progress.state
        self._saved = time.monotonic()
        self._animation: AnimationWriter
        self._history: HistoryWriter

    def create(self, frames: int, metadata: Mapping[str, str | float]) -> Recorder:
        """Start new files."""
        mesh = self._subject.mesh
        self._history = HistoryWriter.create(self.folder.history)
        self._animation = AnimationWriter.create(self.folder.animation, Cells.of(mesh), mesh.n, frames, metadata)
        return self

    def reopen(self, frames: int, checkpoint: Checkpoint) -> Recorder:
        """Continue files, cut back to the checkpoint."""
        self._history = HistoryWriter.reopen(self.folder.history, checkpoint.meta["step"])
        self._animation = AnimationWriter.reopen(self.folder.animation, checkpoint.meta["frames"], frames)
        return self

    def record(self, frame: Frame) -> None:
        """Keep one frame."""
        for state in self._cadence.due(self._before, frame, self._progress.whole_steps, len(self._animation)):
            self._animation.record(state.t, state.x, state.v, self._subject.energy_density(state.x))
        self._before = frame.state
        self._history.append(self._row(frame))
        if frame.note:
            self.log(frame.note)
        if frame.step == 0 or time.monotonic() - self._saved >= self._seconds:
            self.save()

    def save(self) -> None:
        """Write a checkpoint of where the run is now."""
        self._animation.sync()
        self._history.sync()
        meta, arrays = self._progress.save(self._tools)
        write_checkpoint(self.folder.path, {**meta, "frames": len(self._animation), **self._identity}, arrays)
        self._saved = time.monotonic()

    def log(self, line: str) -> None:
        """Add a line to log.txt."""
        with self.folder.log.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def finish(self, status: RunStatus) -> None:
        """Close everything; a finished animation is packed."""
        if status is not RunStatus.FAILED or self._progress.step:
            self._quietly(self.save)
        self._history.close()
        self._animation.close()
        if status is RunStatus.FINISHED:
            self._quietly(lambda: repack(self.folder.animation))
        self._quietly(lambda: self.folder.mark(status))

    def _quietly(self, action: Any) -> None:
        """On a full disk the last good files stay; the reason was told by whoever met it first."""
        try:
            action()
        except RecordError as problem:
            try:
                self.log(str(problem))
            except OSError:
                return

    def _row(self, frame: Frame) -> dict[str, float | int]:
        return history_row(self._subject.system, frame)


def history_row(system: System, frame: Frame) -> dict[str, float | int]:
    """One row of history.csv."""
    e, ledger, solve = frame.ledger.energies, frame.ledger, frame.solve
    p, angular = momenta(system, frame.state)
    return {
        "step": frame.step,
        "time": frame.state.t,
        "h": frame.h,
        "kinetic": e.kinetic,
        "elastic": e.elastic,
        "gravity": e.gravity,
        "other": e.other,
        "total": e.total,
        "dissipated": ledger.dissipated,
        "external_work": ledger.external_work,
        "residue": ledger.residue,
        **dict(zip(("px", "py", "pz"), p.tolist(), strict=True)),
        **dict(zip(("lx", "ly", "lz"), angular.tolist(), strict=True)),
        "newton_iterations": solve.iterations,
        "factorisations": solve.factorisations,
        "line_search_steps": solve.line_search_steps,
        "gradient_norm": solve.gradient_norm,
        "wall_seconds": frame.wall_seconds,
    }
