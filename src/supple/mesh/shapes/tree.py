"""A tree: a trunk that forks repeatedly, each branch with a tuft at its end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.shape import Counts
from supple.mesh.stuffing.blend import Blend, Cone, ball
from supple.mesh.stuffing.stuff import on_cubes, stuffed
from supple.types import Array, Ints

SIZES = {"small": 30.0, "medium": 60.0, "large": 80.0}
"""Cubes of the lattice over the height."""
TRUNK, RADIUS, FLARE = 0.34, 0.042, 0.075
"""Length and radius of the trunk, and its radius at the ground, for a tree of height 1."""
SHORTER, THINNER, TAPER = 0.74, 0.86, 0.84
"""Ratios of a branch: length to its parent's; area to its share of the parent's; end radius to start radius."""
SPREAD, UPWARD = 0.62, 0.22
"""Angle between a branch and its parent [rad], and the upward bend of a branch."""
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))
COARSEST = 20
HUGE = 1e100
REACH = 0.006
THINNEST = 0.8
"""Radius of the thinnest part, as a fraction of a cube."""


@SHAPES("tree")
@dataclass(frozen=True)
class Tree:
    """A tree with its root flat on the ground: a trunk that forks into three, and every branch into two again.

    Cross-sectional areas are nearly preserved at forks, and each fork is rotated by the golden angle, so branches stay
    apart. Twigs that the lattice could not resolve are thickened.
    """

    height: Annotated[float, Gt(0)] = 3.0
    """Approximate height [m]."""
    forks: Annotated[int, Ge(1), Le(5)] = 3
    """Number of forks between the root and a tip."""
    tufts: Annotated[float, Ge(0)] = 0.05
    """Radius of the ball at each tip, as a fraction of the height; 0: bare tips."""
    size: Literal["small", "medium", "large"] = "small"
    """About 6, 25 or 50 thousand unknowns with three forks."""
    resolution: Annotated[float, Ge(0)] = 0.0
    """Cubes of the lattice over the height, 20 or more; 0: by `size`."""
    foot: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre of the root [m]."""

    def __post_init__(self) -> None:
        if 0.0 < self.resolution < COARSEST:
            raise MeshError(
                f"tree.resolution: found {self.resolution:g}; must be {COARSEST} or more, or 0 to go by size"
            )

    def counts(self) -> Counts:
        """The approximate size of the mesh: wood fills a small fraction of its box, tufts fill balls."""
        cubes, tufts = self.resolution or SIZES[self.size], max(self.tufts, 0.0)
        if max(cubes, tufts) > HUGE:
            return Counts(math.inf, math.inf, math.inf)
        whole, tips = cubes**3, 3.0 * 2.0 ** (self.forks - 1)
        places = (1.5 + 2.0 * tufts) ** 3 * whole
        filled = min(places, 0.03 * whole + 4.2 * tips * tufts**3 * whole)
        return Counts(4.0 * filled, 12.0 * filled, places)

    def mesh(self) -> Mesh:
        """The mesh, with the groups root (on the ground), trunk, crown (above the first fork) and tips."""
        wood, tips = branches(self.forks)

        def filled(cell: float) -> Mesh:
            least = THINNEST * cell
            parts = [part.at_least(least) for part in wood]
            parts += [ball(_point(tip), max(self.tufts, least)) for tip in tips]
            body = stuffed(Blend(tuple(parts), REACH), *_box(parts, cell))
            groups = _groups(body.vertices, tips, max(self.tufts, least))
            return Mesh(body.vertices * self.height + self.foot, tets=body.tets, groups=groups)

        return on_cubes(filled, 1.0 / (self.resolution or SIZES[self.size]))


def branches(forks: int) -> tuple[list[Cone], Array]:
    """Trunk, flare and branches of a tree of height about 1, and its tips (n, 3)."""
    up = np.array([0.0, 1.0, 0.0])
    wood = [Cone((0.0, -0.04, 0.0), (0.0, 0.09, 0.0), (FLARE, 0.9 * RADIUS))]
    tips: list[Array] = []

    def grow(start: Array, along: Array, length: float, radius: float, level: int, turn: float) -> None:
        end = start + length * along
        wood.append(Cone(_point(start), _point(end), (radius, TAPER * radius)))
        if level == forks:
            tips.append(end)
            return
        count = 3 if level == 0 else 2
        thin = TAPER * radius * np.sqrt(THINNER / count) * (1.15 if count == 3 else 1.0)
        for k in range(count):
            side = _sideways(along, turn + 2.0 * np.pi * k / count)
            lean = SPREAD * (1.0 + 0.25 * (-1) ** (k + level))
            way = np.cos(lean) * along + np.sin(lean) * side + UPWARD * up
            grow(end, way / np.linalg.norm(way), SHORTER * length, thin, level + 1, turn + GOLDEN * (k + 1))

    grow(np.zeros(3), up, TRUNK, RADIUS, 0, 0.4)
    return wood, np.array(tips)


def _point(p: Array) -> tuple[float, float, float]:
    return (float(p[0]), float(p[1]), float(p[2]))


def _sideways(along: Array, angle: float) -> Array:
    """A unit vector across a direction."""
    first = np.cross(along, [0.0, 0.0, 1.0] if abs(along[2]) < 0.8 else [1.0, 0.0, 0.0])
    first /= np.linalg.norm(first)
    return np.cos(angle) * first + np.sin(angle) * np.cross(along, first)


def _box(parts: list[Cone], cell: float) -> tuple[Array, Array, tuple[int, int, int]]:
    ends = np.array([p for part in parts for p in (part.start, part.end)])
    reach = np.repeat([max(part.radii) for part in parts], 2)[:, None] + 2.0 * cell
    low, high = np.floor((ends - reach).min(axis=0) / cell), np.ceil((ends + reach).max(axis=0) / cell)
    low[1] = 0.0
    a, b, c = (high - low).astype(int)
    return low * cell, np.full(3, cell), (int(a), int(b), int(c))


def _groups(x: Array, tips: Array, reach: float) -> dict[str, Ints]:
    from scipy.spatial import cKDTree

    where = {
        "root": x[:, 1] == 0.0,
        "trunk": x[:, 1] < 0.9 * TRUNK,
        "crown": x[:, 1] >= TRUNK,
        "tips": cKDTree(tips).query(x)[0] < 1.2 * reach,
    }
    return {name: np.flatnonzero(mine).astype(np.int32) for name, mine in where.items()}
