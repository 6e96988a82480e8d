"""A scene run into a folder, from its start or from the last checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from supple import __version__
from supple.errors import RecordError, SuppleError
from supple.linalg.threads import threads
from supple.model.model import Model
from supple.progress import Progress, begin, restore
from supple.recording.checkpoint import Checkpoint, read_checkpoint
from supple.recording.files import replace_bytes
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.recorder import Recorder
from supple.runs.coherence import demand_energies, demand_memory
from supple.runs.identity import differences, identity
from supple.runs.job import Job
from supple.runs.judge import check_groups
from supple.runs.keep import keep_scene, kept_files, recording_plan
from supple.runs.notes.body_lines import body_lines
from supple.runs.notes.film import film_notes
from supple.runs.notes.stability import stability_note
from supple.runs.notes.undamped import undamped_note
from supple.runs.notes.units import unit_notes
from supple.runs.stage_files import kept_text, with_stage_copies, write_copies
from supple.runs.starting_energy import demand_finite
from supple.scene.tables.scene import Scene
from supple.scene.tables.setup import Setup
from supple.scene.text.load import load_scene
from supple.solvers.tools import StepTools


def start_run(scene: Scene, out: Path, steps: int | None = None, overwrite: bool = False) -> Job:
    """A new run of a scene into the folder `out`; all refusals happen before the folder is touched."""
    RunFolder.check(out, overwrite)
    scene = scene if steps is None else scene.lasting(steps)
    setup = scene.make()
    model = setup.assemble()
    check_groups(scene, model.mesh.groups)
    tools = StepTools(model.system, setup.solver)
    progress = begin(model.system, setup.method, model.state, tools)
    demand_finite(progress.ledger.energies, model.state.x)
    copies, said = kept_files(model)  # before an older run is removed, which may be their source
    scene, stages = with_stage_copies(scene, out)
    folder = RunFolder.create(out, overwrite)
    with _released_on_error(folder):
        write_copies(folder.path, stages)
        keep_scene(folder, scene, copies)
        recorder = Recorder.create(folder, model, recording_plan(scene, model))
        notes = (*scene.notes, *_first_notes(setup, model), *film_notes(scene), *said)
        return _ready(scene, folder, progress, notes, model, tools, recorder)


def _first_notes(setup: Setup, model: Model) -> tuple[str, ...]:
    """Initial notes of a run: its bodies, choices and repairs, and suspicious values."""
    doubts = [
        undamped_note(model, setup.method, setup.h),
        stability_note(model, setup.method, setup.h, setup.duration),
    ]
    return (*body_lines(model), *model.notes, *unit_notes(model), *filter(None, doubts))


def resume_run(out: Path, steps: int | None = None) -> Job:
    """Continue a run after its last checkpoint as if it had never stopped, up to `steps` in total."""
    folder = RunFolder.open(out, writing=True)
    with _released_on_error(folder, mark=False):
        scene = load_scene(folder.scene)
        saved = read_checkpoint(folder.path)
        done = saved.count("whole_steps")
        if steps is not None and steps < done:
            raise SuppleError(f"--steps {steps}: the run in {out} has already taken {done} steps; give {done} or more")
        wanted, first = max(done, scene.time.steps) if steps is None else steps, scene.time.duration
        longer = wanted != scene.time.steps
        scene = scene.lasting(wanted) if longer else scene
        setup, chosen_for = scene.make(), saved.seconds("chosen_for", first)
        try:  # as a run of this duration from the start, unless bodies in contact would change their energy
            model, tools, progress, notes = _restored(scene, setup, saved, out)
            chosen_for = setup.duration
        except RecordError:
            if chosen_for == setup.duration:
                raise
            model, tools, progress, notes = _restored(scene, replace(setup, duration=chosen_for), saved, out)
        recorder = Recorder.reopen(folder, model, recording_plan(scene, model, chosen_for), saved)
        if longer:  # so another kill does not lose the new duration
            replace_bytes(folder.scene, kept_text(scene, folder.path).encode())
        folder.mark(RunStatus.RUNNING)
        return _ready(scene, folder, progress, notes, model, tools, recorder)


def _restored(
    scene: Scene, setup: Setup, saved: Checkpoint, out: Path
) -> tuple[Model, StepTools, Progress, tuple[str, ...]]:
    """The model with contact made for the duration of the setup, and the state of the checkpoint, which fits it."""
    model = setup.assemble()
    notes = (*([saved.note] if saved.note else []), *differences(saved, identity(scene, model.mesh), out))
    tools = StepTools(model.system, setup.solver)
    try:
        progress = restore(saved.meta, saved.arrays, tools)
        demand_memory(progress, model, setup)
        demand_energies(saved, progress, model, setup)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise RecordError(
            f"{out}: its checkpoint does not fit the scene ({type(error).__name__}: {error}); start again with --overwrite"
        ) from error
    return model, tools, progress, notes


def nothing_left(out: Path, steps: int | None = None) -> bool:
    """Whether the run in `out` is finished and no further steps are requested."""
    if RunFolder.open(out).status is not RunStatus.FINISHED:
        return False
    return steps is None or steps == read_checkpoint(out).count("whole_steps")


@contextmanager
def _released_on_error(folder: RunFolder, mark: bool = True) -> Iterator[None]:
    """Release the folder if a run cannot begin; `mark` it as failed, with the reason in its log."""
    try:
        yield
    except BaseException as problem:
        if mark:
            with suppress(RecordError, OSError):  # a full disk allows no writing
                folder.mark(RunStatus.FAILED)
                with folder.log.open("a", encoding="utf-8") as log:
                    log.write(f"{RunStatus.FAILED.value} before the first step: {problem}\n")
        folder.close()
        raise


def _ready(
    scene: Scene,
    folder: RunFolder,
    progress: Progress,
    notes: tuple[str, ...],
    model: Model,
    tools: StepTools,
    recorder: Recorder,
) -> Job:
    verb = f"continues after step {progress.step}" if progress.step else "begins"
    backend = identity(scene, model.mesh)["backend"]
    recorder.log(f"{verb}, with supple {__version__}, {backend}, {threads()} threads, {model.mesh.n} vertices")
    for note in notes:
        recorder.log(note)
    return Job(scene, folder, progress, notes, model, tools, recorder)
