"""Check that double precision resolves the elements of a mesh at its position."""

from __future__ import annotations

import numpy as np

from supple.errors import SceneError
from supple.mesh.measure import tet_volumes, triangle_areas
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

FAR = 1e-11
"""Longest edge of a mesh over its largest coordinate, below which round-off of positions causes significant strains."""
FLAT = 1e-11
"""Volume of a tet over the cube of its longest edge, or area of a triangle over the square, below which it is flat."""
LEAST, MOST = 1e-60, 1e60
"""Lengths whose squares, cubes and products with stiffness are representable in double precision [m]."""


def demand_resolved(mesh: Mesh, path: str, deforms: bool = True) -> None:
    """Reject positions and elements not resolved by double precision, before any division by their sizes.

    `deforms`: False for obstacles, whose elements may be degenerate, since nothing is divided by their sizes.
    """
    if not mesh.n:
        return
    x = mesh.vertices
    if not np.isfinite(x).all():
        bad = int(np.flatnonzero(~np.isfinite(x).all(axis=1))[0])
        raise SceneError(f"{path}: vertex {bad} is at {x[bad].tolist()}; positions must be finite")
    reach = float(np.abs(x).max())
    if reach > MOST:
        raise SceneError(f"{path}: a vertex is {reach:.2g} m away; positions must be below {MOST:g} m")
    for cells, what in ((mesh.tets, "tet"), (mesh.triangles, "triangle"), (mesh.edges, "edge")):
        if len(cells):
            _demand_elements(x, cells, what, reach, path, deforms)


def _demand_elements(x: Array, cells: Ints, what: str, reach: float, path: str, deforms: bool) -> None:
    longest = _longest_edges(x, cells)
    most = float(longest.max())
    if not most > LEAST:
        far = f" at {reach:.2g} m from the origin" if reach > LEAST else ""
        remedy = ", or move the body closer to the origin" if far else ""
        raise SceneError(f"{path}: no edge is longer than {most:.2g} m{far}; give lengths above {LEAST:g} m{remedy}")
    if most < FAR * reach:
        raise SceneError(
            f"{path}: edges of {most:.2g} m are {reach:.2g} m from the origin, where double precision is too coarse; "
            "move the body closer to the origin, or make it larger"
        )
    if what == "edge":
        return
    size, power, word = (tet_volumes, 3, "volume") if what == "tet" else (triangle_areas, 2, "area")
    edge = longest / most
    flatness = np.abs(size(x / most, cells)) / np.maximum(edge, FLAT) ** power
    worst = int(flatness.argmin()) if deforms else int(np.where(flatness > 0.0, flatness, 1.0).argmin())
    if flatness[worst] < FLAT and (deforms or flatness[worst] > 0.0):
        raise SceneError(
            f"{path}: {what} {worst} is flat: its {word} is {flatness[worst]:.1g} of the "
            f"{'cube' if power == 3 else 'square'} of its longest edge; give lengths that differ less, or more cells along the "
            "longer ones"
        )


def _longest_edges(x: Array, cells: Ints) -> Array:
    k = cells.shape[1]
    pairs = [(a, b) for a in range(k) for b in range(a)]
    longest = np.zeros(len(cells))
    for a, b in pairs:
        np.maximum(longest, np.abs(x[cells[:, a]] - x[cells[:, b]]).max(axis=1), out=longest)
    return longest
