"""Bending of ropes and rods that are straight at rest.

    V = EI/2 sum over inner vertices of |t2 - t1|^2/l,   t = edge/(its rest length), l = (l1 + l2)/2
t2 - t1 over l is the curvature vector, so V tends to EI/2 times the integral of curvature^2. V is of degree 2.
There is no torsional stiffness: a rope twists freely.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.bending.straight import StraightAtRest
from supple.energies.stencil import checked_stiffness
from supple.errors import MeshError
from supple.mesh.topology import incidence
from supple.types import Array, Ints

CURVED = 1e-4
"""Angle at rest beyond which a rod is not straight [rad]."""


def consecutive(edges: Ints, n: int) -> Ints:
    """(m, 3) neighbour, vertex, neighbour for each of n vertices with exactly two edges."""
    start, edge = incidence(edges, n)
    inner = np.flatnonzero(np.diff(start) == 2)
    near = edges[edge[start[inner][:, None] + np.arange(2)]]  # (m, 2, 2)
    other = near.sum(axis=2) - inner[:, None]
    return np.column_stack([other[:, 0], inner, other[:, 1]]).astype(np.int32)


class RodBending(StraightAtRest):
    """Vertices between two edges; ends, and joints of three or more edges, do not resist bending."""

    stiffness_name: ClassVar[str] = "rigidity"

    def __init__(self, rest: Array, edges: Ints, rigidity: float | Array) -> None:
        """rest (n, 3) [m], straight; edges (e, 2); rigidity EI [N m^2]: a scalar, or one value pern inner vertex."""
        elements = consecutive(edges, len(rest))
        EI = checked_stiffness("rod rigidity", rigidity, len(elements))
        lengths = _lengths(rest[elements])
        if not (lengths > 0.0).all():
            bad = int(np.flatnonzero(~(lengths > 0.0).all(axis=1))[0])
            raise MeshError(f"rod bending: an edge at vertex {elements[bad, 1]} has no length; join its ends")
        super().__init__(rest, elements, EI)
        angle = np.linalg.norm(self.combinations(rest), axis=1)
        bent = np.flatnonzero(angle > CURVED)
        if len(bent):
            raise MeshError(
                f"rod bending: {len(bent)} vertices are bent at rest, the first is vertex {elements[bent[0], 1]} by "
                f"{angle[bent[0]]:.3g} rad; it needs straight rods: take bend springs for this mesh"
            )

    def weighed(self, elements: Ints, corners: Array) -> tuple[Array, Array]:
        lengths = _lengths(corners)
        first, second = (1.0 / lengths).T
        return np.column_stack([first, -first - second, second]), 1.0 / lengths.mean(axis=1)


def _lengths(corners: Array) -> Array:
    """(m, 2) lengths of both edges."""
    return np.asarray(np.linalg.norm(corners[:, 1:] - corners[:, :-1], axis=2))
