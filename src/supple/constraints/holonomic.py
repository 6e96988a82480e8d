"""Holonomic constraints: equations g(x) = 0 that positions satisfy exactly, by forces along the gradients of g.

A kind has m equations over k vertices each. This file and the kinds (links.py, surfaces.py, own.py) define single
equations; forces, solves and checks of the initial state are implemented elsewhere, independently of the kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.types import Array, Ints


class Holonomic:
    """m equations g_j = 0 of one kind."""

    name: str = "constraint"
    """Name in messages."""
    vertices: Ints
    """(m, k)"""
    degree: int | None = None
    """Degree of g along a straight line; None if it is not a polynomial."""
    internal: bool = False
    """Whether it is invariant under rigid motion of bodies: distances and volumes are, surfaces are not."""
    strides: Array | None = None
    """(m,) for moving equations: the change of gradient times displacement over the step, which also equals h times
    gradient times velocity at its end. Such constraints are for one step; zero if absent."""

    stencils: Ints | None = None
    """(p, c) vertices coupled by each block of second derivatives, if fewer than all vertices of an equation."""
    owners: npt.NDArray[np.int64]
    """(p,) equations of these blocks."""

    def values(self, x: Array) -> Array:
        """(m,) g_j at positions x (n, 3)."""
        raise TypeError(f"{type(self).__name__} does not define values")

    def gradients(self, x: Array) -> Array:
        """(m, k, 3) derivatives of g_j with respect to its vertices."""
        raise TypeError(f"{type(self).__name__} does not define gradients")

    def hessians(self, x: Array) -> Array:
        """(p, 3c, 3c) second derivatives, one block per stencil."""
        raise TypeError(f"{type(self).__name__} does not define hessians")

    @property
    def curved(self) -> tuple[Ints, npt.NDArray[np.int64]]:
        """(p, c) vertices that a block of second derivatives couples, and (p,) the equation to which each block
        belongs: most kinds have one block per equation, over all its vertices."""
        if self.stencils is None:
            return self.vertices, np.arange(len(self.vertices))
        return self.stencils, self.owners

    def turned(self, x: Array, w: Array) -> Array:
        """(m, k, 3) second derivatives at x times a field w (n, 3)."""
        H = self.hessians(x)
        return np.einsum("mab,mb->ma", H, w[self.vertices].reshape(len(H), -1)).reshape(*self.vertices.shape, 3)

    def problems(self, x: Array) -> list[str]:
        """Problems of the constraint itself, evaluated at positions x."""
        return []

    def label(self, j: int) -> str:
        """Equation j, for people."""
        corners = self.vertices[j]
        return f"{self.name}[{j}] ({'vertex' if len(corners) == 1 else 'vertices'} {', '.join(map(str, corners))})"


class Constraints:
    """All constraints of a system, with equations numbered kind by kind."""

    def __init__(self, kinds: Sequence[Holonomic] = ()) -> None:
        self.kinds = tuple(kinds)
        ends = np.cumsum([0, *(len(kind.vertices) for kind in self.kinds)]).tolist()
        self.spans = tuple(slice(a, b) for a, b in pairwise(ends))
        self._count = int(ends[-1])

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[tuple[Holonomic, slice]]:
        """Each kind and the indices of its equations."""
        return zip(self.kinds, self.spans, strict=True)

    def values(self, x: Array) -> Array:
        """(J,) all g_j."""
        return np.concatenate([kind.values(x) for kind in self.kinds]) if self.kinds else np.zeros(0)

    @property
    def strides(self) -> Array:
        """(J,) strides of all kinds."""
        each = [np.zeros(len(k.vertices)) if k.strides is None else k.strides for k in self.kinds]
        return np.concatenate(each) if each else np.zeros(0)

    def distances(self, x: Array) -> Array:
        """(J,) g_j over the largest gradient at one vertex: the approximate distance of a vertex from satisfying it [m]."""
        slopes = [steepness(kind.gradients(x)) for kind in self.kinds]
        return self.values(x) / np.maximum(np.concatenate(slopes), np.finfo(float).tiny) if self.kinds else np.zeros(0)

    def label(self, j: int) -> str:
        """Equation j, for people."""
        for kind, span in self:
            if j < span.stop:
                return kind.label(j - span.start)
        raise IndexError(f"the system has {len(self)} constraints, found index {j}")


def steepness(gradients: Array) -> Array:
    """(m,) the largest |gradient| of each equation at one of its vertices."""
    return np.linalg.norm(gradients, axis=2).max(axis=1)


def checked_vertices(vertices: npt.ArrayLike, what: str, k: int) -> Ints:
    """(m, k) vertex indices; raises an error for equations without vertices or with a repeated vertex."""
    found = np.ascontiguousarray(vertices, dtype=np.int32).reshape(-1, k)
    if not len(found):
        raise MeshError(f"{what}: no vertices given; give at least one")
    bad = np.flatnonzero((found < 0).any(axis=1))
    if bad.size:
        raise MeshError(
            f"{what}: {bad.size} of {len(found)} have a negative vertex index, the first is {what}[{bad[0]}]"
        )
    ordered = np.sort(found, axis=1)
    twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if twice.size:
        raise MeshError(f"{what}: {twice.size} of {len(found)} name a vertex twice, the first is {what}[{twice[0]}]")
    return found
