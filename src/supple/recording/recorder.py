"""Records a run: a history row per step, frames of the animation, and periodic checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.errors import RecordError
from supple.linalg.reduce import largest
from supple.loop import Frame
from supple.model.model import Model
from supple.recording.animation import AnimationWriter, check_frames, repack
from supple.recording.cadence import Cadence
from supple.recording.cells import Cells
from supple.recording.checkpoint import Checkpoint, write_checkpoint
from supple.recording.files import trouble
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import WORK, HistoryWriter
from supple.types import Array

_HISTORY, _FILM = "history", "film"
"""Keys of a checkpoint: digests of the files that it belongs to."""


@dataclass(frozen=True)
class Plan:
    """Recorded data of a run, and how often."""

    cadence: Cadence
    frames: int
    """Expected number of frames; more are possible at the cost of a copy."""
    checkpoint_seconds: float
    """Wall time between two checkpoints [s]."""
    identity: Mapping[str, Any]
    """Identity that a continuation must match; stored in every checkpoint."""
    metadata: Mapping[str, str | float]
    """Metadata of the animation."""
    deformation: bool = False
    """Whether the animation contains the deformation gradients of material points."""


class Recorder:
    """Order of a step: animation, history, then possibly a checkpoint; a kill in between loses no committed data."""

    def __init__(
        self,
        folder: RunFolder,
        model: Model,
        plan: Plan,
        history: HistoryWriter,
        animation: AnimationWriter,
        last: tuple[int, State | None] = (-1, None),
    ) -> None:
        """Use `create` or `reopen`. `last`: the last recorded step, and the state after it."""
        self.folder = folder
        self._model = model
        self._plan = plan
        self._history = history
        self._animation = animation
        self._last_step, self._before = last
        self._frame: Frame | None = None
        self._saved = time.monotonic()

    @classmethod
    def create(cls, folder: RunFolder, model: Model, plan: Plan) -> Recorder:
        """Start new files."""
        history = HistoryWriter.create(folder.history, model.system.works)
        mesh = model.mesh
        cells = Cells.of(mesh, model.particles)
        animation = AnimationWriter.create(
            folder.animation, cells, mesh.n, plan.frames, plan.metadata, plan.deformation
        )
        return cls(folder, model, plan, history, animation)

    @classmethod
    def reopen(cls, folder: RunFolder, model: Model, plan: Plan, checkpoint: Checkpoint) -> Recorder:
        """Continue files, truncated to the checkpoint from which the run continues."""
        meta, arrays = checkpoint.meta, checkpoint.arrays
        step, frames = checkpoint.count("step"), checkpoint.count("frames")
        check_frames(folder.animation, frames, model.mesh.n, meta.get(_FILM))  # before anything is cut off
        history = HistoryWriter.reopen(folder.history, step, meta.get(_HISTORY), _figures(meta))
        animation = AnimationWriter.reopen(folder.animation, frames, plan.frames)
        last = step, State(meta["t"], arrays["x"], arrays["v"])
        return cls(folder, model, plan, history, animation, last)

    def record(self, frame: Frame) -> None:
        """Record one frame; the loop yields the initial state again when it continues from there."""
        if frame.step <= self._last_step:
            return
        before = frame.state if self._before is None else self._before
        for state in self._plan.cadence.due(before, frame, frame.whole_steps, len(self._animation)):
            energy = energy_density(self._model, frame, state)
            F = frame.deformations() if self._plan.deformation else None
            self._animation.record(state.t, state.x, state.v, energy, F)
        self._before, self._frame = frame.state, frame
        self._history.append(history_row(self._model, frame, self._model.system.works))
        self._last_step = frame.step
        if frame.note:
            self.log(frame.note)
        if frame.step == 0 or time.monotonic() - self._saved >= self._plan.checkpoint_seconds:
            self.save()

    def save(self) -> None:
        """Write a checkpoint of the current state; only between two steps, when the last one is recorded. Before the first
        frame there is nothing new to store."""
        if self._frame is None:
            return
        self.folder.demand_own()
        self._animation.sync()
        self._history.sync()
        meta, arrays = self._frame.save()
        fits = {_HISTORY: self._history.digest, _FILM: self._animation.digest()}
        meta = {**meta, "frames": len(self._animation), **fits, **self._plan.identity}
        write_checkpoint(self.folder.path, meta, arrays)
        self._saved = time.monotonic()

    def log(self, line: str) -> None:
        """Add a line to log.txt."""
        self.folder.demand_own()
        try:
            with self.folder.log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise trouble(self.folder.log, "write", error) from error

    def finish(self, status: RunStatus, reason: str = "", plot: Callable[[], None] = lambda: None) -> list[str]:
        """Close everything, pack a finished animation, plot, and log the status with its reason.

        The status is stored last: a run that is killed before is resumed, and its files are completed then.
        Returns problems, such as lack of disk space. The last checkpoint is unchanged: after an
        error the state in memory may be that of an incomplete step.
        """
        self._history.close()
        self._animation.close()
        last = f"{status.value} after step {max(self._last_step, 0)}" + (f": {reason}" if reason else "")
        actions: list[Callable[[], None]] = [plot, lambda: self.log(last), lambda: self.folder.mark(status)]
        if status is RunStatus.FINISHED:
            actions.insert(0, lambda: repack(self.folder.animation))
        if moved := _complaint(self.folder.demand_own):
            return [moved]
        return [problem for action in actions if (problem := _complaint(action))]


def _figures(meta: Mapping[str, Any]) -> dict[str, float]:
    """What the last row of the history shows of a checkpoint."""
    _, dissipated, work, *_ = meta["ledger"]
    energies = dict(zip(("kinetic", "elastic", "gravity", "other"), meta["energies"], strict=True))
    return {"time": meta["t"], **energies, "dissipated": dissipated, "external_work": work}


def _complaint(action: Callable[[], None]) -> str:
    try:
        action()
    except RecordError as problem:
        return str(problem)
    return ""


def energy_density(model: Model, frame: Frame, state: State) -> Array:
    """(n,) energy density of a frame at a nearby state; particles use their deformation after it [J/m^3]."""
    return model.energy_density(state.x, frame.densities() if model.system.clouds else None, state.t)


def history_row(model: Model, frame: Frame, works: Sequence[str] = ()) -> dict[str, float | int]:
    """One row of history.csv, with the work of time-dependent parameters."""
    system, e, ledger, solve = model.system, frame.ledger.energies, frame.ledger, frame.solve
    squeezed = model.volumes.count(frame.state.x)
    with np.errstate(over="ignore", invalid="ignore"):  # a diverging run is recorded to its end
        p, angular = frame.momenta() if system.on_grid else momenta(system, frame.state)
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
        "residual": ledger.residual,
        **dict(zip(("px", "py", "pz"), p.tolist(), strict=True)),
        **dict(zip(("lx", "ly", "lz"), angular.tolist(), strict=True)),
        "newton_iterations": solve.iterations,
        "factorisations": solve.factorisations,
        "line_search_steps": solve.line_search_steps,
        "rejected_steps": frame.rejected,
        "gradient_norm": solve.gradient_norm,
        "constraint_error": largest(system.constraints.distances(frame.state.x)),
        "constraint_force": largest(solve.constraint_forces),
        "inverted_elements": squeezed.inverted,
        "crushed_elements": squeezed.crushed,
        "exceptional": frame.exceptional,
        "rescued": ledger.rescued,
        **asdict(ledger.grid),
        "held": ledger.held,
        "springs": ledger.springs,
        "doubtful": frame.doubtful,
        "wall_seconds": frame.wall_seconds,
        **{WORK + name: ledger.timed.get(name, 0.0) for name in works},
    }
