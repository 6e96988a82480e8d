"""Time of a stage: how long it lasts, its frames, and the step of its simulation."""

from __future__ import annotations

import math
from typing import Any

from supple.errors import SceneError
from supple.mesh.stages.stage import Stage

SLOWEST = 60.0
"""Steps per second, at least."""
DURATION = 2.0
"""Of a stage without a range of time [s]."""
STEPS = ("physxScene:timeStepsPerSecond", "newton:timeStepsPerSecond")
"""What others call the number of steps per second of a PhysicsScene."""


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
        notes.append(f"stage: it states no range of time; {DURATION:g} s are simulated (--set time.duration=...)")
        duration = DURATION
    per_second = _steps(scene) or rate * math.ceil(SLOWEST / rate - 1e-9)
    step: float | str = f"1/{per_second:g}" if float(f"{per_second:g}") == per_second else 1.0 / per_second
    return {"time": {"step": step, "duration": duration}, "record": {"fps": float(rate)}}


def _steps(scene: Any | None) -> float | None:
    for name in STEPS if scene is not None else ():
        found = scene.GetAttribute(name)  # type: ignore[union-attr]
        if found and found.HasAuthoredValue() and found.Get() > 0:
            return float(found.Get())
    return None
