"""Where a straight move enters a convex shape: the first root of the gap along it.

Along a line the distance to a convex shape is a convex function, so that Newton's method from outside,
    t <- t + (gap(t) - kept)/(-n . p),
comes nearer with every iteration and never goes too far. Once the gap widens it is never closed again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.types import Array, Ints

ADVANCES = 30


def entry(
    gaps: Callable[[Array, Ints], Array],
    normals: Callable[[Array, Ints], Array],
    y: Array,
    p: Array,
    left: float = 0.0,
    accuracy: float = 1e-9,
) -> Array:
    """(m,) multiple of the moves p (m, 3) at which points y have only `left` of their first gap, 1 or more where that is
    beyond the move, infinite where it never is; 0 for points inside that go deeper.

    `gaps` and `normals` are asked at places of some of the m points. `accuracy`: how much more of the gap may be left.
    """
    first = gaps(y, np.arange(len(y), dtype=np.int32))
    # a gap changes by no more than |p|
    t = np.where(first <= np.sqrt(np.einsum("mi,mi->m", p, p)), 0.0, np.inf)
    going = np.flatnonzero(t == 0.0).astype(np.int32)
    for _ in range(ADVANCES):
        if not len(going):
            break
        here = y[going] + t[going, None] * p[going]
        room = np.maximum(gaps(here, going) - left * first[going], 0.0)
        closing = -np.einsum("mi,mi->m", normals(here, going), p[going])
        nears = closing > 0.0
        t[going] += np.where(nears, room, np.inf) / np.where(nears, closing, 1.0)
        going = going[(t[going] < 1.0) & (room > accuracy * first[going])]
    return t
