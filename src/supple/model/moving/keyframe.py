"""Keyframes of offset, rotation and scale, and their script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, TypeAlias

import numpy as np
from annotated_types import Len

from supple.checks import checked
from supple.constraints.motion import Script
from supple.constraints.scripts import Keyframes
from supple.constraints.tracks import Interpolation, Track, TurnTrack
from supple.constraints.transforms import Transform
from supple.errors import SuppleError
from supple.model.moving.orientation import AxisAngle, Orientation
from supple.types import Array
from supple.values import NotNegative, Positive, Vector

Factors: TypeAlias = Positive | Annotated[tuple[Positive, ...], Len(3, 3)]
"""One factor, or one each for x, y, z."""
CHANNELS = ("offset", "rotation", "scale")


@checked
@dataclass(frozen=True)
class Keyframe:
    """Pose at a time, relative to the start of the run. Channels absent from a keyframe are interpolated from the others."""

    time: NotNegative
    """Time of the run [s]."""
    offset: Vector | None = None
    """Displacement from the initial position [m]."""
    rotation: Vector | AxisAngle | None = None
    """Rotation about the pivot [degrees]: about the fixed axes x, then y, then z; or `{ axis, angle }`."""
    scale: Factors | None = None
    """Scale factor about the pivot, or three along the initial x, y, z axes [-]."""

    def __post_init__(self) -> None:
        if all(getattr(self, channel) is None for channel in CHANNELS):
            raise SuppleError(f"a keyframe needs at least one of {', '.join(CHANNELS)}, found none at {self.time:g} s")


def keyed(keys: Sequence[Keyframe], *channels: str) -> bool:
    """Whether any keyframe has one of these channels."""
    return any(getattr(key, channel) is not None for key in keys for channel in channels)


def transform(keys: Sequence[Keyframe], interpolation: Interpolation, pivot: Array | None) -> Script:
    """The script of keyframes; rotation and scale require a pivot (3,) [m]."""
    if interpolation != "spline" and not keyed(keys, "rotation", "scale"):
        given = [(key.time, key.offset) for key in keys if key.offset is not None]
        return Keyframes(tuple(t for t, _ in given), tuple(o for _, o in given), interpolation)
    return Transform(
        np.zeros(3) if pivot is None else pivot,
        _track(keys, "offset", interpolation),
        _turns(keys, interpolation),
        _track(keys, "scale", interpolation),
    )


def _track(keys: Sequence[Keyframe], channel: str, interpolation: Interpolation) -> Track | None:
    given = [(key.time, getattr(key, channel)) for key in keys if getattr(key, channel) is not None]
    if not given:
        return None
    values = np.stack([np.broadcast_to(np.asarray(value, dtype=np.float64), 3) for _, value in given])
    return Track(np.array([time for time, _ in given]), values, interpolation, bounded=channel == "scale")


def _turns(keys: Sequence[Keyframe], interpolation: Interpolation) -> TurnTrack | None:
    given = [(k, key, Orientation.of(key.rotation)) for k, key in enumerate(keys) if key.rotation is not None]
    if not given:
        return None
    steps = [a.to(b, f"keyframes[{k}]") for (_, _, a), (k, _, b) in pairwise(given)]
    turns = np.stack([orientation.turn for *_, orientation in given])
    return TurnTrack(np.array([key.time for _, key, _ in given]), turns, np.array(steps).reshape(-1, 3), interpolation)
