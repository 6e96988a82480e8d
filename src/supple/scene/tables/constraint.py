"""What vertices keep exactly: `[[constraint]]`, rods of fixed length and vertices on planes, spheres, surfaces and wires."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from annotated_types import Len
from pydantic import AfterValidator, Field

from supple.formulas.jet import Implicit
from supple.scene.tables.fields import Direction, Positive, Vector
from supple.scene.text.registry_models import Table


def _surface(text: str) -> str:
    Implicit(text)
    return text


Equation = Annotated[str, AfterValidator(_surface)]
"""A smooth expression in x, y, z that is zero on the surface."""


class Held(Table):
    """What all kinds have."""

    vertices: str
    """`body`, or `body.group`."""


class Rods(Held):
    """Rods between vertices, as long as they are at the start."""

    kind: Literal["rods"]
    """Fixed distances."""
    to: str | None = None
    """`body` or `body.group`: a rod from each vertex to the nearest one of these; without it, rods along the edges of the mesh
    between the vertices."""


class Plane(Held):
    """Vertices that stay in a plane."""

    kind: Literal["plane"]
    """A plane."""
    normal: Direction
    point: Vector | None = None
    """A point of the plane; without it each vertex keeps to the parallel plane in which it starts [m]."""


class Sphere(Held):
    """Vertices that stay on a sphere."""

    kind: Literal["sphere"]
    """A sphere."""
    centre: Vector
    """[m]"""
    radius: Positive
    """[m]"""


class SurfaceTable(Held):
    """Vertices that stay on the surface where an expression is zero."""

    kind: Literal["surface"]
    """Any smooth surface."""
    equation: Equation
    """An expression in x, y, z [m], such as `"y - 0.5 * x ^ 2"`."""


class Curve(Held):
    """Vertices that stay on a wire: where two expressions are zero."""

    kind: Literal["curve"]
    """A wire, where two surfaces meet."""
    equations: Annotated[tuple[Equation, ...], Len(2, 2)]
    """Two expressions in x, y, z [m], such as `["x - cos(z)", "y - sin(z)"]`."""


ConstraintTable: TypeAlias = Annotated[Rods | Plane | Sphere | SurfaceTable | Curve, Field(discriminator="kind")]
