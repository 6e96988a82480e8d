"""Velocities that satisfy the constraints, G(x) v = 0, and redundant constraints.

    v <- v - M^-1 G^T mu,  (G M^-1 G^T) mu = G v
uses the impulses G^T mu with the smallest change of velocity in the mass norm. Prescribed vertices keep their
velocities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from supple.constraints.holonomic import steepness
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.linalg.factors.plain import sparse_lu
from supple.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WHOLE = 32
"""Number of constraints up to which their matrix is dense."""
ROUNDS, FOLLOWING = 3, 1e-12
"""Rounds of a projection, and the relative regularisation of its matrix on the diagonal."""
DEPENDS = 1e-9
"""Remaining fraction of a gradient after projecting out the others, below which it counts as redundant."""


def tangent(system: System, x: Array, v: Array, rates: Array | float = 0.0) -> tuple[Array, Array]:
    """The nearest velocities in the mass norm that satisfy the constraints at x, and the multipliers mu (J,) [N s].
    `rates` (J,): G v of moving constraints."""
    scale = 1.0 / slopes(system, x)
    asked = scale * rates
    per_vertex = np.zeros(system.n)
    per_vertex[system.free] = 1.0 / system.mass[system.free]
    inverse = np.repeat(per_vertex, 3)
    if len(scale) <= WHOLE:
        G = _whole(system, x, scale)
        try:
            mu = np.linalg.solve((G * inverse) @ G.T, G @ v.ravel() - asked)
        except np.linalg.LinAlgError as problem:
            raise StepRejected(f"constraints are redundant, or one acts on no free vertex: {problem}") from None
        return v - (inverse * (mu @ G)).reshape(-1, 3), scale * mu
    S = jacobian(system, x, scale)
    mu = sparse_lu((S.multiply(inverse) @ S.T).tocsc(), "constraints").solve(S @ v.ravel() - asked)
    return v - (inverse * (S.T @ mu)).reshape(-1, 3), scale * mu


def allowed(system: System, x: Array, d: Array, still: npt.NDArray[np.bool_] | None = None) -> Array:
    """The velocity change nearest to d (n, 3) that satisfies the constraints at x, d itself without constraints.
    `still` (n,): vertices that keep their velocities, as prescribed ones do; constraints on such vertices only are
    omitted."""
    if not len(system.constraints):
        return d
    from scipy.sparse import diags

    movable = np.zeros(system.n, dtype=bool)
    movable[system.free] = True
    if still is not None:
        movable &= ~still
    inverse = np.repeat(np.where(movable, 1.0 / system.mass, 0.0), 3)
    d = np.where(movable[:, None], d, 0.0)
    G = jacobian(system, x, 1.0 / slopes(system, x)).tocsr()
    G = G[_felt(G, inverse)]
    if not G.shape[0]:
        return d
    S = (G.multiply(inverse) @ G.T).tocsc()
    factors = sparse_lu(S + FOLLOWING * diags(S.diagonal()).tocsc(), "constraints")
    for _ in range(ROUNDS):  # constraints made redundant by the fixed vertices need the small diagonal, and more rounds
        d = d - (inverse * (G.T @ factors.solve(G @ d.ravel()))).reshape(-1, 3)
    return d


def _felt(G: csr_matrix, inverse: Array) -> np.ndarray:
    """Rows that act on at least one movable vertex."""
    return np.flatnonzero(abs(G) @ (inverse > 0.0).astype(np.float64) > 0.0)


def _whole(system: System, x: Array, scale: Array) -> Array:
    """(J, 3n) gradients of all constraints, each row times its scale, as a dense matrix: fast for a few constraints."""
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
    """(J,) largest gradient of each constraint at one vertex; 1 if it is zero."""
    found = np.concatenate([steepness(kind.gradients(x)) for kind in system.constraints.kinds])
    return np.where(found > 0.0, found, 1.0)


def dependent(system: System, x: Array) -> list[int]:
    """Constraints whose gradients at x depend linearly on earlier ones, or that act on no free vertex."""
    if not len(system.free):
        return list(range(len(system.constraints)))
    G = jacobian(system, x, 1.0 / slopes(system, x))
    free = np.repeat(1.0 / np.sqrt(system.mass / system.mass[system.free].min()), 3)
    free[np.repeat(system.motion.held(system.n), 3)] = 0.0
    G = G.multiply(free).tocsr()
    return [] if _independent(G) else sorted(j for group in _connected(G) for j in _following(G, group))


def _independent(G: csr_matrix) -> bool:
    """Whether the rows are certainly independent, by the pivots of G G^T."""
    from scipy.sparse.linalg import splu

    if (G.getnnz(axis=1) == 0).any() or G.shape[0] > G.shape[1]:
        return False
    try:
        pivots = np.abs(splu((G @ G.T).tocsc(), diag_pivot_thresh=0.0, options={"SymmetricMode": True}).U.diagonal())
    except RuntimeError:  # exactly singular
        return False
    return bool(pivots.min() > 1e-8 * pivots.max())


def _connected(G: csr_matrix) -> list[np.ndarray]:
    """Groups of row indices with vertices in common, directly or through other rows."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(G @ G.T, directed=False)
    return [np.flatnonzero(label == c) for c in range(count)]


def _following(G: csr_matrix, group: np.ndarray) -> list[int]:
    """Rows that are linear combinations of earlier rows: Gram-Schmidt reduces them to round-off."""
    rows = G[group].toarray()
    rows = rows[:, np.abs(rows).any(axis=0)]
    kept = np.zeros((0, rows.shape[1]))
    found = []
    for j, row in zip(group, rows, strict=True):
        size = float(np.linalg.norm(row))
        left = row - kept.T @ (kept @ row)
        left -= kept.T @ (kept @ left)  # once more, to remove round-off
        if float(np.linalg.norm(left)) <= DEPENDS * size or size == 0.0:
            found.append(int(j))
        else:
            kept = np.vstack([kept, left / np.linalg.norm(left)])
    return found
