"""How a body starts and how some of its vertices are moved: `body.initial` and `body.motion`."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from annotated_types import Len
from pydantic import model_validator

from supple.scene.tables.fields import Components, Direction, NotNegative, Number, Positive, Vector, exactly_one
from supple.scene.text.registry_models import Table


class Translate(Table):
    """Motion at a constant velocity."""

    velocity: Vector
    """[m/s]"""


class Rotate(Table):
    """Rotation at a constant rate about a fixed axis, counter-clockwise when the axis points at the viewer."""

    axis: Direction
    centre: Vector
    """A point of the axis [m]."""
    rate: Number
    """[rad/s]"""


class Keyframe(Table):
    """Where it is at a time, relative to where it was when the run began."""

    time: NotNegative
    """[s]"""
    offset: Vector
    """[m]"""


class Moves(Table):
    """How something is moved; exactly one of translate, rotate, keyframes."""

    translate: Translate | None = None
    rotate: Rotate | None = None
    keyframes: Annotated[tuple[Keyframe, ...], Len(1)] | None = None
    """Offsets at times of the run, held before the first and after the last."""
    interpolation: Literal["linear", "smooth"] = "linear"
    """Between keyframes: straight, or eased so that the velocity is zero at each of them."""
    start: NotNegative | None = None
    """Before this time, 0 if absent, it is held where it is [s]; not for keyframes."""
    stop: Positive | None = None
    """From this time on it is held where it is [s]."""

    @model_validator(mode="after")
    def _consistent(self) -> Moves:
        exactly_one({key: getattr(self, key) for key in ("translate", "rotate", "keyframes")}, "a motion")
        start = self.start or 0.0
        if self.stop is not None and self.stop <= start:
            raise ValueError(f"stop must be later than start, found start {start:g} and stop {self.stop:g}")
        if self.keyframes is not None and (self.start, self.stop) != (None, None):
            raise ValueError("start and stop are for translate and rotate; keyframes have their own times")
        for before, after in pairwise(self.keyframes or ()):
            if after.time <= before.time:
                raise ValueError(f"keyframe times must increase, found {after.time:g} after {before.time:g}")
        return self


class Motion(Moves):
    """A group of vertices that is moved by the script."""

    group: str
    """Name of a group of the mesh or of `body.groups`."""


class Twist(Table):
    """Each cross-section turned about an axis, by an angle that grows along the axis."""

    axis: Literal["x", "y", "z"]
    rate: Number
    """Angle for each metre from `centre` along the axis [rad/m]."""
    centre: Vector | None = None
    """Where the angle is zero, and a point of the axis [m]; the centroid if absent."""


class Turn(Table):
    """A rigid rotation."""

    axis: Direction
    angle: Number
    """[rad]"""
    centre: Vector | None = None
    """A point of the axis [m]; the centroid if absent."""


class Initial(Table):
    """State at time 0, from the rest positions X, Y, Z: either three expressions, or words applied in order.

    The order of the words is stretch, twist, rotate, translate.
    """

    position: Components | None = None
    """Expressions for x, y, z in X, Y, Z [m], such as `["1.2 * X", "Y", "Z"]`."""
    stretch: Vector | None = None
    """Factors along x, y, z about the centroid [-]."""
    twist: Twist | None = None
    rotate: Turn | None = None
    translate: Vector | None = None
    """[m]"""
    velocity: Components = (0.0, 0.0, 0.0)
    """Numbers, or expressions in X, Y, Z [m/s]."""
    spin: Vector = (0.0, 0.0, 0.0)
    """Angular velocity w [rad/s]: adds w x (X - centroid) at the rest positions X."""

    @model_validator(mode="after")
    def _one_way(self) -> Initial:
        words = [w for w in ("stretch", "twist", "rotate", "translate") if getattr(self, w) is not None]
        if self.position is not None and words:
            raise ValueError(
                f"position cannot be mixed with {', '.join(words)}: give either position with three expressions, "
                "or the words stretch, twist, rotate, translate"
            )
        if self.stretch is not None and 0 in self.stretch:
            raise ValueError(f"stretch factors must not be 0, found {list(self.stretch)}")
        return self
