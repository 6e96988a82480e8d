"""Target motions from arrays, tables, or another run.

CSV: a header with t, x, y, z, then a row per time, for the mean of a group. NPZ: t (f,) and x (f, 3), or (f, n, 3) for
every vertex of a group or of the model. A run folder: its recorded frames.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.arrays import Archive
from supple.errors import SuppleError
from supple.recording.playback import open_animation
from supple.runs.results import Run
from supple.scene.text.shipped import shipped_folder
from supple.types import Array

COLUMNS = ("t", "x", "y", "z")
Source = str | os.PathLike[str] | tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Target:
    """Positions over time."""

    times: Array
    """(f,) [s], increasing."""
    x: Array
    """(f, 3) positions of one point, or (f, n, 3) of vertices [m]."""
    name: str = "target"
    run: Path | None = None
    """The folder of the run that it was read from."""

    def __post_init__(self) -> None:
        if self.times.ndim != 1 or len(self.times) != len(self.x) or not len(self.times):
            raise SuppleError(
                f"{self.name}: {len(self.x)} positions at {self.times.size} times; give one position per time, and at least one"
            )
        if self.x.ndim not in (2, 3) or self.x.shape[-1] != 3:
            raise SuppleError(
                f"{self.name}: positions of shape {self.x.shape}; give (times, 3) or (times, vertices, 3)"
            )
        if not (np.isfinite(self.times).all() and np.isfinite(self.x).all()):
            bad = int(
                np.flatnonzero(~(np.isfinite(self.times) & np.isfinite(self.x).reshape(len(self.x), -1).all(axis=1)))[0]
            )
            raise SuppleError(f"{self.name}: row {bad} contains nan or inf; omit missing measurements")
        if (np.diff(self.times) <= 0.0).any():
            k = int(np.argmax(np.diff(self.times) <= 0.0))
            raise SuppleError(
                f"{self.name}: times must increase, found {self.times[k]:g} s and then {self.times[k + 1]:g} s"
            )


def read_target(source: Source, beside: Path | None = None) -> Target:
    """From a pair of arrays (times, positions), a .csv or .npz file, or the folder of a run. A missing file is searched
    `beside` the scene, and among the shipped ones."""
    if isinstance(source, tuple):
        if len(source) != 2:
            raise SuppleError(f"target: found {len(source)} arrays; give two: times and positions")
        return Target(np.asarray(source[0], dtype=float), np.asarray(source[1], dtype=float))
    path = Path(source)
    for folder in (beside, shipped_folder()):
        if folder is not None and not path.exists() and (folder / path).is_file():
            path = folder / path
    if path.is_dir():
        return _of_run(path)
    if not path.is_file():
        raise SuppleError(f"{path}: no such target; give a .csv file, an .npz file, or the folder of a run")
    if path.suffix == ".csv":
        return _of_csv(path)
    if path.suffix == ".npz":
        return _of_npz(path)
    raise SuppleError(f"{path}: cannot be read as a target; give a .csv file, an .npz file, or the folder of a run")


def _of_run(path: Path) -> Target:
    run = Run(path)
    with open_animation(run.folder.animation) as film:
        if not len(film):
            raise SuppleError(f"{path}: the run has no recorded frame, so it cannot be a target")
        x = np.stack([film.points(k) for k in range(len(film))]).astype(float)
        return Target(film.simulated, x, str(path), path)


def _of_csv(path: Path) -> Target:
    with path.open(newline="", encoding="utf-8") as file:
        lines = [row for row in csv.reader(file) if row and not row[0].lstrip().startswith("#")]
    header = [word.strip().lower() for word in lines[0]] if lines else []
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise SuppleError(f"{path}: its header has no column {', '.join(missing)}; the first line is t,x,y,z")
    places = [header.index(name) for name in COLUMNS]
    rows = []
    for number, line in enumerate(lines[1:], start=1):
        try:
            rows.append([float(line[k]) for k in places])
        except (ValueError, IndexError):
            raise SuppleError(f"{path}: row {number} is not numeric: {','.join(line)[:60]!r}") from None
    if not rows:
        raise SuppleError(f"{path}: has a header but no rows")
    table = np.array(rows)
    return Target(table[:, 0], table[:, 1:], str(path))


def _of_npz(path: Path) -> Target:
    try:
        with Archive(path) as data:
            missing = [name for name in ("t", "x") if name not in data]
            if missing:
                raise SuppleError(f"{path}: has no array {', '.join(missing)}; give t (f,) and x (f, 3) or (f, n, 3)")
            return Target(np.asarray(data["t"], dtype=float), np.asarray(data["x"], dtype=float), str(path))
    except (OSError, ValueError) as error:
        raise SuppleError(f"{path}: cannot be read as NPZ: {error}") from None
