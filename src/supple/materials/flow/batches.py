"""Flow functions over whole arrays, outside the fast kernels."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.flow.address import call_flow
from supple.materials.kernel import LANES, gather


@njit(cache=True, nogil=True)
def flows(address, table, F, taken):
    """F (m, 9) and the constants table (m, c) after a flow, in place; taken (m, 2)."""
    c = table.shape[1]
    ids, constants = np.empty(LANES, np.int32), np.empty(c * LANES)
    f, lost = np.empty(9 * LANES), np.empty(2 * LANES)
    for start in range(0, F.shape[0], LANES):
        for q in range(LANES):
            ids[q] = min(start + q, F.shape[0] - 1)
            for ij in range(9):
                f[ij * LANES + q] = F[ids[q], ij]
        gather(table, ids, constants)
        call_flow(address, constants, f, lost)
        for q in range(min(LANES, F.shape[0] - start)):
            for ij in range(9):
                F[start + q, ij] = f[ij * LANES + q]
            for k in range(c):
                table[start + q, k] = constants[k * LANES + q]
            taken[start + q, 0], taken[start + q, 1] = lost[q], lost[LANES + q]


@njit(cache=True, nogil=True)
def largest_row(F):
    """The largest row sum of |F^T F| over all F (m, 9)."""
    largest = 0.0
    for p in range(F.shape[0]):
        for i in range(3):
            row = 0.0
            for j in range(3):
                row += abs(F[p, i] * F[p, j] + F[p, 3 + i] * F[p, 3 + j] + F[p, 6 + i] * F[p, 6 + j])
            largest = max(largest, row)
    return largest
