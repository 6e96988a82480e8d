"""Initial state of a body: positions and velocities at time 0 from the rest positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.checks import checked
from supple.constraints.scripts import rotated
from supple.errors import SceneError, SuppleError, WrongOption
from supple.formulas.expressions import Expression
from supple.formulas.values import Components
from supple.mesh.axes import Turn as AxisTurn
from supple.types import Array
from supple.values import Direction, Vector


@checked
@dataclass(frozen=True)
class Twist:
    """Rotation of each cross-section about an axis, by an angle that grows along the axis."""

    axis: Literal["x", "y", "z"]
    """Axis of the twist."""
    rate: float
    """Angle per metre from `centre` along the axis [rad/m]."""
    centre: Vector | None = None
    """Point of the axis at which the angle is zero [m]; the centroid if absent."""


@checked
@dataclass(frozen=True)
class Turn:
    """A rigid rotation."""

    axis: Direction
    """Direction of the axis; need not have length 1."""
    angle: float
    """Angle of rotation [rad]."""
    centre: Vector | None = None
    """A point of the axis [m]; the centroid if absent."""


@checked
@dataclass(frozen=True)
class Initial:
    """State at time 0, from the rest positions X, Y, Z: three expressions, or transformations applied in order; or from a file.

    The order of the transformations is stretch, twist, rotate, translate.
    """

    position: Components | None = None
    """Expressions for x, y, z in X, Y, Z [m], such as `["1.2 * X", "Y", "Z"]`."""
    stretch: Vector | None = None
    """Factors along x, y, z about the centroid [-]."""
    twist: Twist | None = None
    """Twist about an axis."""
    rotate: Turn | None = None
    """Rotation as a rigid body."""
    translate: Vector | None = None
    """Offset [m]."""
    velocity: Components = (0.0, 0.0, 0.0)
    """Velocity: three numbers, or expressions in X, Y, Z [m/s]."""
    spin: Vector = (0.0, 0.0, 0.0)
    """Angular velocity w [rad/s]: adds w x (X - centroid) at the rest positions X."""
    file: str | None = None
    """Path of a mesh file whose vertices are the positions [m]; for a USD stage positions and velocities at its start
    time. `velocity` and `spin` are added."""
    object: str | None = None
    """The prim of a USD stage, by its path or its name; the only mesh if absent."""

    def __post_init__(self) -> None:
        words = [w for w in ("stretch", "twist", "rotate", "translate") if getattr(self, w) is not None]
        if self.position is not None and words:
            raise SuppleError(
                f"position cannot be combined with {', '.join(words)}: give either position with three expressions, "
                "or stretch, twist, rotate, translate"
            )
        if self.file is not None and (self.position is not None or words):
            given = "position" if self.position is not None else ", ".join(words)
            raise SuppleError(
                f"file cannot be combined with {given}: the file has the positions; leave one of them out"
            )
        if self.object is not None and self.file is None:
            raise SuppleError("object: only for positions from a file; give file as well")
        if self.stretch is not None and 0 in self.stretch:
            raise SuppleError(f"stretch factors must not be 0, found {list(self.stretch)}")

    def positions(self, X: Array, up: str | None = None) -> Array:
        """Positions at time 0 from the rest positions X (n, 3) [m], in a world with the given up axis."""
        if self.position is not None:
            return _components("position", self.position, X)
        if self.file is not None:
            return self._kept(len(X), up)[0].copy()
        x, centroid = X.copy(), X.mean(axis=0)
        if self.stretch is not None:
            x = centroid + (x - centroid) * np.asarray(self.stretch)
        if self.twist is not None:
            x = _twisted(self.twist, x, centroid)
        if self.rotate is not None:
            turn = self.rotate
            x = rotated(x, turn.axis, centroid if turn.centre is None else turn.centre, turn.angle)
        if self.translate is not None:
            x = x + np.asarray(self.translate)
        return x

    def velocities(self, X: Array, up: str | None = None) -> Array:
        """Velocities at time 0 [m/s]; the spin acts on rest positions about their centroid."""
        v = _components("velocity", self.velocity, X) + np.cross(np.asarray(self.spin), X - X.mean(axis=0))
        return v if self.file is None else v + self._kept(len(X), up)[1]

    def _kept(self, n: int, up: str | None) -> tuple[Array, Array]:
        """(n, 3) positions and velocities in the file."""
        x, v = read_state(str(self.file), self.object, up)
        if len(x) != n:
            raise SuppleError(
                f"file: {self.file} has {len(x)} vertices, the body has {n}; give a file of the same mesh"
            )
        return x, v


def read_state(file: str, name: str | None = None, up: str | None = None) -> tuple[Array, Array]:
    """(n, 3) positions [m] and velocities [m/s] in a file, USD with the given up axis; other meshes have no velocities."""
    from supple.mesh.formats import read_mesh
    from supple.mesh.stages.stage import is_stage, open_stage, refusing

    if not is_stage(file):
        x = read_mesh(file, name).vertices
        return x, np.zeros_like(x)
    from supple.mesh.stages.points import start_state
    from supple.mesh.stages.prims import chosen_prim

    stage = open_stage(file)
    with refusing(stage.path):
        x, v = start_state(stage, chosen_prim(stage, name))
    turn = AxisTurn.to(stage.up, up or stage.up)
    return turn(x), turn(v)


def _components(key: str, components: tuple[float | str, ...], X: Array) -> Array:
    return np.stack([_component(f"{key}[{k}]", each, X) for k, each in enumerate(components)], axis=1)


def _component(key: str, component: float | str, X: Array) -> Array:
    if not isinstance(component, str):
        return np.full(len(X), component)
    try:
        return Expression(component).values(X)
    except SceneError as error:
        raise WrongOption("initial", key, str(error)) from None


def _twisted(twist: Twist, x: Array, centroid: Array) -> Array:
    axis = "xyz".index(twist.axis)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    centre = centroid if twist.centre is None else np.asarray(twist.centre)
    angle = twist.rate * (x[:, axis] - centre[axis])
    c, s = np.cos(angle), np.sin(angle)
    out = x.copy()
    out[:, a] = centre[a] + c * (x[:, a] - centre[a]) - s * (x[:, b] - centre[b])
    out[:, b] = centre[b] + s * (x[:, a] - centre[a]) + c * (x[:, b] - centre[b])
    return out
