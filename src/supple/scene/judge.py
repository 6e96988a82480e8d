"""Figures of a finished run against what its scene expects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.errors import SceneError, did_you_mean
from supple.recording.animation import open_animation
from supple.recording.folder import RunFolder
from supple.recording.history import read_history
from supple.scene.build import build
from supple.scene.expect import Check, Swing
from supple.scene.load import load_scene
from supple.scene.schema import Scene


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
        for name, check in scene.expect.items()
    ]


def _column(check: Check, history: dict[str, np.ndarray]) -> float:
    values = history[check.column or ""]
    first = float(values[0])
    if check.at == "drift":
        return float(np.abs(values - first).max()) / (abs(first) or 1.0)
    if check.at_step is not None:
        rows = np.flatnonzero(history["step"] == check.at_step)
        if not len(rows):
            return float("nan")
        figure = float(values[rows[0]])
    else:
        figure = {"max": float(values.max()), "min": float(values.min())}.get(check.at or "end", float(values[-1]))
    return figure / first if check.over_start else figure


def _swing(swing: Swing, scene: Scene, folder: RunFolder) -> float:
    body = swing.body or scene.body[0].name
    groups = build(scene).mesh.groups
    name = f"{body}.{swing.group}"
    if name not in groups:
        raise SceneError(
            f"expect: unknown group '{name}'{did_you_mean(name, groups)} known: {', '.join(sorted(groups))}"
        )
    axis = "xyz".index(swing.axis)
    with open_animation(folder.animation) as animation:
        path = np.array([animation.points(k)[groups[name], axis].mean() for k in range(len(animation))])
        times = np.asarray(animation.times)
    first = path[times <= swing.window + 1e-9]
    last = path[times >= times[-1] - swing.window - 1e-9]
    return float(np.ptp(last) / np.ptp(first))
