"""A camera from a file of another program, read once the times of the film are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.render.camera import View
from supple.render.cameras.track import Pose, Track, make_track
from supple.types import Array

USD = (".usd", ".usda", ".usdc", ".usdz")
GLTF = (".gltf", ".glb")
SUFFIXES = USD + GLTF


class Source(Protocol):
    """An open file with one chosen camera; its vertical axis is y or z."""

    up: str
    unit: float
    """Metres per unit of length."""

    def pose(self, t: float) -> Pose:
        """The camera at time t [s], in units of the file; a static camera returns the same at all times."""
        ...


@dataclass(frozen=True)
class FileCamera:
    """A camera of a USD or glTF file."""

    file: Path
    name: str = ""
    """Prim path in USD, name of a node in glTF; empty: the only camera."""

    def aim(self, up: str, points: Array, width: int, height: int) -> View:
        """The view at time 0."""
        return self.track(up, [0.0], points).pose(0.0).view(*_middle(points), width, height)

    def track(self, up: str, times: Sequence[float] | Array, points: Array) -> Track:
        """Its motion at the times of a film whose bodies are at `points`, along the axes of the film."""
        source = open_source(self.file, self.name)
        turn = turn_of_up(source.up, up)
        distinct = sorted({float(t) for t in times})
        poses = []
        for t in distinct:
            pose = source.pose(t)
            if not (np.isfinite(pose.eye).all() and np.isfinite(pose.axes).all()):
                raise SuppleError(
                    f"--camera {self.file}: the position of the camera is not finite at {t:g} s; repair its animation"
                )
            eye, axes = turn @ pose.eye * source.unit, pose.axes @ turn.T
            poses.append(Pose(eye, axes, pose.slope, pose.aspect, pose.shift))
        return make_track(distinct, poses, points)


def open_source(file: Path, name: str) -> Source:
    """The reader for this kind of file."""
    if not file.is_file():
        raise SuppleError(f"--camera {file}: no such file; give a USD or glTF file with a camera in it")
    if file.suffix.lower() in USD:
        from supple.render.cameras.usd import UsdSource

        return UsdSource(file, name)
    from supple.render.cameras.gltf import GltfSource

    return GltfSource(file, name)


def choose(file: Path, wanted: str, names: Sequence[str]) -> int:
    """The requested camera; of a path, the last component suffices if it is unique."""
    if not names:
        raise SuppleError(f"--camera {file}: contains no camera; export one with the scene, or use at=x,y,z to=x,y,z")
    known = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    if not wanted:
        if len(names) > 1:
            raise SuppleError(f"--camera {file}: has {len(names)} cameras ({known}); choose one: {file}:{names[0]}")
        return 0
    found = [k for k, name in enumerate(names) if name == wanted]
    found = found or [k for k, name in enumerate(names) if name.rsplit("/", 1)[-1] == wanted]
    if len(found) != 1:
        trouble = f"no camera '{wanted}'{did_you_mean(wanted, names)}" if not found else f"several cameras '{wanted}';"
        raise SuppleError(f"--camera {file}: has {trouble} known: {known}")
    return found[0]


def turn_of_up(old: str, new: str) -> Array:
    """(3, 3) from axes with `old` up to axes with `new` up: the rotation used by exports, or its inverse."""
    if old == new:
        return np.eye(3)
    if {old, new} == {"y", "z"}:
        turn = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # z up to y up
        return turn if old == "z" else turn.T
    # with x up the axes are permuted cyclically
    return np.roll(np.eye(3), "xyz".index(new) - "xyz".index(old), axis=0)


def _middle(points: Array) -> tuple[Array, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0
