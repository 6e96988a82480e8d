"""Length of a run and size of its recording, checked against `[limits]`."""

from __future__ import annotations

from supple.errors import SceneError
from supple.formulas.curves import Curve
from supple.model.limits.limits import GIB, Limits, counted
from supple.scene.tables.time import Record, Time

PER_VERTEX, PER_POINT = 28.0, 36.0
"""Bytes per frame and vertex: position, velocity and energy; and for the deformation of a particle."""


def demand_length(limits: Limits, time: Time, record: Record) -> None:
    """Refuse a run of more steps or frames than are allowed."""
    limits.demand("time", "steps", "steps", time.duration / time.step)
    slow = "" if time.speed is None else " at this time.speed"
    limits.demand("record", f"frames in this time.duration{slow}", "frames", recorded_frames(time, record))


def recorded_frames(time: Time, record: Record) -> float:
    """Approximate number of frames; a varying speed counts with the slowest of its keys."""
    per_second = record.fps or 1.0 / (time.step * (record.every or 1))
    speed = time.film_speed
    if isinstance(speed, Curve):
        speed = min((value for value in speed.values if value > 0.0), default=1.0)
    return per_second * time.duration / (speed or 1.0)


def recorded_bytes(time: Time, record: Record) -> float:
    """Bytes of the animation per vertex."""
    return recorded_frames(time, record) * (PER_VERTEX + (PER_POINT if record.deformation else 0.0))


def demand_recording(limits: Limits, vertices: int, each: float) -> None:
    """Refuse a recording that would fill the disk; `each`: bytes per vertex."""
    gib = vertices * each / GIB
    if gib > limits.recording:
        raise SceneError(
            f"record: the animation of {counted(vertices)} vertices would take about {gib:.3g} GiB, but limits.recording allows "
            f"{limits.recording:.3g}; record fewer frames (record.fps), or raise the limit: limits.recording={1.1 * gib:.2g}"
        )
