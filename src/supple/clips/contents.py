"""The contents of a motion file: objects, frames, units, axes, skeletons and cameras, as figures and as lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from supple.clips.checks import check_clip
from supple.clips.clip import Clip
from supple.clips.clip_file import ClipFile
from supple.clips.reading import open_clip_file
from supple.clips.room import MOST_POSITIONS
from supple.errors import SuppleError

LEAST = 1000
"""Cost of any object, in positions."""


@dataclass(frozen=True)
class ObjectFacts:
    """One object."""

    name: str
    vertices: int = 0
    faces: int = 0
    frames: int = 0
    fps: float | None = None
    """None if the format has no clock, or the object has one frame."""
    seconds: float | None = None
    """From the first frame to the last."""
    low: tuple[float, ...] = ()
    """Corners of the box of the first frame [file units]."""
    high: tuple[float, ...] = ()
    problem: str = ""
    """Why it cannot be followed."""


@dataclass(frozen=True)
class SkeletonFacts:
    """One skeleton."""

    name: str
    joints: tuple[str, ...]
    frames: int
    fps: float | None


@dataclass(frozen=True)
class Contents:
    """The contents of a file."""

    file: str
    format: str
    metres_per_unit: float | None
    up: str | None
    objects: tuple[ObjectFacts, ...]
    skeletons: tuple[SkeletonFacts, ...]
    cameras: tuple[str, ...]

    def table(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    def lines(self) -> list[str]:
        """For people."""
        unit = "unit not stated" if self.metres_per_unit is None else f"{self.metres_per_unit:g} m per unit"
        lines = [f"{self.format}, {unit}, {f'{self.up} up' if self.up else 'up axis not stated'}"]
        lines.append(f"\nobjects: {len(self.objects) or 'none'}")
        for found in self.objects:
            lines += _object_lines(found, self.metres_per_unit)
        lines += [f"\nskeletons: {len(self.skeletons)}"] if self.skeletons else []
        for skeleton in self.skeletons:
            lines.append(f"  {skeleton.name}: {_span(skeleton.frames, skeleton.fps)}, {len(skeleton.joints)} joints")
            lines.append(f"    {', '.join(joint.split('/')[-1] for joint in skeleton.joints)}")
        return lines + ([f"\ncameras: {', '.join(self.cameras)}"] if self.cameras else [])


def contents(path: str | Path) -> Contents:
    """The contents of a file; an object that cannot be followed is listed with the reason."""
    file = open_clip_file(path)
    objects = tuple(_all_facts(file))
    skeletons = []
    for name in file.skeletons:
        rig = file.rig(name)
        rate = Clip(file.file, name, rig.times, rig.poses[:, :, 3, :3]).rate
        skeletons.append(SkeletonFacts(name, rig.joints, len(rig), rate))
    space = file.space
    return Contents(file.file, file.title, space.metres, space.up, objects, tuple(skeletons), tuple(file.cameras))


def _all_facts(file: ClipFile) -> Iterator[ObjectFacts]:
    """Objects may share their vertices: a small file can have more than could be read in a minute."""
    read = 0
    for name in file.objects:
        if read > MOST_POSITIONS:
            yield ObjectFacts(name, problem=f"not examined: the objects before it have {read:,} positions")
            continue
        found = _facts(file, name)
        read += found.vertices * found.frames + LEAST
        yield found


def _facts(file: ClipFile, name: str) -> ObjectFacts:
    try:
        clip = file.clip(name)
        jump = check_clip(clip)
    except SuppleError as error:
        return ObjectFacts(name, problem=str(error))
    low, high = (tuple(corner.tolist()) for corner in clip.box())
    span = float(clip.times[-1] - clip.times[0]) if clip.timed and len(clip) > 1 else None
    faces = 0 if clip.faces is None else len(clip.faces)
    return ObjectFacts(name, clip.n, faces, len(clip), clip.rate, span, low, high, jump)


def _object_lines(found: ObjectFacts, metres: float | None) -> list[str]:
    if not found.frames:
        return [f"  {found.name}: {found.problem}"]
    counts = f"{found.vertices:,} vertices, {found.faces:,} faces" if found.faces else f"{found.vertices:,} vertices"
    factor, unit = (1.0, "units") if metres is None else (metres, "m")
    sides = [(b - a) * factor for a, b in zip(found.low, found.high, strict=True)]
    low, high = (", ".join(f"{c * factor:.4g}" for c in corner) for corner in (found.low, found.high))
    size = " x ".join(f"{side:.4g}" for side in sides)
    lines = [f"  {found.name}: {counts}, {_span(found.frames, found.fps, found.seconds)}"]
    lines.append(f"    first frame {size} {unit}, from ({low}) to ({high})")
    return lines + ([f"    warning: {found.problem}"] if found.problem else [])


def _span(frames: int, fps: float | None, seconds: float | None = None) -> str:
    if frames == 1:
        return "1 frame"
    rate = "no clock" if fps is None else f"{fps:.6g} fps"
    return f"{frames} frames, {rate}" + ("" if seconds is None else f", {seconds:.4g} s")
