"""A free-standing figure with long ears, made of round parts that blend into each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import oriented
from supple.mesh.shapes.shape import Counts
from supple.mesh.stuffing.blend import Blend, Cone, ball
from supple.mesh.stuffing.stuff import on_cubes, stuffed
from supple.types import Array, Ints

HEIGHT = 1.2
"""Height of the parts below."""
NECK, BROW = 0.52, 0.9
"""Heights below and above which a vertex does not belong to the head."""
COARSEST = 5
HUGE = 1e100
REACH = 0.022


@dataclass(frozen=True)
class _Grain:
    """Fineness of the lattice."""

    cubes: float
    """Over the height."""
    thinnest: float = 0.8
    """Radius of the thinnest part, as a fraction of a cube: below it a limb may separate, depending on node positions."""
    shift: float = 0.0
    """Offset of the nodes along z, as a fraction of a cube."""


SIZES = {"small": _Grain(7.25, 0.5, 0.75), "medium": _Grain(15.0), "large": _Grain(19.0)}
MIDDLE = [
    Cone((0.0, 0.27, 0.0), (0.0, 0.42, 0.0), (0.185, 0.14)),  # trunk
    ball((0.0, 0.28, 0.06), 0.15),  # belly
    Cone((-0.05, 0.68, 0.01), (0.05, 0.68, 0.01), (0.185, 0.185)),  # head
    ball((0.0, 0.62, 0.15), 0.085),  # muzzle
    ball((0.0, 0.22, -0.2), 0.07),  # tail
]
RIGHT = [
    Cone((0.11, 0.2, 0.0), (0.125, 0.07, 0.0), (0.1, 0.08)),  # leg
    Cone((0.125, 0.05, -0.02), (0.145, 0.045, 0.13), (0.075, 0.07)),  # foot
    Cone((0.13, 0.42, 0.01), (0.31, 0.36, 0.07), (0.075, 0.065)),  # arm
    ball((0.32, 0.36, 0.08), 0.072),  # hand
    Cone((0.1, 0.82, -0.01), (0.2, 1.12, -0.03), (0.07, 0.075), flat=0.7),  # ear
]


@SHAPES("character")
@dataclass(frozen=True)
class Character:
    """A standing figure with a round head, long ears, arms and flat feet, that looks along z and is symmetric in x.

    All parts are one body: round cones and balls that blend into each other, filled on a lattice. Parts that the
    lattice could not resolve are thickened, so even a coarse figure has ears and arms.
    """

    size: Literal["small", "medium", "large"] = "medium"
    """About 400, 3000 or 5900 tets."""
    height: Annotated[float, Gt(0)] = 1.0
    """From the soles to the tips of the ears [m]."""
    resolution: Annotated[float, Ge(0)] = 0.0
    """Cubes of the lattice over the height, 5 or more; 0: by `size`."""
    foot: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Position of the midpoint between the soles [m]."""

    def __post_init__(self) -> None:
        if 0.0 < self.resolution < COARSEST:
            raise MeshError(
                f"character.resolution: found {self.resolution:g}; must be {COARSEST} or more, or 0 to go by size"
            )

    @property
    def _grain(self) -> _Grain:
        return _Grain(self.resolution) if self.resolution else SIZES[self.size]

    def counts(self) -> Counts:
        """The approximate size of the mesh: the body fills a fixed fraction of its box, independent of the lattice."""
        whole = self._grain.cubes**3 if self._grain.cubes < HUGE else math.inf
        return Counts(0.4 * whole, 1.1 * whole, 0.3 * whole)

    def mesh(self) -> Mesh:
        """The mesh; groups are described in the docs: feet, ears, left_ear, right_ear, head, core, soles, hands."""
        grain = self._grain
        half = on_cubes(
            lambda cell: stuffed(_half(grain.thinnest * cell), *_box(cell, grain.shift)), HEIGHT / grain.cubes
        )  # fmt: skip
        x, tets = mirrored(half)
        return Mesh(x * (self.height / x[:, 1].max()) + self.foot, tets=tets, groups=_groups(x))


def _box(cell: float, shift: float) -> tuple[Array, Array, tuple[int, int, int]]:
    """The half space of the right-hand parts, above the ground."""
    depth = int(np.ceil(0.34 / cell))
    counts = (int(np.ceil(0.46 / cell)), int(np.ceil(1.3 / cell)), 2 * depth)
    return np.array([0.0, 0.0, (shift - depth) * cell]), np.full(3, cell), counts


def _half(least: float) -> Blend:
    twins = [Cone(_flipped(p.start), _flipped(p.end), p.radii, p.flat) for p in RIGHT]
    return Blend(tuple(part.at_least(least) for part in [*MIDDLE, *RIGHT, *twins]), REACH)


def _flipped(p: tuple[float, float, float]) -> tuple[float, float, float]:
    return (-p[0], p[1], p[2])


def mirrored(half: Mesh) -> tuple[Array, Ints]:
    """The body whose right half is given, with its cut face at x = 0: vertices on it serve both halves."""
    x = half.vertices
    outer = np.flatnonzero(x[:, 0] > 0.0)
    twin = np.arange(half.n)
    twin[outer] = half.n + np.arange(len(outer))
    both = np.concatenate([x, x[outer] * [-1.0, 1.0, 1.0]])
    return both, oriented(both, np.concatenate([half.tets, twin[half.tets]]).astype(np.int32))


def _groups(x: Array) -> dict[str, Ints]:
    above, right = (x[:, 1] > BROW) & (np.abs(x[:, 0]) > 0.03), x[:, 0] > 0.0
    where = {
        "feet": x[:, 1] < 0.1,
        "soles": x[:, 1] == 0.0,
        "head": (x[:, 1] > NECK) & ~above & (np.abs(x[:, 0]) < 0.27),
        "ears": above,
        "right_ear": above & right,
        "left_ear": above & ~right,
        "hands": (np.abs(x[:, 0]) > 0.27) & (x[:, 1] < NECK),
        "core": np.linalg.norm(x - [0.0, 0.32, 0.0], axis=1) < 0.13,
    }
    return {name: np.flatnonzero(mine).astype(np.int32) for name, mine in where.items()}
