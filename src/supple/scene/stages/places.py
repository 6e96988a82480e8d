"""Positions of attachment sites: element corners and their weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import SceneError
from supple.mesh.stages.values import refused, whole_numbers
from supple.mesh.topology import surface
from supple.scene.stages.deformables import Deformable
from supple.scene.stages.sites import Site
from supple.types import Array, Ints


def corners_of(site: Site, body: Deformable, where: str) -> tuple[Ints, Array]:
    """(k, c) vertices of the elements of a site, and their weights (k, c)."""
    elements = _elements(site, body)
    bad = site.indices[(site.indices < 0) | (site.indices >= len(elements))]
    if len(bad):
        raise SceneError(
            f"{where}: names element {bad[0]} of {site.path}, which has {len(elements)} of type '{site.kind}', from 0"
        )
    corners = elements[site.indices].astype(np.int32)
    c = corners.shape[1]
    if not len(site.coords):
        return corners, np.full(corners.shape, 1.0 / c)
    free = site.coords[:, : c - 1]
    return corners, np.column_stack([free, 1.0 - free.sum(axis=1)]) if c > 1 else np.ones(corners.shape)


def nearest_corners(corners: Ints, weights: Array) -> Ints:
    """(k,) the corner nearest to each site."""
    return corners[np.arange(len(corners)), weights.argmax(axis=1)]


def _elements(site: Site, body: Deformable) -> Any:
    mesh = body.mesh
    if site.kind == "point":
        return np.arange(mesh.n)[:, None]
    if site.kind == "tetrahedron":
        return mesh.tets
    if site.kind == "segment":
        return mesh.edges
    if body.kind != "volume":
        return mesh.triangles
    from pxr import UsdGeom

    found = UsdGeom.TetMesh(body.prim).GetSurfaceFaceVertexIndicesAttr()
    given = whole_numbers(found)
    if len(given) % 3 or (len(given) and not 0 <= given.min() <= given.max() < mesh.n):
        raise refused(found, f"has {len(given)} entries; expected triangles of vertices from 0 to {mesh.n - 1}")
    return given.reshape(-1, 3) if len(given) else surface(mesh)
