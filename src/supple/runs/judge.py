"""Figures of a finished run against what its scene expects."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.errors import SceneError, did_you_mean
from supple.recording.animation import open_animation
from supple.recording.folder import RunFolder
from supple.recording.history import read_history
from supple.scene.tables.expect import Check, Swing
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene
from supple.scene.text.registry_models import made

NEARLY = 1e-9
"""Summed-up times are not exact [s]."""


@dataclass(frozen=True)
class Verdict:
    """One expectation and the figure that the run gave."""

    name: str
    figure: float
    check: Check

    @property
    def passes(self) -> bool:
        return self.check.passes(self.figure)

    def __str__(self) -> str:
        low, high = self.check.bounds
        return f"{self.name}: {self.figure:.6g} {'is' if self.passes else 'is NOT'} in [{low:.6g}, {high:.6g}]"


def judge(path: Path) -> list[Verdict]:
    """All expectations of the scene in a run folder."""
    folder = RunFolder.open(path)
    scene = load_scene(folder.scene)
    history = read_history(folder.history)
    return [
        Verdict(name, _column(check, history) if check.swing is None else _swing(check.swing, scene, folder), check)
        for name, check in made(scene.expect).items()
    ]


def _column(check: Check, history: dict[str, np.ndarray]) -> float:
    """A figure of history.csv; nan where the run has no such row."""
    values = history[check.column or ""].astype(float)
    first = float(values[0])
    if check.at == "drift":
        return float(np.abs(values - first).max()) / (abs(first) or 1.0)
    if check.at_step is not None:
        values = values[history["step"] == check.at_step]
        figure = float(values[0]) if len(values) else math.nan
    elif check.at in {"max", "min"}:
        figure = float(values.max() if check.at == "max" else values.min())
    else:
        figure = float(values[-1])
    return _quotient(figure, first) if check.over_start else figure


def _swing(swing: Swing, scene: Scene, folder: RunFolder) -> float:
    groups = scene.make().assemble().mesh.groups
    name = f"{swing.body or scene.body[0].name}.{swing.group}"
    if name not in groups:
        known = ", ".join(sorted(groups))
        raise SceneError(f"expect: unknown group '{name}'{did_you_mean(name, groups)} known: {known}")
    axis = "xyz".index(swing.axis)
    with open_animation(folder.animation) as animation:
        times = animation.times
        path = np.array([animation.points(k)[groups[name], axis].mean(dtype=float) for k in range(len(times))])
    first = path[times <= swing.window + NEARLY]
    last = path[times >= times[-1] - swing.window - NEARLY]
    return _quotient(float(np.ptp(last)), float(np.ptp(first)))


def _quotient(a: float, b: float) -> float:
    return a / b if b else math.nan
