"""Where the fine surface is when the coarse body moves (Kharevych 2010, 4.6 and 4.7).

A coarse tet with the deformation gradient F is taken for a rotated combination of harmonic states: R and S (6) with

    R F = I + sum_r S_r D_r,   D_r = gradient of H_r as it is at the tet's corners
nine equations for nine unknowns, by Newton's method: R <- exp([w]) R, w and dS from [w] R F - sum_r dS_r D_r = -residual,
from R = polar(F)^T and the least-squares S. Then a point X of the fine body in that tet is at
    x = x0 + R^T (X - X0 + (H(X) - H0) S)
with x0, X0, H0 at the tet's centre. Where Newton's method does not settle, points follow the corners (barycentric). Tets give
different answers at their common faces; `blend` mixes those of all tets around each corner, weighted by the corner's
coordinate, which is continuous.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.fine_body import shape_gradients
from supple.mesh.topology import incidence
from supple.types import Array, Ints

ITERATIONS = 20
SETTLED = 1e-11
"""Largest entry of the residual."""


@dataclass(frozen=True)
class TetStates:
    """What coarse tets are taken for."""

    R: Array
    """(q, 3, 3)"""
    S: Array
    """(q, 6)"""
    x0: Array
    X0: Array
    H0: Array
    """(6, q, 3)"""
    settled: np.ndarray
    """(q,) whether R and S were found."""

    def positions(self, X: Array, H: Array, tets: Ints) -> Array:
        """(k, 3) where points X (k, 3) with harmonic displacements H (6, k, 3) are, seen from one tet each."""
        local = X - self.X0[tets] + np.einsum("rki,kr->ki", H - self.H0[:, tets], self.S[tets])
        return self.x0[tets] + np.einsum("kji,kj->ki", self.R[tets], local)


def fine_positions(body: CoarseBody, x: Array, blend: bool = False) -> Array:
    """(f, 3) positions of the fine surface when the coarse vertices are at x (v, 3)."""
    follow = np.einsum("fai,fa->fi", x[body.tets[body.host]], body.coordinates)
    states = tet_states(body, x)
    if not blend:
        return np.where(
            states.settled[body.host][:, None],
            states.positions(body.skin, body.skin_harmonics, body.host),
            follow,
        )
    start, around = incidence(body.tets, len(body.vertices))
    out = np.zeros_like(follow)
    weights = np.clip(body.coordinates, 0.0, None)
    weights /= weights.sum(axis=1, keepdims=True)
    for a in range(4):
        corner = body.tets[body.host, a]
        counts = np.diff(start)[corner]
        point = np.repeat(np.arange(len(corner)), counts)
        place = np.arange(len(point)) - np.repeat(np.cumsum(counts) - counts, counts)
        tets = around[start[corner][point] + place]
        seen = states.positions(body.skin[point], body.skin_harmonics[:, point], tets)
        seen = np.where(states.settled[tets][:, None], seen, follow[point])
        for i in range(3):
            mean = np.bincount(point, seen[:, i], len(corner)) / counts
            out[:, i] += weights[:, a] * mean
    return out


def tet_states(body: CoarseBody, x: Array) -> TetStates:
    """R and S of every coarse tet."""
    gradients = shape_gradients(body.vertices, body.tets)
    F = np.einsum("qai,qaj->qij", x[body.tets], gradients)
    D = np.einsum("rqai,qaj->qrij", body.harmonics[:, body.tets], gradients)
    R, S, residual = _first(F, D)
    for _ in range(ITERATIONS):
        if residual.max(initial=0.0) <= SETTLED:
            break
        R, S = _better(R, S, F, D)
        residual = np.abs(_missing(R, S, F, D)).max(axis=(1, 2))
    corners = body.tets
    H0 = body.harmonics[:, corners].mean(axis=2)
    return TetStates(
        R, S, x[corners].mean(axis=1), body.vertices[corners].mean(axis=1), H0, np.nan_to_num(residual, nan=1.0) <= SETTLED
    )


def _missing(R: Array, S: Array, F: Array, D: Array) -> Array:
    """(q, 3, 3) R F - I - sum_r S_r D_r."""
    return R @ F - np.eye(3) - np.einsum("qr,qrij->qij", S, D)


def _first(F: Array, D: Array) -> tuple[Array, Array, Array]:
    u, _, v = np.linalg.svd(F)
    turn = np.sign(np.linalg.det(u @ v))
    u[:, :, 2] *= turn[:, None]
    R = np.swapaxes(u @ v, 1, 2)
    columns = np.swapaxes(D.reshape(len(D), 6, 9), 1, 2)
    wanted = (R @ F - np.eye(3)).reshape(-1, 9, 1)
    S = (np.linalg.pinv(columns) @ wanted)[:, :, 0]
    return R, S, np.abs(_missing(R, S, F, D)).max(axis=(1, 2))


def _better(R: Array, S: Array, F: Array, D: Array) -> tuple[Array, Array]:
    """One step of Newton's method; tets whose equations are singular stay as they are."""
    turned = R @ F
    A = np.empty((len(F), 9, 9))
    for axis in range(3):
        A[:, :, axis] = np.cross(np.eye(3)[axis], turned, axisb=1, axisc=1).reshape(-1, 9)
    A[:, :, 3:] = -np.swapaxes(D.reshape(len(D), 6, 9), 1, 2)
    rhs = -_missing(R, S, F, D).reshape(-1, 9, 1)
    step = np.nan_to_num((np.linalg.pinv(A) @ rhs)[:, :, 0])
    return _turn(step[:, :3]) @ R, S + step[:, 3:]


def _turn(w: Array) -> Array:
    """(q, 3, 3) exp([w])."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(w).as_matrix())
