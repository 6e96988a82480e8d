"""Laws over whole arrays of deformation gradients or other arguments, for tests, plots and other uses outside hot loops."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.address import call_response, call_sensitivity, call_tangent
from supple.materials.kernel import LANES, gather, unpack


@njit(cache=True, nogil=True)
def _load(F, start, ids, f):
    """Fill a batch starting at row `start`; lanes beyond the end repeat the last row."""
    m = F.shape[0]
    for lane in range(LANES):
        e = min(start + lane, m - 1)
        ids[lane] = e
        for ij in range(9):
            f[ij * LANES + lane] = F[e, ij]


@njit(cache=True, nogil=True)
def responses(address, table, F, density, stress):
    """density (m,), stress (m, 9) of F (m, 9), with constants (m, c)."""
    ids, constants = np.empty(LANES, np.int32), np.empty(table.shape[1] * LANES)
    f, psi, P = np.empty(9 * LANES), np.empty(LANES), np.empty(9 * LANES)
    for start in range(0, F.shape[0], LANES):
        _load(F, start, ids, f)
        gather(table, ids, constants)
        call_response(address, constants, f, psi, P)
        for lane in range(min(LANES, F.shape[0] - start)):
            density[start + lane] = psi[lane]
            for ij in range(9):
                stress[start + lane, ij] = P[ij * LANES + lane]


@njit(cache=True, nogil=True)
def tangents(address, table, F, out):
    """out (m, 9, 9) of F (m, 9), with constants (m, c)."""
    ids, constants = np.empty(LANES, np.int32), np.empty(table.shape[1] * LANES)
    f, C = np.empty(9 * LANES), np.empty(45 * LANES)
    for start in range(0, F.shape[0], LANES):
        _load(F, start, ids, f)
        gather(table, ids, constants)
        call_tangent(address, constants, f, C)
        for lane in range(min(LANES, F.shape[0] - start)):
            unpack(C, out[start + lane], lane)


@njit(cache=True, nogil=True)
def sensitivities(address, table, F, density, stress):
    """density (m, c), stress (m, c, 9): derivatives with respect to the constants (m, c), of F (m, 9)."""
    count = table.shape[1]
    ids, constants = np.empty(LANES, np.int32), np.empty(count * LANES)
    f, dpsi, dP = np.empty(9 * LANES), np.empty(count * LANES), np.empty(9 * count * LANES)
    for start in range(0, F.shape[0], LANES):
        _load(F, start, ids, f)
        gather(table, ids, constants)
        call_sensitivity(address, constants, f, dpsi, dP)
        for lane in range(min(LANES, F.shape[0] - start)):
            for k in range(count):
                density[start + lane, k] = dpsi[k * LANES + lane]
                for ij in range(9):
                    stress[start + lane, k, ij] = dP[(9 * k + ij) * LANES + lane]


@njit(cache=True, nogil=True)
def pairs_of_outputs(address, table, arguments, first, second):
    """first (m, a), second (m, b) of arguments (m, n), with constants (m, c), by a function of two outputs."""
    m, n = arguments.shape
    ids, constants, given = np.empty(LANES, np.int32), np.empty(table.shape[1] * LANES), np.empty(n * LANES)
    a, b = np.empty(first.shape[1] * LANES), np.empty(second.shape[1] * LANES)
    for start in range(0, m, LANES):
        for lane in range(LANES):  # lanes beyond the end repeat the last row
            ids[lane] = min(start + lane, m - 1)
            for k in range(n):
                given[k * LANES + lane] = arguments[ids[lane], k]
        gather(table, ids, constants)
        call_response(address, constants, given, a, b)
        for lane in range(min(LANES, m - start)):
            for k in range(first.shape[1]):
                first[start + lane, k] = a[k * LANES + lane]
            for k in range(second.shape[1]):
                second[start + lane, k] = b[k * LANES + lane]
