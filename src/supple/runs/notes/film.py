"""Notes of a run about a film whose time differs from that of the motion."""

from __future__ import annotations

from supple.recording.cadence import FilmFrames
from supple.runs.keep import cadence_of
from supple.scene.tables.scene import Scene

FINE = 0.25
"""Frame interval over time step below which the film resolves motion within steps."""


def film_notes(scene: Scene) -> list[str]:
    """Length of the film, and whether it resolves motion within steps; empty for films in real time."""
    cadence, h = cadence_of(scene), scene.time.step
    if not isinstance(cadence, FilmFrames):
        return []
    frames = cadence.frames(scene.time.steps, h)
    slowest = min(cadence.clock.speed_at(k / cadence.fps) for k in range(frames))
    said = [
        f"film: {frames} frames at {cadence.fps:.4g} per second, {(frames - 1) / cadence.fps:.4g} s for "
        f"{scene.time.steps * h:.4g} s of motion; times of frames are those of the film"
    ]
    apart = slowest / cadence.fps
    if apart < FINE * h:
        said.append(
            f"film: frames are {apart:.2g} s of motion apart, less than a quarter of time.step = {h:.2g} s; within a step the "
            f"motion is a cubic: use time.step = {_round(apart / FINE):g} to resolve impacts and vibration"
        )
    return said


def _round(seconds: float) -> float:
    return float(f"{seconds:.1g}")
