"""Positions of element blocks in the global matrix, for loops that assemble them on the fly (Numba)."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from supple.linalg.scatter import add_block
from supple.types import Array, Ints


class Place(NamedTuple):
    """Positions of blocks; see `Placement` in term.py."""

    owner: Ints
    unknowns: Ints
    row_length: Ints
    slots: Ints


@njit(cache=True, nogil=True)
def add_element(part: int, e: int, elements: Ints, place: Place, H: Array, values: Array) -> None:
    """values += H (3k, 3k) of element e, its blocks in the rows of the vertices that `part` owns."""
    k = elements.shape[1]
    at = 0
    for a in range(k):
        for b in range(a, k):
            slot = place.slots[e, at]
            at += 1
            if slot < 0:
                continue
            va, vb = elements[e, a], elements[e, b]
            transposed = place.unknowns[va] > place.unknowns[vb]
            top = vb if transposed else va
            if place.owner[top] == part:
                add_block(slot, place.row_length[place.unknowns[top]], a == b, transposed, H, 3 * a, 3 * b, values)
