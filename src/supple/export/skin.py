"""A fine surface that a solid carries along: each of its vertices keeps its place in one tet.

A point p of the rest body lies in the tet with corners X_0 .. X_3 at p = sum w_i X_i, sum w_i = 1; in motion it is at
sum w_i x_i. A vertex outside all tets goes with the nearest tet, whose affine map is continued outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from supple.errors import MeshError
from supple.export.sequence import Body
from supple.mesh.mesh import Mesh
from supple.mesh.nearest import Tets
from supple.mesh.topology import surface
from supple.recording.parts import Part
from supple.recording.playback import Singles
from supple.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Binding:
    """For each vertex of a skin the corners of its tet (k, 4) and their weights (k, 4)."""

    corners: Ints
    weights: Array
    outside: Array
    """(k,) distance [m] to the nearest tet, 0 for vertices inside."""

    def matrix(self, n: int) -> csr_array:
        """(k, n): values at the n vertices of the solid -> values at the skin."""
        k = len(self.corners)
        return csr_array((self.weights.ravel(), self.corners.ravel(), np.arange(k + 1) * 4), shape=(k, n))


def bind(points: Array, rest: Array, tets: Ints) -> Binding:
    """Points (k, 3) bound to tets (m, 4) with rest positions (n, 3)."""
    try:
        solid = Tets(rest, tets)
    except np.linalg.LinAlgError as error:
        raise MeshError("the body at rest has flat tets, to which no skin can be bound; repair its mesh") from error
    owner, distance = solid.locate(points)
    return Binding(tets[owner], solid.weights(points, owner), distance)


def skinned(part: Part, skin: Mesh, binding: Binding, n: int) -> Body:
    """The skin as the body of a sequence whose film has n vertices."""
    matrix = binding.matrix(n)

    def pick(values: Singles) -> Singles:
        return np.ascontiguousarray(matrix @ values.astype(np.float64), dtype=np.float32)

    none = np.empty((0, 4), dtype=np.int32)
    return Body(part.name, skin.n, surface(skin), skin.edges, none, False, pick, part.colour, polygons=skin.polygons)


def check_surface(where: str, skin: Mesh) -> None:
    """Refuse a file without anything to see."""
    if not len(surface(skin)):
        raise MeshError(f"{where}: has no triangles, so it cannot be a skin; give a surface")


def check_fit(where: str, binding: Binding, size: float) -> list[str]:
    """Notes on vertices outside of a body of that size [m]; a skin that lies elsewhere altogether is refused."""
    out = binding.outside > 1e-6 * size
    if not out.any():
        return []
    worst = float(binding.outside.max())
    if float(np.median(binding.outside)) > 0.5 * size:
        raise MeshError(
            f"{where}: this skin lies {worst:.3g} m away from the body, which is {size:.3g} m long; it must fit the body "
            "at rest, in metres (--skin-scale 0.01 for a file in centimetres) and with the same axes"
        )
    return [
        f"{where}: {out.sum()} of {len(out)} vertices lie outside the tets, up to {worst:.3g} m; they go with the nearest"
    ]
