"""A few steps of a new scene, as a check and an estimate of the run time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from supple.linalg.compiling import on_first_compile
from supple.loop import simulate
from supple.runs.notes.body_lines import body_lines
from supple.runs.notes.fall_watch import FallWatch
from supple.runs.notes.squeeze_watch import SqueezeWatch
from supple.runs.notes.units import unit_notes
from supple.scene.text.load import load_scene

STEPS = 20
"""Steps until the ground is reached."""
PATIENCE = 15.0
"""Time limit of the check [s]."""


def check_scene(file: Path) -> list[str]:
    """Notes on a newly written scene; raises an error if it does not run."""
    setup = load_scene(file).make()
    model = setup.assemble()
    lines = [*body_lines(model), *unit_notes(model)]
    watches = (SqueezeWatch(model), FallWatch(model))
    iterations: list[int] = []
    seconds: list[float] = []
    compiled: set[int] = set()
    on_first_compile(lambda: compiled.add(len(seconds)))
    for frame in simulate(model.system, setup.method, model.state, setup.h, STEPS):
        for watch in watches:
            frame = watch.told(frame)
        lines += [frame.note] if frame.note else []
        if frame.step:
            iterations.append(frame.solve.iterations)
            seconds.append(frame.wall_seconds)
        if sum(seconds) > PATIENCE:
            break
        on_first_compile(lambda: compiled.add(len(seconds)))
    each = float(np.median([s for k, s in enumerate(seconds) if k not in compiled] or seconds))
    lines.append(
        f"checked: {len(seconds)} steps, {float(np.mean(iterations)):.0f} Newton iterations and {each:.2g} s each; all "
        f"{setup.steps} steps take about {_duration(setup.steps * each)}"
    )
    return lines


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120.0 else f"{seconds / 60.0:.0f} min"
