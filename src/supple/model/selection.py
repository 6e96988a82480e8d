"""Selection of vertices of a body by their rest positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Len

from supple.checks import checked
from supple.errors import SceneError, SuppleError
from supple.formulas.expressions import Expression
from supple.formulas.values import Condition
from supple.mesh.mesh import Mesh
from supple.types import Ints
from supple.values import Count, Direction, Positive, Vector, exactly_one

Carriers: TypeAlias = Callable[[str | tuple[int, ...], str], Ints]
"""From a group of a surface, or indices of its vertices, and their path, to the vertices that carry them."""


@checked
@dataclass(frozen=True)
class Within:
    """All vertices at most `radius` away from `centre`."""

    centre: Vector
    """Centre of the ball [m]."""
    radius: Positive
    """Radius of the ball [m]."""


@checked
@dataclass(frozen=True)
class Beyond:
    """All vertices on the plane or on the side to which `normal` points: (X - point) . normal >= 0."""

    point: Vector
    """Any point of the plane [m]."""
    normal: Direction
    """Normal of the plane; need not have length 1."""


@checked
@dataclass(frozen=True)
class Nearest:
    """The vertices nearest to a point."""

    point: Vector
    """Reference point [m]."""
    count: Annotated[int, Ge(1)] = 1
    """Number of vertices."""


@checked
@dataclass(frozen=True)
class Selection:
    """Vertices of a body by their rest positions; exactly one of the keys."""

    box: Annotated[tuple[Vector, ...], Len(2, 2)] | None = None
    """Lower and upper corner, both inclusive [m]."""
    sphere: Within | None = None
    """Vertices inside a ball, by its centre and radius."""
    plane: Beyond | None = None
    """Vertices on the side of a plane to which its normal points."""
    vertices: Annotated[tuple[Count, ...], Len(1)] | None = None
    """Indices of vertices, from 0."""
    expression: Condition | None = None
    """A condition such as `X < 0.1 and Y > 0` in rest coordinates [m]."""
    nearest: Nearest | None = None
    """A number of vertices nearest to a point."""
    carrying: str | Annotated[tuple[Count, ...], Len(1)] | None = None
    """Vertices that carry part of the body's embedded surface: a group of the surface, or indices of its vertices, from 0."""

    def __post_init__(self) -> None:
        exactly_one({f.name: getattr(self, f.name) for f in fields(self)}, "a group")
        if self.box is not None and any(low > high for low, high in zip(*self.box, strict=True)):
            lower, upper = (list(corner) for corner in self.box)
            raise SuppleError(f"box must go from its lower to its upper corner, found {lower} and {upper}")

    def of(self, mesh: Mesh, path: str, carriers: Carriers | None = None) -> Ints:
        """Its vertices of a mesh, ascending; `path`: location in the world; `carriers`: vertices that carry a surface."""
        X = mesh.vertices
        if self.carrying is not None:
            if carriers is None:
                raise SceneError(f"{path}.carrying: the vertices of this mesh carry no surface")
            return carriers(self.carrying, f"{path}.carrying")
        if self.box is not None:
            low, high = (np.asarray(corner) for corner in self.box)
            return _where(((low <= X) & (high >= X)).all(axis=1))
        if self.sphere is not None:
            return _where(np.linalg.norm(X - np.asarray(self.sphere.centre), axis=1) <= self.sphere.radius)
        if self.plane is not None:
            return _where((X - np.asarray(self.plane.point)) @ np.asarray(self.plane.normal) >= 0)
        if self.expression is not None:
            return _where(Expression(self.expression).holds(X))
        if self.nearest is not None:
            return self._nearest(self.nearest, mesh, path)
        numbers = np.asarray(self.vertices, dtype=np.int64)
        if numbers.max(initial=0) >= mesh.n:
            raise SceneError(f"{path}.vertices: the body has {mesh.n} vertices, found index {numbers.max()}")
        return np.unique(numbers).astype(np.int32)

    def _nearest(self, nearest: Nearest, mesh: Mesh, path: str) -> Ints:
        if nearest.count > mesh.n:
            raise SceneError(f"{path}.nearest.count: the body has {mesh.n} vertices, found {nearest.count}")
        distance = np.linalg.norm(mesh.vertices - np.asarray(nearest.point), axis=1)
        return np.sort(np.argsort(distance, kind="stable")[: nearest.count]).astype(np.int32)


def as_selection(chosen: Selection | Mapping[str, Any] | npt.ArrayLike, name: str) -> Selection:
    """Vertices by index, by a mask over all of them, or by a selection or its options."""
    if isinstance(chosen, Selection):
        return chosen
    if isinstance(chosen, Mapping):
        return Selection(**chosen)
    array = np.asarray(chosen)
    if array.ndim != 1 or array.dtype.kind not in "iub":
        raise SuppleError(f"body.groups.{name}: found {chosen!r}; give a Selection, vertex indices, or a mask")
    numbers = np.flatnonzero(array) if array.dtype == np.bool_ else array
    return Selection(vertices=tuple(numbers.tolist()))


def demand_whole_mask(chosen: Any, name: str, mesh: Mesh) -> None:
    """Refuse a mask with another number of entries than the mesh has vertices."""
    if isinstance(chosen, Selection | Mapping):
        return
    mask = np.asarray(chosen)
    if mask.dtype == np.bool_ and mask.ndim == 1 and len(mask) != mesh.n:
        raise SuppleError(
            f"body.groups.{name}: found a mask of {len(mask)} entries; the mesh has {mesh.n} vertices, give one for each"
        )


def box_text(mesh: Mesh) -> str:
    """Extent of a mesh as text: [0, 1] x [0, 2] x [0, 1]."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return " x ".join(f"[{a:g}, {b:g}]" for a, b in zip(low, high, strict=True))


def _where(mask: npt.ArrayLike) -> Ints:
    return np.flatnonzero(np.asarray(mask)).astype(np.int32)
