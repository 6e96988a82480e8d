"""Figures of a finished run against the expectations of its scene."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from supple.checks import checked_call
from supple.errors import SceneError, did_you_mean
from supple.model.sewing.seam import pairs
from supple.recording.animation import open_animation
from supple.recording.folder import RunFolder
from supple.recording.history import WORK, read_rows, series
from supple.scene.tables.expect import Check, Swing
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene
from supple.scene.text.registry_models import made

NEARLY = 1e-9
"""Tolerance for accumulated times [s]."""


@dataclass(frozen=True)
class Verdict:
    """One expectation and the figure of the run."""

    name: str
    figure: float
    check: Check

    @property
    def passes(self) -> bool:
        return self.check.passes(self.figure)

    @property
    def found(self) -> str:
        """The figure and its bounds in words, without the name."""
        if math.isnan(self.figure):
            return f"{self.check.subject} is not available: {self.check.needed}; expected {self.check.wanted}"
        return f"{self.check.subject} is {self.figure:.6g}; expected {self.check.wanted}"

    @property
    def table(self) -> dict[str, Any]:
        """For JSON: name, held, figure, subject, expected."""
        return {
            "name": self.name, "held": self.passes, "figure": self.figure, "subject": self.check.subject,
            "expected": self.check.wanted,
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{'held' if self.passes else 'NOT held'}: {self.name}: {self.found}"


@checked_call
def judge(path: str | os.PathLike[str]) -> list[Verdict]:
    """All expectations of the scene in a run folder."""
    folder = RunFolder.open(Path(path))
    scene = load_scene(folder.scene)
    history = read_rows(folder.history)
    return [Verdict(name, _figure(check, scene, folder, history), check) for name, check in made(scene.expect).items()]


def _figure(check: Check, scene: Scene, folder: RunFolder, history: dict[str, np.ndarray]) -> float:
    if check.swing is not None:
        return _swing(check.swing, scene, folder)
    return _gap(check.seam, scene, folder) if check.seam is not None else _column(check, history)


def _column(check: Check, history: dict[str, np.ndarray]) -> float:
    """A figure of history.csv; nan where the run has no such row."""
    if check.work is not None and WORK + check.work not in history:
        return math.nan
    values = series(history, check.column or f"{WORK}{check.work}").astype(float)
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


def check_groups(scene: Scene, groups: Mapping[str, Any]) -> None:
    """Refuse expectations of vertex groups that no body has: before the run, not after it."""
    for name, check in made(scene.expect).items():
        if check.swing is not None:
            _group(check.swing, scene, groups, f"expect.{name}.swing.group")


def _group(swing: Swing, scene: Scene, groups: Mapping[str, Any], where: str = "expect") -> str:
    name = f"{swing.body or scene.body[0].name}.{swing.group}"
    if name not in groups:
        known = ", ".join(sorted(groups))
        raise SceneError(f"{where}: unknown group '{name}'{did_you_mean(name, groups)} known: {known}")
    return name


def _swing(swing: Swing, scene: Scene, folder: RunFolder) -> float:
    groups = scene.make().assemble().mesh.groups
    name = _group(swing, scene, groups)
    axis = "xyz".index(swing.axis)
    with open_animation(folder.animation) as animation:
        times = animation.simulated
        if times[-1] < 2.0 * swing.window - NEARLY:  # windows would overlap
            return math.nan
        path = np.array([animation.points(k)[groups[name], axis].mean(dtype=float) for k in range(len(times))])
    first = path[times <= swing.window + NEARLY]
    last = path[times >= times[-1] - swing.window - NEARLY]
    return _quotient(float(np.ptp(last)), float(np.ptp(first)))


def _gap(number: int, scene: Scene, folder: RunFolder) -> float:
    """The widest gap of a seam at the end [m]."""
    model = scene.make().assemble()
    if number >= len(model.world.seams):
        return math.nan
    elements, c = pairs(model.world.seams[number], model.placed, model.state.x)
    with open_animation(folder.animation) as animation:
        x = animation.points(len(animation) - 1).astype(float)
    return float(np.linalg.norm(np.einsum("mk,mki->mi", c, x[elements]), axis=1).max())


def _quotient(a: float, b: float) -> float:
    return a / b if b else math.nan
