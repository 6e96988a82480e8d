"""Motion of the fine surface with the coarse body (Kharevych 2010, 4.6 and 4.7).

A coarse tet with the deformation gradient F is represented by a rotated combination of harmonic states: R and S (6)
with

    R F = I + sum_r S_r D_r,   D_r = gradient of H_r sampled at the tet's corners
nine equations for nine unknowns, by Newton's method: R <- exp([w]) R, w and dS from [w] R F - sum_r dS_r D_r = -residual,
from R = polar(F)^T and the least-squares S. Then a point X of the fine body in that tet is at
    x = x0 + R^T (X - X0 + (H(X) - H0) S)
with x0, X0, H0 at the tet's centre. If Newton's method does not converge, points follow the corners,
x = x0 + F (X - X0). Corners far outside the body, or strains that its stiff parts would not permit, can make S
absurdly large. The distance of a point from its position by the corners alone is therefore limited to LIMIT times size
times strain of the adjacent tets.

For each tet this is linear in the constant data: x = C phi(X), phi = (1, X, H_1(X) .. H_6(X)), 22 components.
Adjacent tets disagree at common faces; `blend` averages C over the tets around each corner and interpolates with the
point's coordinates, which is continuous. Velocities are dC/dt phi, with the reduction by the limit treated as
constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.fine_body import shape_gradients
from supple.coarsening.map_kernels import change, settle
from supple.types import Array

ITERATIONS = 20
SETTLED = 1e-11
"""Largest entry of the residual."""
LIMIT = 0.5


@dataclass(frozen=True)
class TetStates:
    """Rotated harmonic states of coarse tets."""

    F: Array
    """(q, 3, 3) deformation gradients."""
    R: Array
    """(q, 3, 3)"""
    S: Array
    """(q, 6) coefficients of the harmonic displacements over the map's `unit`."""
    settled: npt.NDArray[np.bool_]
    """(q,) whether R and S were found."""
    strain: Array
    """(q,) |F's singular values - 1|."""


