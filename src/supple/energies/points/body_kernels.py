"""Stiffness of meshes embedded in a grid, in loops over pairs of cells; see carried_body.py."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.linalg.scatter import add_block
from supple.materials.kernel import FAST

INDEX = np.uintp


@njit(cache=True, nogil=True, **FAST)
def _add_pair(v, u, place, w, block, M):
    """M += w_va w_ub block at the nodes of both."""
    k = w.shape[1]
    for a in range(k):
        r = INDEX(3 * place[a])
        for b in range(k):
            c = INDEX(3 * place[k + b])
            f = w[v, a] * w[u, b]
            for i in range(INDEX(3)):
                for j in range(INDEX(3)):
                    M[r + i, c + j] += f * block[i, j]


@njit(cache=True, nogil=True, **FAST)
def body_hessian_part(
    part, corners, size, start, one, two, place, w, blocks, owner, chosen, unknowns, lengths, slots, values
):
    """values += W^T K W at the rows of the part, K with blocks_q (., 3, 3) at the vertices one_q, two_q and their transposes at
    two_q, one_q. Corners beyond size[e] repeat others and carry nothing."""
    wide = corners.shape[1]
    M, S = np.empty((3 * wide, 3 * wide)), np.empty((3, 3))
    for e in chosen:
        M[:] = 0.0
        for q in range(start[e], start[e + 1]):
            _add_pair(one[q], two[q], place[e], w, blocks[q], M)
        s = 0
        for a in range(wide):
            for b in range(a, wide):
                slot = slots[e, s]
                s += 1
                if slot >= 0 and b < size[e] and owner[corners[e, a]] == part:  # corners ascend: a is the row
                    for i in range(3):
                        for j in range(3):
                            S[i, j] = M[3 * a + i, 3 * b + j] + M[3 * b + j, 3 * a + i]
                    add_block(slot, lengths[unknowns[corners[e, a]]], a == b, False, S, 0, 0, values)
