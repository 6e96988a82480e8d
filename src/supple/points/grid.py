"""The nodes that carry mass in one step, and the interpolation to particles: for steps by the engine's general stage.

Only nodes within reach of a particle exist, so bodies may be anywhere. Particles of one cell share all their nodes: a
cell is an element, and its particles are its quadrature points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from supple.errors import StepFailed
from supple.points.spline import Gradient, Spline
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.points.tiled.tiles import Tiles

FAR = 2**20
"""Largest distance of a particle from the origin, in cells."""
MARGIN = 64
"""Fewer cells, so node keys fit into 63 bits."""
SPAN = 2 * FAR + 16
"""Nodes along an axis, for node keys."""


@dataclass(frozen=True)
class Cells:
    """Some particles, grouped by cell."""

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
    x: Array
    """(n, 3) particles [m]."""
    keys: np.ndarray
    """(N,) a key per node, ascending."""
    gradient: Gradient

    @cached_property
    def tiles(self) -> Tiles:
        """All particles by blocks."""
        return self.tiles_of(self.x)

    def tiles_of(self, x: Array) -> Tiles:
        """Some of the particles, at x (m, 3), by blocks."""
        from supple.points.tiled.tiles import Tiles

        return Tiles(self.spline, x, self.keys, SPAN, FAR)

    @cached_property
    def w(self) -> Array:
        """(n, k) weights."""
        return self._products(())

    @cached_property
    def r(self) -> Array:
        """(n, k, 3) from the particle to the node [m]."""
        return np.asarray(self.nodes[self.ids] - self.x[:, None, :])

    @cached_property
    def grad(self) -> Array:
        """(n, k, 3) gradients of the weights [1/m]."""
        if self.gradient == "mls":
            return self.w[:, :, None] * self.r / self.spline.D
        return np.stack([self._products((a,)) for a in range(3)], axis=-1)

    def _products(self, sloped: tuple[int, ...]) -> Array:
        """(n, k) products of the weights of each axis, or of their derivatives; the last axis innermost."""
        support = self.spline.at(self.x)
        a, b, c = ((support.slopes if axis in sloped else support.weights)[:, axis] for axis in range(3))
        return np.einsum("pi,pj,pk->pijk", a, b, c).reshape(len(a), -1)

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

    def seen(self, field: Array) -> tuple[Array, Array]:
        """Interpolate a field (N, 3) to particles: W field (n, 3), and its affine part (n, 3, 3), sum w field_i r_i^T / D."""
        return self.tiles.seen(field)

    def mean(self, field: Array) -> Array:
        """(n, 3) W field: interpolation of a field (N, 3) to particles."""
        return self.seen(field)[0]

    def pulled(self, g: Array) -> Array:
        """(N, 3) W^T g: the transfer of g (n, 3) from particles to nodes."""
        return self.tiles.given(g)

    def slope(self, field: Array) -> Array:
        """(n, 3, 3) sum of field_i grad w_i^T."""
        if self.gradient == "mls":
            return self.affine(field)
        return np.einsum("pki,pkj->pij", field[self.ids], self.grad)

    def affine(self, field: Array) -> Array:
        """(n, 3, 3) sum of w field_i r_i^T / D: the affine part of a field (N, 3) at particles."""
        return self.seen(field)[1]


def lay_grid(spline: Spline, x: Array, gradient: Gradient = "mls") -> Grid:
    """The grid for particles at x (n, 3)."""
    found, cell = np.unique(cell_keys(spline, x), return_inverse=True)
    numbers, cells = np.unique(_corner_keys(spline, found), return_inverse=True)
    whole = np.stack([numbers // SPAN**2, numbers // SPAN % SPAN, numbers % SPAN], axis=1) - FAR
    corners = cells.reshape(len(found), -1).astype(np.int32)
    return Grid(spline, whole * spline.dx, corners, cell.astype(np.int32), x, numbers, gradient)


def node_keys(spline: Spline, x: Array) -> np.ndarray:
    """A key per node within reach of particles at x (n, 3), ascending; a node always has the same key."""
    return np.unique(_corner_keys(spline, np.unique(cell_keys(spline, x))))


def cell_keys(spline: Spline, x: Array) -> np.ndarray:
    """(n,) keys of the cells of particles: the key of their first node."""
    demand_near(x, spline.dx)
    base = spline.first(x) + FAR
    return np.asarray((base[:, 0] * SPAN + base[:, 1]) * SPAN + base[:, 2])


def _corner_keys(spline: Spline, cells: np.ndarray) -> np.ndarray:
    """(m, k) keys of the nodes of cells (m,), ascending in each."""
    i = np.arange(spline.size)
    return np.asarray(cells[:, None] + ((i[:, None, None] * SPAN + i[:, None]) * SPAN + i).ravel())


def demand_near(x: Array, dx: float) -> None:
    """Reject particles that lie outside the grid."""
    far = (FAR - MARGIN) * dx
    if -far < x.min(initial=0.0) and x.max(initial=0.0) < far:  # false where one is NaN
        return
    with np.errstate(invalid="ignore"):
        lost = np.flatnonzero(~(np.abs(x).max(axis=1, initial=0.0) < far))
    if len(lost):
        at = ", ".join(f"{value:g}" for value in x[lost[0]])
        raise StepFailed(
            f"{len(lost)} particles have left the grid, the first is particle {lost[0]} at ({at}) m: farther than "
            f"{FAR} cells of {dx:g} m from the origin; the motion is unstable, or needs larger cells"
        )
