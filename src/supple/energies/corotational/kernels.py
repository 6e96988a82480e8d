"""Linear elasticity seen from a frame R that rotates with the element, for the element loops of solids (Numba).

G = R^T F, strain e = sym(G) - I, stress s = C : e, density psi = e : s / 2. With the symbols of frames.py and
H = R^T dF, dG = H - [w]x G, dS = H J - [w]x S:

    P  = R (s - [z]x J),   z = Q^-1 ax(G s)
    dP = R ([w]x (s - [z]x J) + ds - [dz]x J),   dz = Q^-1 (ax(dG s + G ds) - (tr(dS) I - dS) z)

z is the contribution of the frame rotation to the plain force R s: zero if J = I and C is isotropic, since G and s then
commute. For a frame with an axis, d rho z stands for (tr(dS) I - dS) z.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from supple.energies.corotational.frames import FREE, FramedParameters, frame, times, transposed_times
from supple.materials.kernel import LANES, pair
from supple.materials.law import CompiledLaw
from supple.types import Array

ROOT = math.sqrt(2.0)


@njit(cache=True, nogil=True)
def _one():
    """Room for the constants of one element."""
    return FramedParameters(
        np.empty((1, 6, 6)), np.empty((1, 9)), np.empty(1, np.int32), np.empty((1, 3)), np.empty((1, 9))
    )


@njit(cache=True, nogil=True)
def _load(constants, q, p):
    """The constants of lane q: the fields of `FramedParameters` one after the other, 36 + 9 + 1 + 3 + 9 values."""
    W = LANES
    for r in range(6):
        for c in range(6):
            p.stiffness[0, r, c] = constants[(6 * r + c) * W + q]
    for r in range(9):
        p.metric[0, r] = constants[(36 + r) * W + q]
        p.start[0, r] = constants[(49 + r) * W + q]
    p.kind[0] = int(constants[45 * W + q])
    for i in range(3):
        p.axis[0, i] = constants[(46 + i) * W + q]


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
    """Quantities that the density and its derivatives share; M = s - [z]x J, so P = R M. Returns 2 psi."""
    frame(p, e, f, R, S, Q, work)
    transposed_times(R, f, G)
    twice = _stress(p.stiffness[e], G, 1.0, s)
    times(G, s, M)
    _axial(Q, M, z)
    for r in range(9):
        M[r] = s[r]
    _add_cross(-1.0, z, p.metric[e], M)
    return twice


def framed_response(constants, F, psi, P):
    W, p = LANES, _one()
    f, R, S, Q = np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    G, s, M, z, work = np.empty(9), np.empty(9), np.empty(9), np.empty(3), np.empty((4, 9))
    for q in range(W):
        for ij in range(9):
            f[ij] = F[ij * W + q]
        _load(constants, q, p)
        psi[q] = 0.5 * _inner(p, 0, f, R, S, Q, G, s, z, M, work)
        times(R, M, f)
        for ij in range(9):
            P[ij * W + q] = f[ij]


@njit(cache=True, nogil=True)
def _frame_change(p: FramedParameters, e: int, HJ: Array, w: Array, S: Array, z: Array, out: Array) -> None:
    """out = (dQ) z: (tr(dS) I - dS) z for a free frame, d rho z for one with an axis; HJ is overwritten."""
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


def framed_tangent(constants, F, C):
    W, p = LANES, _one()
    f, R, S, Q = np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    G, s, M, z, work = np.empty(9), np.empty(9), np.empty(9), np.empty(3), np.empty((4, 9))
    for q in range(W):
        for ij in range(9):
            f[ij] = F[ij * W + q]
        _load(constants, q, p)
        _inner(p, 0, f, R, S, Q, G, s, z, M, work)
        for c in range(9):
            _stress_change(p, 0, c // 3, c % 3, R, S, Q, G, s, z, M, f)
            for r in range(c + 1):
                C[pair(r, c) * W + q] = f[r]


@njit(cache=True, nogil=True)
def _load_fixed(constants, q, stiffness, R):
    """C and R of lane q, 36 + 9 values."""
    for r in range(6):
        for c in range(6):
            stiffness[r, c] = constants[(6 * r + c) * LANES + q]
    for r in range(9):
        R[r] = constants[(36 + r) * LANES + q]


def fixed_response(constants, F, psi, P):
    W = LANES
    stiffness, R, f, G, s = np.empty((6, 6)), np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    for q in range(W):
        _load_fixed(constants, q, stiffness, R)
        for ij in range(9):
            f[ij] = F[ij * W + q]
        transposed_times(R, f, G)
        psi[q] = 0.5 * _stress(stiffness, G, 1.0, s)
        times(R, s, f)
        for ij in range(9):
            P[ij * W + q] = f[ij]


def fixed_tangent(constants, F, C):
    W = LANES
    stiffness, R, H, s, out = np.empty((6, 6)), np.empty(9), np.empty(9), np.empty(9), np.empty(9)
    for q in range(W):
        _load_fixed(constants, q, stiffness, R)
        for c in range(9):
            H[:] = 0.0
            for n in range(3):
                H[3 * n + c % 3] = R[c - c % 3 + n]
            _stress(stiffness, H, 0.0, s)
            times(R, s, out)
            for r in range(c + 1):
                C[pair(r, c) * W + q] = out[r]


FRAMED = CompiledLaw((framed_response, framed_tangent))
FIXED_FRAMES = CompiledLaw((fixed_response, fixed_tangent))
