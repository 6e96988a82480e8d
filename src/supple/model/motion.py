"""How vertices of a body, or a whole obstacle, are moved by a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Literal

from annotated_types import Len

from supple.checks import checked
from supple.constraints.motion import Hold, Script
from supple.constraints.scripts import Keyframes, Rotate, Translate, Window
from supple.errors import SuppleError
from supple.model.clips.driven import Driven
from supple.model.clips.options import FromFile
from supple.values import PYTHON_ONLY, Direction, NotNegative, Positive, Vector, exactly_one


@checked
@dataclass(frozen=True)
class Translation:
    """Motion at a constant velocity."""

    velocity: Vector
    """[m/s]"""


@checked
@dataclass(frozen=True)
class Rotation:
    """Rotation at a constant rate about a fixed axis, counter-clockwise when the axis points at the viewer."""

    axis: Direction
    centre: Vector
    """A point of the axis [m]."""
    rate: float
    """[rad/s]"""


@checked
@dataclass(frozen=True)
class Keyframe:
    """Where it is at a time, relative to where it was when the run began."""

    time: NotNegative
    """[s]"""
    offset: Vector
    """[m]"""


@checked
@dataclass(frozen=True)
class Moves(FromFile):
    """How something is moved; exactly one of translate, rotate, keyframes, file."""

    translate: Translation | None = None
    rotate: Rotation | None = None
    keyframes: Annotated[tuple[Keyframe, ...], Len(1)] | None = None
    """Offsets at times of the run, held before the first and after the last."""
    interpolation: Literal["linear", "smooth"] = "linear"
    """Between keyframes: straight, or eased so that the velocity is zero at each of them."""
    start: NotNegative | None = None
    """Before this time, 0 if absent, it is held where it is [s]; not for keyframes. The first frame of a file is at this time."""
    stop: Positive | None = None
    """From this time on it is held where it is [s]."""
    own: Script | None = field(default=None, metadata=PYTHON_ONLY)
    """A script written in Python, instead of the words above."""

    def __post_init__(self) -> None:
        words = {key: getattr(self, key) for key in ("translate", "rotate", "keyframes", "file")}
        exactly_one(words if self.own is None else {**words, "own": self.own}, "a motion")
        self.check_file()
        start = self.start or 0.0
        if self.stop is not None and self.stop <= start:
            raise SuppleError(f"stop must be later than start, found start {start:g} and stop {self.stop:g}")
        if self.keyframes is not None and (self.start, self.stop) != (None, None):
            raise SuppleError("start and stop are for translate and rotate; keyframes have their own times")
        for before, after in pairwise(self.keyframes or ()):
            if after.time <= before.time:
                raise SuppleError(f"keyframe times must increase, found {after.time:g} after {before.time:g}")

    def script(self, driven: Driven | None = None) -> Script:
        """As a function of time; motion from a file is made for the vertices that it drives."""
        if self.own is not None:
            return self.own
        if self.file is not None:
            from supple.model.clips.making import file_script

            return file_script(self, driven, self.start, self.stop)
        window = Window(
            **{key: value for key, value in (("start", self.start), ("stop", self.stop)) if value is not None}
        )
        if self.translate is not None:
            return Translate(self.translate.velocity, window)
        if self.rotate is not None:
            return Rotate(self.rotate.axis, self.rotate.centre, self.rotate.rate, window)
        keys = self.keyframes or ()
        return Keyframes(tuple(k.time for k in keys), tuple(k.offset for k in keys), self.interpolation)


@checked
@dataclass(frozen=True)
class Motion(Moves):
    """A group of vertices that is moved by the script."""

    group: str = field(kw_only=True)
    """Name of a group of the mesh or of `body.groups`."""


def script_of(moves: Moves | None, driven: Driven | None = None) -> Script:
    """That of an obstacle; without one it stands still."""
    return Hold() if moves is None else moves.script(driven)
