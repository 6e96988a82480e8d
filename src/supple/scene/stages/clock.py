"""Time of a stage: duration, frames and time step."""

from __future__ import annotations

import math
from typing import Any

from supple.errors import SceneError
from supple.mesh.stages.stage import Stage
from supple.mesh.stages.values import single

SLOWEST = 60.0
"""Minimum number of steps per second."""
FASTEST = 1000.0
"""Maximum number of steps per second for moving colliders."""
DURATION = 2.0
"""Duration of a stage without a time range [s]."""
STEPS = ("physxScene:timeStepsPerSecond", "newton:timeStepsPerSecond")
"""Attribute names for the steps per second of a PhysicsScene."""


def clock(stage: Stage, scene: Any | None, notes: list[str]) -> dict[str, Any]:
    """The tables `time` and `record`."""
    usd = stage.usd
    rate = usd.GetFramesPerSecond() if usd.HasAuthoredMetadata("framesPerSecond") else usd.GetTimeCodesPerSecond()
    codes = usd.GetTimeCodesPerSecond()
    if not (0.0 < rate < math.inf and 0.0 < codes < math.inf):
        raise SceneError(
            f"{stage.path}: found {rate:g} frames and {codes:g} time codes per second; both must be above 0"
        )
    duration = (usd.GetEndTimeCode() - usd.GetStartTimeCode()) / codes if usd.HasAuthoredTimeCodeRange() else 0.0
    if duration <= 0.0:
        notes.append(f"stage: it has no time range; {DURATION:g} s are simulated (--set time.duration=...)")
        duration = DURATION
    step = _step(_steps(scene) or rate * math.ceil(SLOWEST / rate - 1e-9))
    return {"time": {"step": step, "duration": duration}, "record": {"fps": float(rate)}}


def fast_enough(tables: dict[str, Any], speed: float, distance: float, notes: list[str]) -> None:
    """Shorten the step until colliders of that speed [m/s] move less than the distance [m] at which contact begins."""
    rate, now = tables["record"]["fps"], tables["time"]["step"]
    if speed * seconds(now) <= distance:
        return
    per_second = min(rate * math.ceil(speed / (distance * rate) - 1e-9), FASTEST)
    if per_second * seconds(now) > 1.0:
        tables["time"]["step"] = _step(per_second)
        notes.append(
            f"time: colliders move at up to {speed:.3g} m/s, and contact begins at {distance:g} m; the step is "
            f"{tables['time']['step']} s"
        )


def seconds(step: float | str) -> float:
    """A step as a number [s]."""
    top, _, bottom = str(step).partition("/")
    return float(top) / float(bottom or 1.0)


def _step(per_second: float) -> float | str:
    return f"1/{per_second:g}" if float(f"{per_second:g}") == per_second else 1.0 / per_second


def _steps(scene: Any | None) -> float | None:
    if scene is None:
        return None
    for name in STEPS:
        found = scene.GetAttribute(name)
        if found and found.HasAuthoredValue() and (steps := single(found)) > 0.0:
            return steps
    return None
