"""Element vectors and matrices added into global ones, in parallel and in a fixed order."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from supple.linalg.threads import calm_workers

calm_workers()


@njit(cache=True, nogil=True)
def _gradient_part(part, owner, chosen, elements, gradients, out):
    for e in chosen:
        for a in range(elements.shape[1]):
            v = elements[e, a]
            if owner[v] == part:
                for i in range(3):
                    out[v, i] += gradients[e, a, i]


@njit(cache=True, parallel=True)
def add_gradients(owner, start, chosen, elements, gradients, out):
    """out (n, 3) += element gradients (m, k, 3)."""
    for part in prange(start.size - 1):
        _gradient_part(np.int64(part), owner, chosen[start[part] : start[part + 1]], elements, gradients, out)


@njit(cache=True, nogil=True)
def add_rows(vertices, rows, out):
    """out (n, 3) += rows (m, 3) at their vertices (m,)."""
    for e in range(len(vertices)):
        for i in range(3):
            out[vertices[e], i] += rows[e, i]


@njit(cache=True, nogil=True)
def add_block(slot, length, diagonal, transposed, block, row, column, values):
    """values += the 3x3 block at (row, column) of `block`, at `slot` of the upper triangle (see pattern.py)."""
    for i in range(3):
        for j in range(3):
            if diagonal and j < i:
                continue
            if diagonal:
                place = slot + (0 if i == 0 else length if i == 1 else 2 * length - 1) + j - i
            else:
                place = slot + (0 if i == 0 else length - 1 if i == 1 else 2 * length - 3) + j
            if transposed:
                values[place] += block[row + j, column + i]
            else:
                values[place] += block[row + i, column + j]


@njit(cache=True, nogil=True)
def _hessian_part(part, owner, chosen, elements, unknowns, lengths, slots, hessians, values):
    k = elements.shape[1]
    for e in chosen:
        s = 0
        for a in range(k):
            for b in range(a, k):
                slot = slots[e, s]
                s += 1
                if slot < 0:
                    continue
                va, vb = elements[e, a], elements[e, b]
                transposed = unknowns[va] > unknowns[vb]
                top = vb if transposed else va
                if owner[top] == part:
                    add_block(slot, lengths[unknowns[top]], a == b, transposed, hessians[e], 3 * a, 3 * b, values)


@njit(cache=True, parallel=True)
def add_hessians(owner, start, chosen, elements, unknowns, lengths, slots, hessians, values):
    """values += element Hessians (m, 3k, 3k) at their slots."""
    for part in prange(start.size - 1):
        _hessian_part(
            np.int64(part),
            owner,
            chosen[start[part] : start[part + 1]],
            elements,
            unknowns,
            lengths,
            slots,
            hessians,
            values,
        )


@njit(cache=True, nogil=True)
def locate(elements, n, keys, first, indptr, slots, used):
    """Slots of the blocks a <= b of elements (m, k) of unknown indices (-1: prescribed) in a pattern (see pattern.py),
    whose row i of blocks begins at index first[i]. Marks the blocks found and returns the number of missing ones."""
    missing = 0
    for e in range(len(elements)):
        s = 0
        for a in range(elements.shape[1]):
            for b in range(a, elements.shape[1]):
                low, high = min(elements[e, a], elements[e, b]), max(elements[e, a], elements[e, b])
                slots[e, s] = -1
                if low >= 0:
                    key = np.int64(low) * n + high
                    left, right = first[low], first[low + 1]
                    while left < right:
                        middle = (left + right) // 2
                        if keys[middle] < key:
                            left = middle + 1
                        else:
                            right = middle
                    if left < first[low + 1] and keys[left] == key:
                        used[left] = True
                        slots[e, s] = indptr[3 * low] + 3 * (left - first[low])
                    else:
                        missing += 1
                s += 1
    return missing


@njit(cache=True, nogil=True)
def add_blocks(elements, lengths, slots, matrices, values):
    """values += matrices (m, 3k, 3k) of elements of unknown indices at their slots, in the order of the elements."""
    for e in range(len(elements)):
        s = 0
        for a in range(elements.shape[1]):
            for b in range(a, elements.shape[1]):
                slot = slots[e, s]
                s += 1
                if slot >= 0:
                    transposed = elements[e, a] > elements[e, b]
                    top = elements[e, b] if transposed else elements[e, a]
                    add_block(slot, lengths[top], a == b, transposed, matrices[e], 3 * a, 3 * b, values)
