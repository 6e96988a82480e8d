"""The repairs of `supple mesh --repair`, with notes on each of them.

Coincident vertices are merged, faces without area and duplicates removed, faces flipped until neighbours agree and
closed pieces face outwards, small holes closed, unused vertices dropped. Texture coordinates and names of faces are
kept. Inner walls, self-intersections and large holes are left to the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.doctor import Fault, diagnose, drop_unreferenced, flat_and_copies
from supple.mesh.faces.polygons import plain_polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.mending.cleaning import without_copies, without_flat_faces, without_repeated_corners
from supple.mesh.mending.holes import close_hole, find_holes
from supple.mesh.mending.orientation import turned_alike, turned_outwards
from supple.mesh.mending.soup import Soup
from supple.mesh.mesh import Mesh
from supple.mesh.topology import distinct
from supple.types import Array, Ints

NEAR = 1e-7
"""Vertices closer than this fraction of the diagonal are merged."""
HOLE_SIZE = 0.2
"""A hole is small up to this fraction of the diagonal of its piece."""
BEYOND = (Fault.EMPTY, Fault.NOT_FINITE, Fault.TOO_FAR, Fault.OUT_OF_RANGE, Fault.BAD_GROUP)
"""Faults that no repair can resolve."""


def repaired(mesh: Mesh, hole_size: float = HOLE_SIZE, where: str = "mesh") -> tuple[Mesh, list[str]]:
    """The repaired mesh, and notes on the repairs; holes up to `hole_size` times the diagonal of their piece are closed."""
    if not 0.0 <= hole_size <= 1.0:
        raise MeshError(f"hole_size: found {hole_size:g}; give a part of the diagonal from 0 to 1")
    lost = [problem for problem in diagnose(mesh).problems if problem.fault in BEYOND]
    if lost:
        raise MeshError("\n".join(f"{where}: {problem}" for problem in lost))
    mesh, notes = _merged(mesh)
    mesh, said = _without_bad_cells(mesh)
    notes += said
    if len(mesh.triangles) and not mesh.is_solid:
        mesh, said = _repaired_surface(mesh, hole_size, where)
        notes += said
    if not any(map(len, (mesh.tets, mesh.triangles, mesh.edges))):
        raise MeshError(
            f"{where}: no element with a volume, an area or a length is left; check the scale of each axis, or export it again"
        )
    before = mesh.n
    mesh = drop_unreferenced(mesh)
    if mesh.n < before:
        notes.append(f"removed {_many(before - mesh.n, 'vertex', 'vertices')} that no element uses")
    return mesh, [f"{where}: {note}" for note in notes or ["nothing to repair"]]


def _merged(mesh: Mesh) -> tuple[Mesh, list[str]]:
    """Merge coincident vertices; the first of them stays."""
    label = _places(mesh.vertices, NEAR * float(np.linalg.norm(mesh.extent)))
    order, inverse, _ = distinct(label[:, None])
    if len(order) == mesh.n:
        return mesh, []
    rank = np.argsort(np.argsort(order))  # those that stay, as they follow each other in the file
    merged = mesh.renumbered(mesh.vertices[np.sort(order)], rank[inverse].astype(np.int32))
    return merged, [f"merged {_many(mesh.n - len(order), 'vertex', 'vertices')} with others in the same place"]


def _places(x: Array, near: float) -> npt.NDArray[Any]:
    """(n,) number of the place of each vertex; vertices no farther apart than `near` share one.

    Vertices in one cube with the diagonal `near` share a place before pairs are searched: all pairs of very many vertices in
    one place would not fit into memory.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree

    cube = np.floor((x - x.min(axis=0)) * (np.sqrt(3.0) / near)) if near > 0.0 else np.zeros_like(x)
    first, inverse, _ = distinct(cube)
    pairs = KDTree(x[first]).query_pairs(near, output_type="ndarray")
    joined = (np.ones(len(pairs), dtype=np.int8), (pairs[:, 0], pairs[:, 1]))
    _, label = connected_components(coo_array(joined, shape=(len(first), len(first))), directed=False)
    return np.asarray(label)[inverse]


