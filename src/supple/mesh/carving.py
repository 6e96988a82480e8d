"""Remove tets from a mesh, and the fragments that come loose with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.doctor import drop_unreferenced
from supple.mesh.mesh import Mesh
from supple.mesh.topology import FACES, distinct

CRUMB = 0.01
"""Fraction of the tets below which a detached piece counts as a fragment."""


def kept_tets(mesh: Mesh, keep: npt.NDArray[np.bool_]) -> Mesh:
    """The mesh of some of the tets; groups and tags follow."""
    if not keep.any():
        raise MeshError("all tets are removed; nothing is left of the body")
    tags = {name: numbers[keep] for name, numbers in mesh.tags.items()}
    return drop_unreferenced(replace(mesh, tets=mesh.tets[keep], tags=tags))


def without_crumbs(mesh: Mesh) -> tuple[Mesh, int]:
    """The mesh without small pieces that share no face with the rest, and how many tets they had.

    A tet attached only by a corner or an edge would move without any resistance.
    """
    label = pieces(mesh)
    small = np.bincount(label) < CRUMB * len(mesh.tets)
    crumbs = small[label]
    return (kept_tets(mesh, ~crumbs), int(crumbs.sum())) if crumbs.any() else (mesh, 0)


def pieces(mesh: Mesh) -> npt.NDArray[np.int32]:
    """(m,) piece of each tet; neighbours in a piece share a face."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m = len(mesh.tets)
    _, face, _ = distinct(np.sort(mesh.tets[:, FACES].reshape(-1, 3), axis=1))
    order = np.argsort(face, kind="stable")
    met = np.flatnonzero(face[order][1:] == face[order][:-1])
    i, j = order[met] // 4, order[met + 1] // 4
    graph = coo_array((np.ones(len(i), dtype=np.int8), (i, j)), shape=(m, m))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int32)
