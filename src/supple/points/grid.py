"""The nodes that carry mass in one step, and how particles see them: for steps that the engine's own stage takes.

Only nodes within reach of a particle exist, so that bodies may be anywhere. Particles of one cell share all their nodes: a
cell is an element, and its particles are the points at which the element is integrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.errors import StepFailed
from supple.points.spline import Gradient, Spline
from supple.types import Array, Ints

FAR = 2**20
"""Cells from the origin beyond which a particle has no place on the grid."""
MARGIN = 64
"""Cells less, so that numbers of nodes fit into 63 bits."""
SPAN = 2 * FAR + 16
"""Nodes along an axis, for numbers of nodes."""


@dataclass(frozen=True)
class Cells:
    """Some particles by the cells in which they are."""

    corners: Ints
    """(m, k) nodes of each cell, ascending."""
    start: Ints
    """(m + 1,) cell e has the particles order[start[e]:start[e + 1]]."""
    order: Ints
    """Particles, cell by cell, ascending in each."""


@dataclass(frozen=True)
class Grid:
    """Made by `lay_grid`; k nodes are within reach of each of the n particles."""

    spline: Spline
    nodes: Array
    """(N, 3) positions [m]."""
    cells: Ints
    """(m, k) nodes of each occupied cell, ascending."""
    cell: Ints
    """(n,) cell of a particle."""
    w: Array
    """(n, k) weights."""
    grad: Array
    """(n, k, 3) their gradients [1/m]."""
    r: Array
    """(n, k, 3) from the particle to the node [m]."""

    @cached_property
    def ids(self) -> Ints:
        """(n, k) nodes of each particle."""
        return self.cells[self.cell]

    def of(self, particles: Ints) -> Cells:
        """The cells of some particles."""
        order = particles[np.argsort(self.cell[particles], kind="stable")]
        used, start = np.unique(self.cell[order], return_index=True)
        return Cells(self.cells[used], np.append(start, len(order)).astype(np.int32), order.astype(np.int32))

    def scattered(self, values: Array) -> Array:
        """(N, c) sums over particles of values (n, k, c) at their nodes."""
        flat, ids = values.reshape(-1, values.shape[-1]), self.ids.ravel()
        return np.stack([np.bincount(ids, column, len(self.nodes)) for column in flat.T], axis=1)

    def mean(self, field: Array) -> Array:
        """(n, 3) W field: what particles see of a field (N, 3)."""
        return np.einsum("pk,pki->pi", self.w, field[self.ids])

    def slope(self, field: Array) -> Array:
        """(n, 3, 3) sum of field_i grad w_i^T."""
        return np.einsum("pki,pkj->pij", field[self.ids], self.grad)

    def affine(self, field: Array) -> Array:
        """(n, 3, 3) sum of w field_i r_i^T / D: the affine part that particles see of a field (N, 3)."""
        return np.einsum("pk,pki,pkj->pij", self.w, field[self.ids], self.r) / self.spline.D


def lay_grid(spline: Spline, x: Array, gradient: Gradient = "mls") -> Grid:
    """The grid for particles at x (n, 3)."""
    found, cell = np.unique(cell_keys(spline, x), return_inverse=True)
    support = spline.at(x)
    numbers, cells = np.unique(_corner_keys(spline, found), return_inverse=True)
    whole = np.stack([numbers // SPAN**2, numbers // SPAN % SPAN, numbers % SPAN], axis=1) - FAR
    nodes = whole * spline.dx
    corners = cells.reshape(len(found), -1).astype(np.int32)
    w, slopes = support.weights, support.slopes
    product = _products(w[:, 0], w[:, 1], w[:, 2])
    r = nodes[corners[cell]] - x[:, None, :]
    if gradient == "mls":
        grad = product[:, :, None] * r / spline.D
    else:
        axes = [[slopes[:, b] if a == b else w[:, b] for b in range(3)] for a in range(3)]
        grad = np.stack([_products(*each) for each in axes], axis=-1)
    return Grid(spline, nodes, corners, cell.astype(np.int32), product, grad, r)


def node_keys(spline: Spline, x: Array) -> np.ndarray:
    """A number for each node within reach of particles at x (n, 3), ascending; the same for the same node at any time."""
    return np.unique(_corner_keys(spline, np.unique(cell_keys(spline, x))))


def cell_keys(spline: Spline, x: Array) -> np.ndarray:
    """(n,) numbers of the cells of particles: that of their first node."""
    demand_near(x, spline.dx)
    base = spline.first(x) + FAR
    return np.asarray((base[:, 0] * SPAN + base[:, 1]) * SPAN + base[:, 2])


def _corner_keys(spline: Spline, cells: np.ndarray) -> np.ndarray:
    """(m, k) numbers of the nodes of cells (m,), ascending in each."""
    i = np.arange(spline.size)
    return np.asarray(cells[:, None] + ((i[:, None, None] * SPAN + i[:, None]) * SPAN + i).ravel())


def demand_near(x: Array, dx: float) -> None:
    """Refuse particles that have no place on a grid."""
    far = (FAR - MARGIN) * dx
    if -far < x.min(initial=0.0) and x.max(initial=0.0) < far:  # not so where one is not a number
        return
    with np.errstate(invalid="ignore"):
        lost = np.flatnonzero(~(np.abs(x).max(axis=1, initial=0.0) < far))
    if len(lost):
        at = ", ".join(f"{value:g}" for value in x[lost[0]])
        raise StepFailed(
            f"{len(lost)} particles have left the grid, the first is particle {lost[0]} at ({at}) m: farther than "
            f"{FAR} cells of {dx:g} m from the origin; the motion is unstable, or needs larger cells"
        )


def _products(a: Array, b: Array, c: Array) -> Array:
    """(n, k^3) products of the weights of each axis, the last one innermost."""
    return np.einsum("pi,pj,pk->pijk", a, b, c).reshape(len(a), -1)
