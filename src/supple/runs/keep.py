"""Contents of a run folder besides the motion: the scene, its files, and the layout of the recording."""

from __future__ import annotations

from collections.abc import Mapping

from supple import __version__
from supple.model.model import Model
from supple.recording.cadence import Cadence, EveryStep, FilmFrames, FramesPerSecond
from supple.recording.clock import SPEED, FilmClock
from supple.recording.clouds import SPACINGS, cloud_spacings, spacings_text
from supple.recording.files import replace_bytes
from supple.recording.film import body_ranges
from supple.recording.folder import RunFolder
from supple.recording.recorder import Plan
from supple.runs.identity import identity
from supple.runs.model_files import clip_copies, coarse_copies, model_copies
from supple.runs.stage_files import kept_text
from supple.scene.tables.scene import Scene


def kept_files(model: Model) -> tuple[dict[str, bytes], list[str]]:
    """Copies of the world's files for the run folder, by name, and notes on mismatches."""
    models, said = model_copies(model.placed)
    return {**coarse_copies(model.placed), **models, **clip_copies(model)}, said


def keep_scene(folder: RunFolder, scene: Scene, files: Mapping[str, bytes]) -> None:
    """Write the scene of a run into its folder, and these files beside it."""
    replace_bytes(folder.scene, kept_text(scene, folder.path).encode())
    for name, data in files.items():
        replace_bytes(folder.path / name, data)


def recording_plan(scene: Scene, model: Model, chosen_for: float | None = None) -> Plan:
    """Recorded quantities of a scene, and how often. `chosen_for`: the duration for which the model was assembled, if it
    is not that of the scene [s]."""
    cadence = cadence_of(scene)
    metadata: dict[str, str | float] = {
        "units": "SI (m, kg, s)",
        "up": scene.world.up,
        "scene": scene.title or scene.source,
        "integrator": scene.integrator.label,
        "step": scene.time.step,
        "supple": __version__,
        "bodies": body_ranges(model.names),
    }
    clouds = cloud_spacings(model.system.clouds, [(placed.name, placed.span) for placed in model.placed])
    if clouds:
        metadata[SPACINGS] = spacings_text(clouds)
    if isinstance(cadence, FilmFrames):
        metadata[SPEED] = cadence.clock.text
    frames = cadence.frames(scene.time.steps, scene.time.step)
    seconds, deformation = scene.record.checkpoint_seconds, scene.record.deformation
    known = {**identity(scene, model.mesh), "chosen_for": scene.time.duration if chosen_for is None else chosen_for}
    return Plan(cadence, frames, seconds, known, metadata, deformation)


def cadence_of(scene: Scene) -> Cadence:
    """Recording times of a scene."""
    record, speed = scene.record, scene.time.film_speed
    fps = record.fps or 1.0 / (scene.time.step * (record.every or 1))  # as often as with equal steps
    if speed is not None:
        return FilmFrames(fps, FilmClock(speed))
    if record.fps is not None or scene.make().method.adapts:
        return FramesPerSecond(fps)
    return EveryStep(record.every or 1)
