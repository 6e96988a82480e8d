"""Scripted motion of vertices of a body, or of a whole obstacle."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated

import numpy as np
from annotated_types import Len

from supple.checks import checked
from supple.constraints.motion import Hold, Script
from supple.constraints.scripts import Rotate, Translate, Window
from supple.constraints.tracks import Interpolation
from supple.constraints.transforms import Combined
from supple.errors import SuppleError
from supple.model.clips.driven import Driven
from supple.model.clips.options import FromFile
from supple.model.moving.keyframe import Keyframe, keyed, transform
from supple.types import Array
from supple.values import PYTHON_ONLY, Direction, NotNegative, Positive, Vector


@checked
@dataclass(frozen=True)
class Translation:
    """Motion at a constant velocity."""

    velocity: Vector
    """[m/s]"""


@checked
@dataclass(frozen=True)
class Rotation:
    """Rotation at a constant rate about a fixed axis, counter-clockwise if the axis points at the viewer."""

    axis: Direction
    """Direction of the axis; its length has no effect [-]."""
    centre: Vector
    """A point of the axis [m]."""
    rate: float
    """[rad/s]"""


@checked
@dataclass(frozen=True)
class Moves(FromFile):
    """A prescribed motion: translate, rotate, keyframes, or a combination of them; or the motion of an object in a file.

    The rotation is applied first, then the keyframes, then the translation: the axis of rotation moves with the rest.
    """

    translate: Translation | None = None
    """Translation at a constant velocity."""
    rotate: Rotation | None = None
    """Rotation at a constant rate."""
    keyframes: Annotated[tuple[Keyframe, ...], Len(1)] | None = None
    """Offsets, rotations and scales at times of the run, constant before the first and after the last."""
    interpolation: Interpolation = "linear"
    """Interpolation between keyframes: linear; eased with zero velocity at each keyframe (smooth); or with continuous
    velocity (spline)."""
    start: NotNegative | None = None
    """Start time, 0 if absent, before which it is at rest [s]; not for keyframes. The first frame of a file is at this time."""
    stop: Positive | None = None
    """End time, after which it is at rest [s]."""
    pivot: Vector | None = None
    """Initial pivot of the rotation and scale of keyframes; it moves with the offset [m]. The centroid of the moving
    vertices if absent."""
    own: Script | None = field(default=None, metadata=PYTHON_ONLY)
    """A script written in Python, instead of the keys above."""

    def __post_init__(self) -> None:
        self._demand_words()
        self.check_file()
        start = self.start or 0.0
        if self.stop is not None and self.stop <= start:
            raise SuppleError(f"stop must be later than start, found start {start:g} and stop {self.stop:g}")
        turning = self.translate is not None or self.rotate is not None
        if self.keyframes is not None and not turning and (self.start, self.stop) != (None, None):
            raise SuppleError("start and stop are for translate and rotate; keyframes have their own times")
        keys = self.keyframes or ()
        for before, after in pairwise(keys):
            if after.time <= before.time:
                raise SuppleError(f"keyframe times must increase, found {after.time:g} after {before.time:g}")
        if self.pivot is not None and not keyed(keys, "rotation", "scale"):
            raise SuppleError(
                f"pivot is for keyframes with a rotation or a scale, found {list(self.pivot)} without; a rotate has its centre"
            )
        if keys:
            transform(keys, self.interpolation, None)  # ambiguous rotations are rejected here

    def _demand_words(self) -> None:
        words = {key: getattr(self, key) for key in ("translate", "rotate", "keyframes", "file")}
        given = [key for key, value in words.items() if value is not None]
        if self.own is not None and given:
            raise SuppleError(f"a motion has either own or {', '.join(words)}, found own and {', '.join(given)}")
        if self.own is None and not given:
            raise SuppleError(f"a motion needs at least one of {', '.join(words)}, found none of them")
        if self.file is not None and len(given) > 1:
            raise SuppleError(f"a motion has either file or {', '.join(list(words)[:3])}, found {', '.join(given)}")

    @property
    def scales(self) -> bool:
        """Whether the motion changes sizes."""
        return keyed(self.keyframes or (), "scale")

    def script(self, of: Driven | Array | None = None) -> Script:
        """The script; `of`: the moving vertices, or their positions (k, 3) at time 0 [m]."""
        if self.own is not None:
            return self.own
        if self.file is not None:
            from supple.model.clips.making import file_script

            return file_script(self, of if isinstance(of, Driven) else None, self.start, self.stop)
        window = Window(
            **{key: value for key, value in (("start", self.start), ("stop", self.stop)) if value is not None}
        )
        found: list[Script] = []
        if self.rotate is not None:
            found.append(Rotate(self.rotate.axis, self.rotate.centre, self.rotate.rate, window))
        if self.keyframes is not None:
            found.append(
                transform(self.keyframes, self.interpolation, self._pivot(of.start if isinstance(of, Driven) else of))
            )
        if self.translate is not None:
            found.append(Translate(self.translate.velocity, window))
        return found[0] if len(found) == 1 else Combined(tuple(found))

    def _pivot(self, start: Array | None) -> Array | None:
        if not keyed(self.keyframes or (), "rotation", "scale"):
            return None
        if self.pivot is not None:
            return np.asarray(self.pivot, dtype=np.float64)
        if start is None:
            raise SuppleError(
                "motion.pivot: a shape has no vertices with a centroid; give the point about which keyframes rotate it"
            )
        return np.asarray(start.mean(axis=0))


@checked
@dataclass(frozen=True)
class Motion(Moves):
    """A group of vertices moved by the script."""

    group: str = field(kw_only=True)
    """Name of a group of the mesh or of `body.groups`."""


def script_of(moves: Moves | None, of: Driven | Array | None = None) -> Script:
    """The script of an obstacle with these vertices, or positions (k, 3) at time 0 [m]; without motion it is at rest."""
    return Hold() if moves is None else moves.script(of)
