"""Fill the body of a distance function: warp the lattice, cut it, improve the tets."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from supple.errors import MeshError
from supple.mesh.carving import pieces
from supple.mesh.measure import dihedral_angles
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import oriented
from supple.mesh.stuffing.blend import Form
from supple.mesh.stuffing.improve import improved
from supple.mesh.stuffing.lattice import Flags, Lattice, lattice
from supple.mesh.stuffing.stencils import Signs, crossed_edges, cut_tets
from supple.mesh.topology import boundary_triangles, distinct, half_edges
from supple.types import Array, Ints

LONG, SHORT = 0.25, 0.41
"""A node moves onto the surface if an edge is cut within this fraction of its length: cube-length edges, and others."""
HALVINGS = 16
FLATTEST = 10.0
"""Smallest dihedral angle of a tet [degrees]."""
TRIES, SMALLER = 8, 0.98


def on_cubes(of: Callable[[float], Mesh], cell: float) -> Mesh:
    """A body on cubes of that length, or on slightly smaller ones if its parts would touch along edges there."""
    for k in range(TRIES - 1):
        with suppress(MeshError):
            return of(cell * SMALLER**k)
    return of(cell * SMALLER ** (TRIES - 1))


def stuffed(form: Form, low: Array, cell: Array, counts: tuple[int, int, int], rounds: int = 40) -> Mesh:
    """A mesh of tets of the body inside a box of `counts` cubes, without groups.

    Nodes on a side of the box stay on it: a body that crosses a side is cut flat there. `rounds` of
    smoothing make the tets more regular; vertices on the surface stay on the surface.
    """
    grid = lattice(low, cell, counts, form)
    width = float(cell.min())
    x, sign = _warped(grid, form, width)
    edges = crossed_edges(grid.tets, sign)
    cuts = _crossings(form, x[edges[:, 0]], x[edges[:, 1]])
    tets = cut_tets(grid.tets, sign, grid.rank, edges)
    if len(tets) == 0:
        raise MeshError("the lattice is too coarse for the body: no node lies inside; give a higher resolution")
    points = np.concatenate([x, cuts])
    held = np.concatenate([grid.held, grid.held[edges[:, 0]] & grid.held[edges[:, 1]]])
    on = np.concatenate([sign == 0, np.ones(len(edges), dtype=bool)])
    points, tets, held, on = _compact(points, tets, held, on)
    _demand_surface(tets)
    better = improved(points, tets, held, on, form, width, rounds)
    tets = oriented(better, tets)
    flattest = float(np.degrees(dihedral_angles(better, tets).min()))
    if flattest < FLATTEST:
        raise MeshError(
            f"the lattice does not fit the body: a tet has an angle of {flattest:.1f} degrees; give another resolution"
        )
    return Mesh(better, tets=tets)


def _warped(grid: Lattice, form: Form, width: float) -> tuple[Array, Signs]:
    """Nodes, those close to the surface moved onto it, and whether each is inside (1), on it (0) or outside (-1)."""
    value = form.distance(grid.x)
    sign: Signs = np.where(value < 0.0, 1, -1).astype(np.int8)
    edges = crossed_edges(grid.tets, sign)
    a, b = grid.x[edges[:, 0]], grid.x[edges[:, 1]]
    cut = _crossings(form, a, b)
    length = np.linalg.norm(b - a, axis=1)
    limit = np.tile(np.where(length > 0.99 * width, LONG, SHORT) * length, 2)
    nodes, others = edges.T.reshape(-1), edges[:, ::-1].T.reshape(-1)
    goal = np.concatenate([cut, cut])
    away = np.linalg.norm(goal - grid.x[nodes], axis=1)
    # a node on a side of the box moves along that side only
    close = (away < limit) & (~grid.held[nodes] | grid.held[others]).all(axis=1)
    x = grid.x.copy()
    order = np.argsort(-away[close], kind="stable")  # the nearest is written last
    x[nodes[close][order]] = goal[close][order]
    sign[nodes[close]] = 0
    return x, sign


def _crossings(form: Form, inside: Array, outside: Array) -> Array:
    """Crossing points of the surface with each segment, by bisection."""
    a, b = inside.copy(), outside.copy()
    for _ in range(HALVINGS):
        middle = 0.5 * (a + b)
        within = (form.distance(middle) < 0.0)[:, None]
        a, b = np.where(within, middle, a), np.where(within, b, middle)
    return 0.5 * (a + b)


def _demand_surface(tets: Ints) -> None:
    """Raise a `MeshError` if parts of the body touch along an edge only, which happens on too coarse a lattice."""
    _, _, count = distinct(np.sort(half_edges(boundary_triangles(tets)), axis=1))
    if (count > 2).any():
        raise MeshError(
            f"the lattice is too coarse for the body: its surface touches itself along {int((count > 2).sum())} edges; "
            "give another resolution, preferably a higher one"
        )


def _compact(x: Array, tets: Ints, held: Flags, on: Flags) -> tuple[Array, Ints, Flags, Flags]:
    """Only the largest piece, and only the vertices that it uses."""
    piece = pieces(Mesh(x, tets=tets))
    used, corners = np.unique(tets[piece == np.argmax(np.bincount(piece))], return_inverse=True)
    return x[used], corners.reshape(-1, 4).astype(np.int32), held[used], on[used]
