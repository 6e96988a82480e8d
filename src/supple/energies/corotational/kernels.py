"""Linear elasticity seen from a frame R that turns with the element, for the element loops of solids (Numba).

G = R^T F, strain e = sym(G) - I, stress s = C : e, density psi = e : s / 2. With the symbols of corotational_frames.py and
H = R^T dF, dG = H - [w]x G, dS = H J - [w]x S:

    P  = R (s - [z]x J),   z = Q^-1 ax(G s)
    dP = R ([w]x (s - [z]x J) + ds - [dz]x J),   dz = Q^-1 (ax(dG s + G ds) - (tr(dS) I - dS) z)

z is what the turning of the frame adds to the plain force R s: nothing if J = I and C is isotropic, as G and s then commute.
For a frame with an axis, d rho z stands for (tr(dS) I - dS) z.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from supple.energies.corotational.frames import FREE, FramedParameters, frame, times, transposed_times
from supple.linalg.threads import calm_workers
from supple.materials.kernel import LANES, pair, response_for, tangent_for
from supple.types import Array

calm_workers()

ROOT = math.sqrt(2.0)


class FixedParameters(NamedTuple):
    """Elements whose frames are given."""

    stiffness: Array
    """(m, 6, 6) as above."""
    rotation: Array
    """(m, 9) R."""


@njit(cache=True, nogil=True)
def _add_cross(factor: float, w: Array, b: Array, out: Array) -> None:
    """out += factor [w]x b."""
    for j in range(3):
        out[j] += factor * (w[1] * b[6 + j] - w[2] * b[3 + j])
        out[3 + j] += factor * (w[2] * b[j] - w[0] * b[6 + j])
        out[6 + j] += factor * (w[0] * b[3 + j] - w[1] * b[j])


@njit(cache=True, nogil=True)
def _axial(Q: Array, b: Array, out: Array) -> None:
    """out = Q ax(b)."""
    x, y, z = b[5] - b[7], b[6] - b[2], b[1] - b[3]
    for i in range(3):
        out[i] = Q[3 * i] * x + Q[3 * i + 1] * y + Q[3 * i + 2] * z


@njit(cache=True, nogil=True)
def _row(C: Array, r: int, e0: float, e1: float, e2: float, e3: float, e4: float, e5: float) -> float:
    return C[r, 0] * e0 + C[r, 1] * e1 + C[r, 2] * e2 + C[r, 3] * e3 + C[r, 4] * e4 + C[r, 5] * e5


@njit(cache=True, nogil=True)
def _stress(C: Array, g: Array, rest: float, s: Array) -> float:
    """s = C : e with e = sym(g) - rest I, row-major; returns e : s."""
    e0, e1, e2 = g[0] - rest, g[4] - rest, g[8] - rest
    e3, e4, e5 = (g[5] + g[7]) / ROOT, (g[2] + g[6]) / ROOT, (g[1] + g[3]) / ROOT
    s[0], s[4], s[8] = (
        _row(C, 0, e0, e1, e2, e3, e4, e5),
        _row(C, 1, e0, e1, e2, e3, e4, e5),
        _row(C, 2, e0, e1, e2, e3, e4, e5),
    )
    s3, s4, s5 = (
        _row(C, 3, e0, e1, e2, e3, e4, e5),
        _row(C, 4, e0, e1, e2, e3, e4, e5),
        _row(C, 5, e0, e1, e2, e3, e4, e5),
    )
    s[5] = s[7] = s3 / ROOT
    s[2] = s[6] = s4 / ROOT
    s[1] = s[3] = s5 / ROOT
    return e0 * s[0] + e1 * s[4] + e2 * s[8] + e3 * s3 + e4 * s4 + e5 * s5


@njit(cache=True, nogil=True)
def _inner(
    p: FramedParameters,
    e: int,
    f: Array,
    R: Array,
    S: Array,
    Q: Array,
    G: Array,
    s: Array,
    z: Array,
    M: Array,
    work: Array,
) -> float:
    """All that the density and its derivatives share; M = s - [z]x J, so that P = R M. Returns 2 psi."""
    frame(p, e, f, R, S, Q, work)
    transposed_times(R, f, G)
    twice = _stress(p.stiffness[e], G, 1.0, s)
    times(G, s, M)
    _axial(Q, M, z)
    for r in range(9):
        M[r] = s[r]
    _add_cross(-1.0, z, p.metric[e], M)
    return twice


@response_for(FramedParameters)
def framed_response(p, elements, F, psi, P):
    W = LANES
    f, R, S, Q = np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    G, s, M, z, work = np.empty(9), np.empty(9), np.empty(9), np.empty(3), np.empty((4, 9))
    for q in range(W):
        for ij in range(9):
            f[ij] = F[ij * W + q]
        psi[q] = 0.5 * _inner(p, elements[q], f, R, S, Q, G, s, z, M, work)
        times(R, M, f)
        for ij in range(9):
            P[ij * W + q] = f[ij]


@njit(cache=True, nogil=True)
def _frame_change(p: FramedParameters, e: int, HJ: Array, w: Array, S: Array, z: Array, out: Array) -> None:
    """out = (dQ) z: (tr(dS) I - dS) z of a free frame, d rho z of one with an axis; HJ is overwritten."""
    if p.kind[e] == FREE:
        _add_cross(-1.0, w, S, HJ)  # dS
        trace = HJ[0] + HJ[4] + HJ[8]
        for i in range(3):
            out[i] = trace * z[i] - HJ[3 * i] * z[0] - HJ[3 * i + 1] * z[1] - HJ[3 * i + 2] * z[2]
    else:  # z is along a, or zero
        a = p.axis[e]
        change = HJ[0] + HJ[4] + HJ[8]
        for i in range(3):
            change -= a[i] * (HJ[3 * i] * a[0] + HJ[3 * i + 1] * a[1] + HJ[3 * i + 2] * a[2])
        for i in range(3):
            out[i] = change * z[i]


@njit(cache=True, nogil=True)
def _stress_change(
    p: FramedParameters,
    e: int,
    k: int,
    j: int,
    R: Array,
    S: Array,
    Q: Array,
    G: Array,
    s: Array,
    z: Array,
    M: Array,
    out: Array,
) -> None:
    """out = dP along dF = (unit vector k) (unit vector j)^T."""
    J, C = p.metric[e], p.stiffness[e]
    H, HJ, dG, ds, B = np.zeros(9), np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    w, dz, change = np.empty(3), np.empty(3), np.empty(3)
    for n in range(3):
        H[3 * n + j] = R[3 * k + n]
        for i in range(3):
            HJ[3 * n + i] = R[3 * k + n] * J[3 * j + i]
    _axial(Q, HJ, w)
    for i in range(3):
        w[i] = -w[i]
    for r in range(9):
        dG[r] = H[r]
    _add_cross(-1.0, w, G, dG)
    _stress(C, dG, 0.0, ds)
    _frame_change(p, e, HJ, w, S, z, change)
    times(dG, s, B)
    times(G, ds, H)
    for r in range(9):
        B[r] += H[r]
    x, y, t = B[5] - B[7] - change[0], B[6] - B[2] - change[1], B[1] - B[3] - change[2]
    for i in range(3):
        dz[i] = Q[3 * i] * x + Q[3 * i + 1] * y + Q[3 * i + 2] * t
    _add_cross(1.0, w, M, ds)
    _add_cross(-1.0, dz, J, ds)
    times(R, ds, out)


@tangent_for(FramedParameters)
def framed_tangent(p, elements, F, C):
    W = LANES
    f, R, S, Q = np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    G, s, M, z, work = np.empty(9), np.empty(9), np.empty(9), np.empty(3), np.empty((4, 9))
    for q in range(W):
        for ij in range(9):
            f[ij] = F[ij * W + q]
        _inner(p, elements[q], f, R, S, Q, G, s, z, M, work)
        for c in range(9):
            _stress_change(p, elements[q], c // 3, c % 3, R, S, Q, G, s, z, M, f)
            for r in range(c + 1):
                C[pair(r, c) * W + q] = f[r]


@response_for(FixedParameters)
def fixed_response(p, elements, F, psi, P):
    W = LANES
    f, G, s = np.empty(9), np.empty(9), np.empty(9)
    for q in range(W):
        e = elements[q]
        for ij in range(9):
            f[ij] = F[ij * W + q]
        transposed_times(p.rotation[e], f, G)
        psi[q] = 0.5 * _stress(p.stiffness[e], G, 1.0, s)
        times(p.rotation[e], s, f)
        for ij in range(9):
            P[ij * W + q] = f[ij]


@tangent_for(FixedParameters)
def fixed_tangent(p, elements, F, C):
    W = LANES
    H, s, out = np.empty(9), np.empty(9), np.empty(9)
    for q in range(W):
        e = elements[q]
        R = p.rotation[e]
        for c in range(9):
            H[:] = 0.0
            for n in range(3):
                H[3 * n + c % 3] = R[c - c % 3 + n]
            _stress(p.stiffness[e], H, 0.0, s)
            times(R, s, out)
            for r in range(c + 1):
                C[pair(r, c) * W + q] = out[r]