def _without_bad_cells(mesh: Mesh) -> tuple[Mesh, list[str]]:
    """Without flat and repeated edges and tets; faces of surfaces are repaired separately."""
    notes = []
    keep: dict[str, npt.NDArray[np.bool_]] = {}
    kinds = ("edges", "tets", "triangles") if mesh.is_solid else ("edges", "tets")
    for kind in kinds:
        cells = getattr(mesh, kind)
        is_flat, is_copy = flat_and_copies(mesh.vertices, cells)
        keep[kind] = ~(is_flat | is_copy)
        if not keep[kind].all():
            notes.append(
                f"removed {_many(int(is_flat.sum()), kind[:-1], kind)} without size and "
                f"{int((is_copy & ~is_flat).sum())} with the same corners as an earlier one"
            )
    if not notes:
        return mesh, []
    cells = {kind: getattr(mesh, kind)[mask] for kind, mask in keep.items()}
    tags = {name: numbers[keep["tets"]] for name, numbers in mesh.tags.items()}
    return replace(mesh, **cells, tags=tags, edge_groups=_followed(mesh.edge_groups, keep["edges"])), notes


def _followed(groups: Mapping[str, Ints], kept: npt.NDArray[np.bool_]) -> dict[str, Ints]:
    """Groups of elements after some were removed."""
    place = (np.cumsum(kept) - 1).astype(np.int32)
    return {name: place[members[kept[members]]] for name, members in groups.items()}


def _repaired_surface(mesh: Mesh, hole_size: float, where: str) -> tuple[Mesh, list[str]]:
    old = plain_polygons(mesh.triangles) if mesh.polygons is None else mesh.polygons
    soup = Soup.of(mesh.vertices, old)
    notes = []
    gone = without_repeated_corners(soup) + without_flat_faces(soup)
    if gone:
        notes.append(f"removed {_many(gone, 'face', 'faces')} without area")
    if copies := without_copies(soup):
        notes.append(f"removed {_many(copies, 'face', 'faces')} with the same corners as an earlier one")
    turned, piece = turned_alike(soup)
    if turned:
        notes.append(f"turned {_many(turned, 'face', 'faces')} over, so neighbours face the same way")
    notes += _closed(soup, piece, hole_size)
    if turned := turned_outwards(soup, piece):
        notes.append(f"turned {_many(turned, 'face', 'faces')} of closed pieces outwards")
    if not soup.faces:
        raise MeshError(f"{where}: no face with an area is left; is this a surface at all?")
    polygons = soup.polygons(old)
    places, _ = triangulated(mesh.vertices, polygons.counts, polygons.corners)
    kept = None if mesh.polygons is None else polygons
    return replace(mesh, triangles=polygons.corners[places], polygons=kept), notes


def _closed(soup: Soup, piece: list[int], hole_size: float) -> list[str]:
    """Close the small holes; notes on them and on the others."""
    holes = find_holes(soup, piece)
    small = [hole for hole in holes if hole.part <= hole_size]
    for hole in small:
        close_hole(soup, hole)
        piece.append(piece[hole.beside])
    notes = []
    if small:
        edges = ", ".join(str(len(hole.rim)) for hole in small[:5]) + (" ..." if len(small) > 5 else "")
        widest = max(hole.width for hole in small)
        notes.append(f"closed {_many(len(small), 'hole', 'holes')} (edges: {edges}; the widest {widest:.3g} m across)")
    if large := [hole for hole in holes if hole.part > hole_size]:
        widest, part = max((hole.width, hole.part) for hole in large)
        notes.append(
            f"left {_many(len(large), 'large hole', 'large holes')} open, up to {widest:.3g} m across; "
            f"--hole-size {min(1.0, np.ceil(100 * part) / 100):g} closes such holes too"
        )
    return notes


def _many(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
