"""Vertices that stay on a plane, a sphere, a surface or a wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Len

from supple.constraints.holonomic import Holonomic
from supple.constraints.surfaces import OnPlane, OnSphere, OnSurface, on_curve
from supple.formulas.implicit import Implicit
from supple.formulas.values import Equation
from supple.model.constraints.constraint import CONSTRAINTS, Constraint
from supple.model.placed import Placed
from supple.model.places import place
from supple.types import Array
from supple.values import Direction, Positive, Vector


@CONSTRAINTS("plane")
@dataclass(frozen=True)
class InPlane(Constraint):
    """A plane: vertices that stay in it."""

    vertices: str
    """`body`, or `body.group`."""
    normal: Direction
    """Normal of the plane; its length has no effect [-]."""
    point: Vector | None = None
    """A point of the plane; if absent, each vertex stays on the parallel plane through its initial position [m]."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, _ = place(self.vertices, placed, f"{path}.vertices")
        return [OnPlane(vertices, x[vertices] if self.point is None else self.point, self.normal, path)]


@CONSTRAINTS("sphere")
@dataclass(frozen=True)
class OnBall(Constraint):
    """A sphere: vertices that stay on it."""

    vertices: str
    """`body`, or `body.group`."""
    centre: Vector
    """[m]"""
    radius: Positive
    """[m]"""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, _ = place(self.vertices, placed, f"{path}.vertices")
        return [OnSphere(vertices, self.centre, self.radius, path)]


@CONSTRAINTS("surface")
@dataclass(frozen=True)
class OnImplicit(Constraint):
    """Any smooth surface, the zero set of an expression: vertices that stay on it."""

    vertices: str
    """`body`, or `body.group`."""
    equation: Equation
    """An expression in x, y, z [m], such as `"y - 0.5 * x ^ 2"`."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, _ = place(self.vertices, placed, f"{path}.vertices")
        return [OnSurface(vertices, Implicit(self.equation), path)]


@CONSTRAINTS("curve")
@dataclass(frozen=True)
class OnWire(Constraint):
    """A wire, the intersection of two surfaces: vertices that stay on it."""

    vertices: str
    """`body`, or `body.group`."""
    equations: Annotated[tuple[Equation, ...], Len(2, 2)]
    """Two expressions in x, y, z [m], such as `["x - cos(z)", "y - sin(z)"]`."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, _ = place(self.vertices, placed, f"{path}.vertices")
        first, second = map(Implicit, self.equations)
        return on_curve(vertices, first, second, path)
