"""Constraints after a kinematic collision, which moved each vertex out of obstacles separately and so violates them.

    x = argmin |x - x'|_M^2   under  g(x) = 0,      n . (x - x') >= 0 for vertices on a surface
    v = argmin |v - v'|_M^2   under  G(x) v = 0,    n . (v - v') >= 0 on the same vertices
from the positions x' and velocities v' after the collision. Newton's method on the constraints, with the conditions
of obstacles active as long as they push. The energy lost in the second line is that of a plastic impact of the links,
booked with the collision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.contact.obstacles.projection import SURFACE, Frame, Projection
from supple.dynamics.system import System
from supple.dynamics.tangent import jacobian, slopes
from supple.errors import StepRejected
from supple.linalg.factors.plain import sparse_lu
from supple.linalg.reduce import largest
from supple.types import Array, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

ROUNDS = 30
FULFILLED = 4 * np.finfo(np.float64).eps
"""Violation of a constraint that counts as round-off, relative to the size of the scene."""
CLOSE = 1e-12
"""The same, if round-off prevents higher accuracy."""
FOLLOWING = 1e-12
"""Relative regularisation of the diagonal, since conditions may be redundant."""


@dataclass(frozen=True)
class Conditions:
    """(c,) n . u >= 0 on changes u of single vertices."""

    vertex: Ints
    normal: Array

    def rows(self, n: int) -> csr_matrix:
        """(c, 3n)"""
        from scipy.sparse import csr_matrix

        row = np.repeat(np.arange(len(self.vertex)), 3)
        column = (3 * self.vertex[:, None] + np.arange(3)).ravel()
        return csr_matrix((self.normal.ravel(), (row, column)), shape=(len(self.vertex), 3 * n))


def rejoined(system: System, x: Array, v: Array, touched: Ints, t: float) -> tuple[Array, Array]:
    """Positions and velocities (n, 3) that satisfy the constraints, after a collision of `touched` vertices at a time t [s]."""
    found = _conditions(system, x, touched, t)
    size = float(np.abs(x).max(initial=0.0))
    start, scale = x, 1.0 / slopes(system, x)
    last = np.inf
    for _ in range(ROUNDS):
        off = scale * system.constraints.values(x)
        missed = largest(off)
        if missed <= FULFILLED * size or (missed <= CLOSE * size and missed >= last):
            break
        last = missed
        x = x - _least(system, jacobian(system, x, scale), off, found, x - start)
    else:
        raise StepRejected(f"obstacles and constraints contradict each other at t = {t:g} s: off by {missed:.1e} m")
    G = jacobian(system, x, scale)
    change = np.zeros_like(v)
    for _ in range(2):  # the second time to remove round-off
        change = change - _least(system, G, G @ (v + change).ravel(), found, change)
    return x, v + change


def _least(system: System, G: csr_matrix, off: Array, found: Conditions, so_far: Array) -> Array:
    """(n, 3) the smallest u in the mass norm with G u = off and n . (so_far - u) >= 0."""
    from scipy.sparse import vstack

    inverse = np.zeros((system.n, 3))
    inverse[system.free] = 1.0 / system.mass[system.free, None]
    rows = found.rows(system.n)
    along = rows @ so_far.ravel()
    held = np.ones(len(found.vertex), dtype=bool)
    for _ in range(ROUNDS):
        A = vstack([G, rows[np.flatnonzero(held)]]).tocsr()
        p = _multipliers(A, inverse.ravel(), np.concatenate([off, along[held]]))
        u = inverse * (A.T @ p).reshape(-1, 3)
        pulls = np.zeros_like(held)
        pulls[held] = p[len(off) :] > 0.0  # it would have to pull the vertex back
        enters = ~held & (along - rows @ u.ravel() < -CLOSE * (1.0 + np.abs(along)))
        if not pulls.any() and not enters.any():
            break
        held = (held & ~pulls) | enters
    return u


def _multipliers(A: Any, inverse: Array, rhs: Array) -> Array:
    from scipy.sparse import diags

    S = (A.multiply(inverse) @ A.T).tocsc()
    weight = S.diagonal()
    weight = np.where(weight > 0.0, weight, 1.0)
    return np.asarray(sparse_lu(S + diags(FOLLOWING * weight).tocsc(), "obstacles and constraints").solve(rhs))


def _conditions(system: System, x: Array, touched: Ints, t: float) -> Conditions:
    """Normals of the surfaces at the touched vertices."""
    vertices, normals = [np.empty(0, np.int32)], [np.empty((0, 3))]
    for projection in system.projections:
        for face in (projection,) if isinstance(projection, Projection) else projection.faces:
            now = Frame.of(face.script if isinstance(face, Projection) else None, t)
            at = np.intersect1d(face.vertices, touched).astype(np.int32)
            y = now.own(x[at])
            for part in (part.at(t) for part in face.shape.parts):
                on = part.distance(y) - face.thickness <= SURFACE * (1.0 + np.abs(y).max(axis=1, initial=0.0))
                vertices.append(at[on])
                normals.append(now.turned(part.outward(y[on])))
    return Conditions(np.concatenate(vertices), np.concatenate(normals))
