"""A plate or a wheel with round holes through one half of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import side_groups
from supple.mesh.shapes.shape import Counts
from supple.mesh.stuffing.stuff import stuffed
from supple.types import Array, Ints

Length = Annotated[float, Gt(0)]
WIDEST = 0.46
"""Largest ratio of hole radius to spacing that leaves walls between the holes."""


@SHAPES("slab")
@dataclass(frozen=True)
class Slab:
    """A flat body with round holes along y through its right half; its left half is solid.

    Holes form a square pattern, with `rows` of them over the width. In a wheel, holes too close to the rim are omitted.
    All six sides of a plate, and both faces of a wheel, are flat.
    """

    form: Literal["plate", "wheel"] = "plate"
    """A box, or a disc with the axis y."""
    size: tuple[Length, Length, Length] = (1.0, 0.2, 0.6)
    """Lengths along x, y and z [m]; a wheel is round if the lengths along x and z are equal."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre [m]."""
    rows: Annotated[int, Ge(0)] = 3
    """Holes over the width along z; 0: no holes."""
    radius: Annotated[float, Ge(0)] = 0.0
    """Radius of the holes [m]; 0: a third of their spacing."""
    resolution: Annotated[int, Ge(1)] = 3
    """Cubes of the lattice over the thickness; 6 gives 36 thousand tets with the other parameters at their defaults."""

    def __post_init__(self) -> None:
        if self.rows and self._hole > WIDEST * self._spacing:
            raise MeshError(
                f"slab.radius: found {self.radius:g}, but holes are {self._spacing:g} m apart; must be at most "
                f"{WIDEST * self._spacing:g}, so walls remain, or give fewer rows"
            )

    @property
    def _spacing(self) -> float:
        return self.size[2] / max(self.rows, 1)

    @property
    def _hole(self) -> float:
        return self.radius or self._spacing / 3.0

    def counts(self) -> Counts:
        """The approximate size of the mesh: up to 12 tets per cube. Every lattice point is tested against every hole."""
        a, b, c = (max(1.0, length * self.resolution / self.size[1]) for length in self.size)
        cubes = a * b * c
        holes = self.rows * self.rows * 0.5 * self.size[0] / self.size[2]
        return Counts(3.0 * cubes, 12.0 * cubes, cubes * (1.0 + holes / 10.0))

    def mesh(self) -> Mesh:
        """The mesh: groups left, right, bottom, top, back, front, and the halves `whole` and `holed`."""
        size = np.asarray(self.size)
        counts = np.maximum(1, np.rint(size * self.resolution / size[1])).astype(int)
        cell = size / counts
        rim = _Rim(size[0] / 2.0, size[2] / 2.0) if self.form == "wheel" else None
        form = _Pierced(self.holes(), self._hole, rim, float(size.min()))
        if rim:  # cut out of a larger box
            counts += [2, 0, 2]
        a, b, c = (int(n) for n in counts)
        body = stuffed(form, -0.5 * counts * cell, cell, (a, b, c))
        x = body.vertices
        near = 1e-9 * size[0]
        halves = {"whole": x[:, 0] <= near, "holed": x[:, 0] >= -near}
        groups: dict[str, Ints] = {n: np.flatnonzero(mine).astype(np.int32) for n, mine in halves.items()}
        return Mesh(x + self.centre, tets=body.tets, groups={**side_groups(x), **groups})

    def holes(self) -> Array:
        """(n, 2) x and z of the axes of the holes, from the centre of the slab [m]."""
        s = self._spacing
        across = (np.arange(self.rows) + 0.5) * s - 0.5 * self.size[2]
        along = (np.arange(int(0.5 * self.size[0] / s + 1e-9)) + 0.5) * s
        places = np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1).reshape(-1, 2)
        if self.form == "plate":
            return places
        return places[-self._rim(places) >= self._hole + 0.12 * s]

    def _rim(self, places: Array) -> Array:
        return _Rim(self.size[0] / 2.0, self.size[2] / 2.0).slope(places)[0]


@dataclass(frozen=True)
class _Rim:
    """The ellipse of a wheel in the plane of x and z."""

    a: float
    b: float

    def slope(self, places: Array) -> tuple[Array, Array]:
        """Signed distance (n,) of points (n, 2), approximate for an oval, and its gradient (n, 2)."""
        half = np.array([self.a, self.b])
        scaled = places / half
        length = np.maximum(np.linalg.norm(scaled, axis=1), 1e-300)
        return (length - 1.0) * half.min(), half.min() * scaled / half / length[:, None]


@dataclass(frozen=True)
class _Pierced:
    """The plane inside an optional rim, without the round holes."""

    holes: Array
    radius: float
    rim: _Rim | None
    inside: float
    """Distance from the surface where there is no rim and no hole [m]."""

    def distance(self, x: Array) -> Array:
        """Negative in the slab."""
        return self.slope(x)[0]

    def slope(self, x: Array) -> tuple[Array, Array]:
        """The distance to the nearest of them, and its gradient."""
        flat = x[:, [0, 2]]
        d, g = self.rim.slope(flat) if self.rim else (np.full(len(x), -self.inside), np.zeros((len(x), 2)))
        for hole in self.holes:
            away = flat - hole
            length = np.maximum(np.linalg.norm(away, axis=1), 1e-300)
            nearer = self.radius - length > d
            d = np.where(nearer, self.radius - length, d)
            g = np.where(nearer[:, None], -away / length[:, None], g)
        return d, np.stack([g[:, 0], np.zeros(len(x)), g[:, 1]], axis=1)
