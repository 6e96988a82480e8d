"""Materials over whole arrays of deformation gradients, for tests, plots and anything outside the hot loops."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.kernel import LANES, response, tangent, unpack


@njit(cache=True, nogil=True)
def _load(F, start, ids, f):
    """Fill a batch from row `start` on; lanes beyond the end repeat the last row."""
    m = F.shape[0]
    for lane in range(LANES):
        e = min(start + lane, m - 1)
        ids[lane] = e
        for ij in range(9):
            f[ij * LANES + lane] = F[e, ij]


@njit(cache=True, nogil=True)
def responses(p, F, density, stress):
    """density (m,), stress (m, 9) of F (m, 9)."""
    ids = np.empty(LANES, np.int32)
    f = np.empty(9 * LANES)
    psi = np.empty(LANES)
    P = np.empty(9 * LANES)
    for start in range(0, F.shape[0], LANES):
        _load(F, start, ids, f)
        response(p, ids, f, psi, P)
        for lane in range(min(LANES, F.shape[0] - start)):
            density[start + lane] = psi[lane]
            for ij in range(9):
                stress[start + lane, ij] = P[ij * LANES + lane]


@njit(cache=True, nogil=True)
def tangents(p, F, out):
    """out (m, 9, 9) of F (m, 9)."""
    ids = np.empty(LANES, np.int32)
    f = np.empty(9 * LANES)
    C = np.empty(45 * LANES)
    for start in range(0, F.shape[0], LANES):
        _load(F, start, ids, f)
        tangent(p, ids, f, C)
        for lane in range(min(LANES, F.shape[0] - start)):
            unpack(C, out[start + lane], lane)
