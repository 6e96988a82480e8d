"""Velocities that the constraints allow, G(x) v = 0, and constraints that depend on each other.

    v <- v - M^-1 G^T mu,  (G M^-1 G^T) mu = G v
takes the impulses G^T mu that change the kinetic energy least. Prescribed vertices keep their velocities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.constraints.holonomic import steepness
from supple.dynamics.system import System
from supple.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WHOLE = 32
"""Constraints up to which their matrix is not sparse."""
DEPENDS = 1e-9
"""Part of a gradient that is left without the others, below which it counts as following from them."""


def tangent(system: System, x: Array, v: Array, rates: Array | float = 0.0) -> tuple[Array, Array]:
    """The nearest velocities in the mass norm that the constraints allow at x, and the multipliers mu (J,) [N s].
    `rates` (J,): G v of constraints that move."""
    scale = 1.0 / slopes(system, x)
    asked = scale * rates
    per_vertex = np.zeros(system.n)
    per_vertex[system.free] = 1.0 / system.mass[system.free]
    inverse = np.repeat(per_vertex, 3)
    if len(scale) <= WHOLE:
        G = _whole(system, x, scale)
        mu = np.linalg.solve((G * inverse) @ G.T, G @ v.ravel() - asked)
        return v - (inverse * (mu @ G)).reshape(-1, 3), scale * mu
    from scipy.sparse.linalg import splu

    S = jacobian(system, x, scale)
    mu = splu((S.multiply(inverse) @ S.T).tocsc()).solve(S @ v.ravel() - asked)
    return v - (inverse * (S.T @ mu)).reshape(-1, 3), scale * mu


def _whole(system: System, x: Array, scale: Array) -> Array:
    """(J, 3n) gradients of all constraints, each row times its scale, zeros and all: quick for a few."""
    G = np.zeros((len(system.constraints), system.n, 3))
    for kind, span in system.constraints:
        G[np.arange(span.start, span.stop)[:, None], kind.vertices] = scale[span, None, None] * kind.gradients(x)
    return G.reshape(len(G), -1)


def jacobian(system: System, x: Array, scale: Array) -> csr_matrix:
    """(J, 3n) gradients of all constraints, each row times its scale."""
    from scipy.sparse import csr_matrix

    rows, columns, entries = [], [], []
    for kind, span in system.constraints:
        gradients = kind.gradients(x)
        rows.append(np.broadcast_to(np.arange(span.start, span.stop)[:, None, None], gradients.shape).ravel())
        columns.append((3 * kind.vertices[:, :, None] + np.arange(3)).ravel())
        entries.append((scale[span, None, None] * gradients).ravel())
    shape = (len(system.constraints), 3 * system.n)
    return csr_matrix((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), shape=shape)


def slopes(system: System, x: Array) -> Array:
    """(J,) largest gradient of each constraint at one vertex; 1 where there is none."""
    found = np.concatenate([steepness(kind.gradients(x)) for kind in system.constraints.kinds])
    return np.where(found > 0.0, found, 1.0)


def dependent(system: System, x: Array) -> list[int]:
    """Constraints whose gradients at x follow from those before them, or that no free vertex feels."""
    G = jacobian(system, x, 1.0 / slopes(system, x))
    free = np.repeat(1.0 / np.sqrt(system.mass / system.mass[system.free].min()), 3)
    free[np.repeat(system.motion.held(system.n), 3)] = 0.0
    G = G.multiply(free).tocsr()
    return [] if _independent(G) else sorted(j for group in _connected(G) for j in _following(G, group))


def _independent(G: csr_matrix) -> bool:
    """Whether the rows are surely independent, by the pivots of G G^T."""
    from scipy.sparse.linalg import splu

    if (G.getnnz(axis=1) == 0).any() or G.shape[0] > G.shape[1]:
        return False
    try:
        pivots = np.abs(splu((G @ G.T).tocsc(), diag_pivot_thresh=0.0, options={"SymmetricMode": True}).U.diagonal())
    except RuntimeError:  # exactly singular
        return False
    return bool(pivots.min() > 1e-8 * pivots.max())


def _connected(G: csr_matrix) -> list[np.ndarray]:
    """Numbers of the rows that have vertices in common, directly or by way of others."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(G @ G.T, directed=False)
    return [np.flatnonzero(label == c) for c in range(count)]


def _following(G: csr_matrix, group: np.ndarray) -> list[int]:
    """Rows that are sums of earlier rows: what Gram and Schmidt leave of them is rounding error."""
    rows = G[group].toarray()
    rows = rows[:, np.abs(rows).any(axis=0)]
    kept = np.zeros((0, rows.shape[1]))
    found = []
    for j, row in zip(group, rows, strict=True):
        size = float(np.linalg.norm(row))
        left = row - kept.T @ (kept @ row)
        left -= kept.T @ (kept @ left)  # once more, for what rounding put back
        if float(np.linalg.norm(left)) <= DEPENDS * size or size == 0.0:
            found.append(int(j))
        else:
            kept = np.vstack([kept, left / np.linalg.norm(left)])
    return found