class FineMap:
    """Map from coarse to fine positions; constant data are computed once."""

    def __init__(self, body: CoarseBody, blend: bool = False) -> None:
        self.body = body
        q, f = len(body.tets), len(body.skin)
        self._gradients = shape_gradients(body.vertices, body.tets)
        D = np.einsum("rqai,qaj->qrij", body.harmonics[:, body.tets], self._gradients)
        self.unit: float = 1.0 / max(float(np.abs(D).max(initial=0.0)), np.finfo(float).tiny)
        """Stress [Pa] for a strain of about one: scales the nine unknowns to similar magnitude."""
        self._D = np.ascontiguousarray(D * self.unit)
        self._fit = np.linalg.pinv(np.swapaxes(self._D.reshape(q, 6, 9), 1, 2))
        self._X0, self._H0 = (
            body.vertices[body.tets].mean(axis=1),
            body.harmonics[:, body.tets].mean(axis=2) * self.unit,
        )
        self._size = np.linalg.norm(np.ptp(body.vertices[body.tets], axis=1), axis=1)
        harmonics = np.moveaxis(body.skin_harmonics * self.unit, 0, 1).reshape(f, 18)
        self._phi = np.concatenate([np.ones((f, 1)), body.skin, harmonics], axis=1)
        inner = np.clip(body.coordinates, 0.0, None)
        self._weights = inner / inner.sum(axis=1, keepdims=True)
        self._corners = body.tets[body.host]
        self._around = _means(body) if blend else None

    def states(self, x: Array) -> TetStates:
        """R and S of every coarse tet for coarse vertices at x (v, 3)."""
        F = np.einsum("qai,qaj->qij", x[self.body.tets], self._gradients)
        finite = np.isfinite(F).all(axis=(1, 2))
        u, stretch, w = np.linalg.svd(np.where(finite[:, None, None], F, 0.0))
        u[:, :, 2] *= np.linalg.det(u @ w)[:, None]
        R = np.ascontiguousarray(np.swapaxes(u @ w, 1, 2))
        S = (self._fit @ (R @ F - np.eye(3)).reshape(-1, 9, 1))[:, :, 0]
        settled = settle(F, self._D, R, S, ITERATIONS, SETTLED)
        return TetStates(F, R, S, settled, np.linalg.norm(stretch - 1.0, axis=1))

    def positions(self, x: Array) -> Array:
        """(f, 3) positions of the fine surface."""
        return self._limited(x, self.states(x))[0]

    def motion(self, x: Array, v: Array) -> tuple[Array, Array]:
        """(f, 3) positions and velocities of the fine surface for coarse vertices at x with velocities v."""
        states = self.states(x)
        out, part = self._limited(x, states)
        follow = self._followed(v)
        return out, follow + part[:, None] * (self._seen(self._rates(v, states)) - follow)

    def _limited(self, x: Array, states: TetStates) -> tuple[Array, Array]:
        """Positions, and the factor (f,) by which the limit reduces the displacement relative to the corners alone."""
        follow = self._followed(x)
        way = self._seen(self._coefficients(x, states)) - follow
        largest = np.zeros(len(x))
        np.maximum.at(largest, self.body.tets.ravel(), np.repeat(states.strain * self._size, 4))
        limit = LIMIT * (largest[self._corners] * self._weights).sum(axis=1)
        length = np.linalg.norm(way, axis=1)
        part = np.minimum(1.0, limit / np.maximum(length, np.finfo(float).tiny))
        return follow + part[:, None] * way, part

    def _followed(self, x: Array) -> Array:
        return np.einsum("fai,fa->fi", x[self._corners], self.body.coordinates)

    def _coefficients(self, x: Array, s: TetStates) -> Array:
        """(q, 3, 22) C of every tet."""
        turn = np.where(s.settled[:, None, None], np.swapaxes(s.R, 1, 2), s.F)
        S = np.where(s.settled[:, None], s.S, 0.0)
        return self._linear(x, turn, _times(S, turn))

    def _rates(self, v: Array, s: TetStates) -> Array:
        """(q, 3, 22) dC/dt of every tet."""
        G = np.einsum("qai,qaj->qij", v[self.body.tets], self._gradients)
        w, T = np.zeros((len(G), 3)), np.zeros((len(G), 6))
        change(s.F, G, self._D, s.R, s.settled, w, T)
        # d(R^T)/dt = R^T [w]^T: its rows are w x (rows of R^T)
        turned = np.swapaxes(s.R, 1, 2)
        turn = np.where(s.settled[:, None, None], np.cross(turned, -w[:, None, :]), G)
        S = np.where(s.settled[:, None], s.S, 0.0)
        return self._linear(v, turn, _times(S, turn) + _times(T, turned))

    def _linear(self, x: Array, turn: Array, strains: Array) -> Array:
        """C with C phi = x0 + turn (X - X0) + strains (H - H0)."""
        H0 = np.moveaxis(self._H0, 0, 1).reshape(len(turn), 18)
        moved = np.einsum("qij,qj->qi", turn, self._X0) + np.einsum("qij,qj->qi", strains, H0)
        centre = x[self.body.tets].mean(axis=1)
        return np.concatenate([(centre - moved)[:, :, None], turn, strains], axis=2)

    def _seen(self, C: Array) -> Array:
        """(f, 3) C phi."""
        if self._around is None:
            return np.einsum("fik,fk->fi", C[self.body.host], self._phi)
        at_corners = (self._around @ C.reshape(len(C), 66)).reshape(-1, 3, 22)
        out = np.zeros((len(self._phi), 3))
        for a in range(4):
            out += self._weights[:, a, None] * np.einsum("fik,fk->fi", at_corners[self._corners[:, a]], self._phi)
        return out


def fine_positions(body: CoarseBody, x: Array, blend: bool = False) -> Array:
    """(f, 3) positions of the fine surface for coarse vertices at x (v, 3)."""
    return FineMap(body, blend).positions(x)


def tet_states(body: CoarseBody, x: Array) -> TetStates:
    """R and S of every coarse tet."""
    return FineMap(body).states(x)


def _times(S: Array, turn: Array) -> Array:
    """(q, 3, 18) S_r turn, side by side."""
    return np.einsum("qr,qij->qirj", S, turn).reshape(len(S), 3, 18)


def _means(body: CoarseBody) -> csr_array:
    """(v, q): mean over the tets around each vertex."""
    corners = body.tets.ravel()
    counts = np.bincount(corners, minlength=len(body.vertices))
    entries = 1.0 / counts[corners], (corners, np.repeat(np.arange(len(body.tets)), 4))
    return csr_array(entries, shape=(len(body.vertices), len(body.tets)))
