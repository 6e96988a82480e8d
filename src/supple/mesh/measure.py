"""Sizes and shape quality of elements, and the mass of their vertices."""

from __future__ import annotations

import numpy as np

from supple.errors import MeshError
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints


def tet_volumes(x: Array, tets: Ints) -> Array:
    """Signed volumes (m,) [m^3]: det(x1 - x0, x2 - x0, x3 - x0) / 6."""
    a, b, c = (x[tets[:, j]] - x[tets[:, 0]] for j in (1, 2, 3))
    return np.einsum("ij,ij->i", np.cross(a, b), c) / 6.0


def triangle_areas(x: Array, triangles: Ints) -> Array:
    """Areas (f,) [m^2]."""
    a, b = (x[triangles[:, j]] - x[triangles[:, 0]] for j in (1, 2))
    return np.linalg.norm(np.cross(a, b), axis=1) / 2.0


def edge_lengths(x: Array, edges: Ints) -> Array:
    """Lengths (e,) [m]."""
    return np.linalg.norm(x[edges[:, 1]] - x[edges[:, 0]], axis=1)


def enclosed_volume(x: Array, triangles: Ints) -> float:
    """Volume inside a closed surface [m^3], by the divergence theorem; negative when it faces inwards."""
    a, b, c = (x[triangles[:, j]] - x.mean(axis=0) for j in range(3))
    return float(np.einsum("ij,ij->", np.cross(a, b), c) / 6.0)


def sizes(x: Array, cells: Ints) -> Array:
    """Volume, area or length of each element, by its number of corners; signed for tets."""
    return {2: edge_lengths, 3: triangle_areas, 4: tet_volumes}[cells.shape[1]](x, cells)


def squared_edges(x: Array, cells: Ints) -> Array:
    """Squared length of every edge of every element (m, k(k-1)/2) [m^2]."""
    i, j = np.triu_indices(cells.shape[1], 1)
    d = x[cells[:, i]] - x[cells[:, j]]
    return np.einsum("eij,eij->ei", d, d)


def quality(x: Array, cells: Ints) -> Array:
    """Mean ratio: 1 for a regular element, 0 for a flat one, negative for a flipped tet.

    Tets 12 (3 V)^(2/3) / sum l^2, triangles 4 sqrt(3) A / sum l^2 (Liu and Joe, 1994); edges always have 1.
    """
    k = cells.shape[1]
    if k == 2:
        return np.ones(len(cells))
    size, squares = sizes(x, cells), squared_edges(x, cells).sum(axis=1)
    ideal = 12.0 * np.cbrt(3.0 * size) ** 2 * np.sign(size) if k == 4 else 4.0 * np.sqrt(3.0) * size
    return np.divide(ideal, squares, out=np.zeros(len(cells)), where=squares > 0)


def dihedral_angles(x: Array, tets: Ints) -> Array:
    """Angles (m, 6) between the faces of each tet [rad], one per edge; slivers have small ones."""
    corners = x[tets]
    found = []
    for i, j, k, o in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)):
        edge = corners[:, j] - corners[:, i]
        a, b = np.cross(edge, corners[:, k] - corners[:, i]), np.cross(edge, corners[:, o] - corners[:, i])
        sine = np.linalg.norm(np.cross(a, b), axis=1)
        found.append(np.arctan2(sine, np.einsum("ij,ij->i", a, b)))
    return np.stack(found, axis=1)


def body_cells(mesh: Mesh) -> Ints:
    """The elements that make up the body: tets if there are any, else triangles, else edges (for a rope those named
    `stretch`; the others span several of them)."""
    links = mesh.edges[mesh.edge_groups["stretch"]] if "stretch" in mesh.edge_groups else mesh.edges
    return next((c for c in (mesh.tets, mesh.triangles) if len(c)), links)


def lumped_mass(
    mesh: Mesh, density: float | Array | None = None, mass: float | None = None, uniform: bool = False
) -> Array:
    """Mass of each vertex (n,) [kg]: every element distributes its mass equally to its corners.

    `density` is per m^3 for a mesh with tets, per m^2 for one of triangles, per m for one of edges; a scalar or one
    value per element. `mass` [kg] distributes a total in the same proportions instead. With `uniform` all vertices have
    the same mass.
    """
    if (density is None) == (mass is None):
        raise MeshError("mass of a mesh: give exactly one of density and mass")
    _positive("density", density)
    _positive("mass", mass)
    cells = body_cells(mesh)
    weight = np.abs(sizes(mesh.vertices, cells)) * (1.0 if density is None else density)
    total = float(weight.sum()) if mass is None else float(mass)
    if uniform:
        return np.full(mesh.n, total / max(mesh.n, 1))
    k = cells.shape[1]
    lumped = np.zeros(mesh.n)
    np.add.at(lumped, cells, weight[:, None] / k)
    bare = np.flatnonzero(lumped <= 0.0)
    if len(bare):
        first = ", ".join(map(str, bare[:5]))
        raise MeshError(
            f"mass of a mesh: {len(bare)} of {mesh.n} vertices would have no mass (first: {first}), "
            "as no element of the body touches them; remove them or spread the mass with uniform"
        )
    return lumped if mass is None else lumped * (total / lumped.sum())


def _positive(name: str, value: float | Array | None) -> None:
    if value is not None and not np.all(np.isfinite(value) & (np.asarray(value) > 0)):
        raise MeshError(f"{name}: found {np.min(value)}; it must be a positive number")
