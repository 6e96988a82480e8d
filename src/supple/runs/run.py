"""A scene run into a folder, from its start or from the last checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from supple import __version__
from supple.errors import RecordError, SceneError, StepFailed, SuppleError
from supple.linalg.factors.factorisation import available_backends, best_backend
from supple.linalg.threads import threads
from supple.mesh.mesh import Mesh
from supple.model.assemble import Assembled, build
from supple.progress import Progress, begin, restore
from supple.recording.cadence import Cadence, EveryStep, FramesPerSecond
from supple.recording.checkpoint import Checkpoint, read_checkpoint
from supple.recording.files import replace_bytes
from supple.recording.film import body_ranges
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.recorder import Plan, Recorder, Subject
from supple.runs.model_files import model_copies
from supple.runs.notes.body_lines import body_lines
from supple.runs.notes.fall_watch import FallWatch
from supple.runs.notes.gap_watch import GapWatch
from supple.runs.notes.squeeze_watch import SqueezeWatch
from supple.runs.notes.stability import stability_note
from supple.runs.notes.trouble import TroubleWatch
from supple.runs.notes.undamped import undamped_note
from supple.runs.notes.units import unit_notes
from supple.scene.tables.coarse import coarse_copies
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, load_scene, scene_hash
from supple.simulate import Frame, simulate
from supple.solvers.tools import StepTools


@dataclass
class Run:
    """A run that is ready to go: iterate over `frames()`, `save()`, then `finish` in any case."""

    scene: Scene
    folder: RunFolder
    progress: Progress
    notes: tuple[str, ...]
    """What was repaired or differs; the log has it too."""
    _assembled: Assembled
    _tools: StepTools
    _recorder: Recorder

    @property
    def steps(self) -> int:
        """Whole steps that the run will have when it is finished."""
        return self.scene.time.steps

    @property
    def name(self) -> str:
        """Title and method, for people."""
        return f"{self.scene.title or self.folder.path.name} ({self.scene.integrator.label})"

    def frames(self) -> Iterator[Frame]:
        """Simulate and record; each frame is on file when it is yielded."""
        integrator, h = self.scene.integrator.make(), self.scene.time.step
        built = self._assembled
        watches = (TroubleWatch(built), GapWatch(built.contact), SqueezeWatch(built), FallWatch(self.scene, built))
        try:
            for frame in simulate(built.system, integrator, self.progress, h, self.steps, self._tools):
                for watch in watches:
                    frame = watch.told(frame)
                self._recorder.record(frame)
                yield frame
        except StepFailed as problem:
            remedy = stability_note(self.scene, built)
            raise StepFailed(f"{problem}; {remedy}" if remedy else str(problem)) from problem

    def save(self) -> None:
        """Write a checkpoint after the frame that was yielded last."""
        self._recorder.save()

    def finish(self, status: RunStatus, reason: str = "") -> list[str]:
        """Close the files, draw the energy plot, release the folder; returns what could not be done."""
        from supple.recording.history import read_history
        from supple.render.plots.energy import plot_energy

        try:
            problems = self._recorder.finish(status, reason)
            try:
                plot_energy(read_history(self.folder.history), self.folder.energy_plot, self.name)
            except RecordError as problem:
                problems.append(str(problem))
            return problems
        finally:
            self._tools.close()
            self.folder.close()


def start_run(scene: Scene, out: Path, steps: int | None = None, overwrite: bool = False) -> Run:
    """A new run of a scene into the folder `out`; all that can be refused is refused before the folder is touched."""
    RunFolder.check(out, overwrite)
    scene = scene if steps is None else scene.lasting(steps)
    assembled = build(scene)
    tools = StepTools(assembled.system, scene.solver.make())
    progress = begin(assembled.system, scene.integrator.make(), assembled.state, tools)
    if not math.isfinite(progress.ledger.energies.total):
        raise SceneError(
            f"body.initial: the energy at the start is {progress.ledger.energies.total}; a material with a logarithm "
            "cannot start with flat or inverted tets: change body.initial, or take stable-neo-hookean"
        )
    copies, said = kept_files(scene, assembled)  # before an older run is removed, which they may come from
    folder = RunFolder.create(out, overwrite)
    with _released_on_error(folder):
        keep_scene(folder, scene, copies)
        recorder = Recorder.create(folder, _subject(assembled), recording_plan(scene, assembled))
        return _ready(scene, folder, progress, (*_first_notes(scene, assembled), *said), assembled, tools, recorder)


def _first_notes(scene: Scene, assembled: Assembled) -> tuple[str, ...]:
    """What a run begins with: its bodies, what was chosen or repaired, and what looks wrong."""
    gravity = math.hypot(*scene.world.acceleration)
    doubts = [undamped_note(scene, assembled), stability_note(scene, assembled)]
    return (*body_lines(assembled), *assembled.notes, *unit_notes(assembled, gravity), *filter(None, doubts))


def resume_run(out: Path, steps: int | None = None) -> Run:
    """Continue a run after its last checkpoint as if it had never stopped, up to so many `steps` in all."""
    folder = RunFolder.open(out, writing=True)
    with _released_on_error(folder, mark=False):
        scene = load_scene(folder.scene)
        saved = read_checkpoint(folder.path)
        done = int(saved.meta["whole_steps"])
        if steps is not None and steps < done:
            raise SuppleError(f"--steps {steps}: the run in {out} has taken {done} steps already; give {done} or more")
        wanted = max(done, scene.time.steps) if steps is None else steps
        longer = wanted != scene.time.steps
        scene = scene.lasting(wanted) if longer else scene
        assembled = build(scene)
        notes = (*([saved.note] if saved.note else []), *_differences(saved, _identity(scene, assembled.mesh), out))
        tools = StepTools(assembled.system, scene.solver.make())
        progress = restore(saved.meta, saved.arrays, tools)
        recorder = Recorder.reopen(folder, _subject(assembled), recording_plan(scene, assembled), saved)
        if longer:  # so that another kill does not forget how far it was to go
            replace_bytes(folder.scene, dump_scene(scene).encode())
        folder.mark(RunStatus.RUNNING)
        return _ready(scene, folder, progress, notes, assembled, tools, recorder)


def nothing_left(out: Path, steps: int | None = None) -> bool:
    """Whether the run in `out` is finished and no further steps are asked for."""
    if RunFolder.open(out).status is not RunStatus.FINISHED:
        return False
    return steps is None or steps == int(read_checkpoint(out).meta["whole_steps"])


@contextmanager
def _released_on_error(folder: RunFolder, mark: bool = True) -> Iterator[None]:
    """Let go of the folder if a run cannot begin; `mark` it as failed."""
    try:
        yield
    except BaseException:
        if mark:
            with suppress(RecordError):  # on a full disk nothing can be written down
                folder.mark(RunStatus.FAILED)
        folder.close()
        raise


def _ready(
    scene: Scene,
    folder: RunFolder,
    progress: Progress,
    notes: tuple[str, ...],
    assembled: Assembled,
    tools: StepTools,
    recorder: Recorder,
) -> Run:
    verb = f"goes on after step {progress.step}" if progress.step else "begins"
    backend = _identity(scene, assembled.mesh)["backend"]
    recorder.log(f"{verb}, with supple {__version__}, {backend}, {threads()} threads, {assembled.mesh.n} vertices")
    for note in notes:
        recorder.log(note)
    return Run(scene, folder, progress, notes, assembled, tools, recorder)


def _subject(assembled: Assembled) -> Subject:
    return Subject(assembled.system, assembled.mesh, assembled.share)


def kept_files(scene: Scene, assembled: Assembled) -> tuple[dict[str, bytes], list[str]]:
    """What the folder of a run keeps of the files of its scene, by name, and notes on what does not fit."""
    models, said = model_copies(assembled.parts)
    return {**coarse_copies(scene), **models}, said


def keep_scene(folder: RunFolder, scene: Scene, files: Mapping[str, bytes]) -> None:
    """Write the scene of a run into its folder, and these files beside it."""
    replace_bytes(folder.scene, dump_scene(scene).encode())
    for name, data in files.items():
        replace_bytes(folder.path / name, data)


def recording_plan(scene: Scene, assembled: Assembled) -> Plan:
    """What is recorded of a scene, and how often."""
    cadence: Cadence = EveryStep(scene.record.every or 1)
    if scene.record.fps is not None:
        cadence = FramesPerSecond(scene.record.fps)
    elif scene.integrator.make().adapts:  # frames come as often as with steps that are all alike
        cadence = FramesPerSecond(1.0 / (scene.time.step * (scene.record.every or 1)))
    metadata = {
        "units": "SI (m, kg, s)",
        "up": scene.world.up,
        "scene": scene.title or scene.source,
        "integrator": scene.integrator.label,
        "step": scene.time.step,
        "supple": __version__,
        "bodies": body_ranges(assembled.bodies),
    }
    frames = cadence.frames(scene.time.steps, scene.time.step)
    return Plan(cadence, frames, scene.record.checkpoint_seconds, _identity(scene, assembled.mesh), metadata)


def _identity(scene: Scene, mesh: Mesh) -> dict[str, Any]:
    """What decides about the bits of a run, besides its state."""
    backend = scene.solver.make().backend
    name = best_backend() if backend == "auto" else backend
    shape = blake2b(digest_size=16)
    for array in (mesh.vertices, mesh.edges, mesh.triangles, mesh.tets):
        shape.update(array.tobytes())
    return {
        "scene": scene_hash(scene),
        "mesh": shape.hexdigest(),
        "supple": __version__,
        "backend": f"{name} ({available_backends()[name]})",
        "threads": threads(),
    }


def _differences(saved: Checkpoint, now: dict[str, Any], path: Path) -> list[str]:
    """What is not as it was when the checkpoint was made; a run that would go on with something else is refused."""
    for key, what in (("scene", "scene.toml"), ("mesh", "the mesh")):
        if saved.meta[key] != now[key]:
            raise SuppleError(
                f"{path}: {what} was changed after the checkpoint was made; undo the change, or start a new run from it"
            )
    return [
        f"{key} was {saved.meta[key]} when the run began, now it is {now[key]}: the rest may differ in the last digits"
        for key in ("supple", "backend", "threads")
        if saved.meta[key] != now[key]
    ]
