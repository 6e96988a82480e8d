"""The entry point of a straight displacement into a convex shape: the first root of the gap along it.

Along a line the distance to a convex shape is a convex function, so Newton's method from outside,
    t <- t + (gap(t) - kept)/(-n . p),
approaches the root monotonically and never overshoots. Once the gap widens it never closes again.

For other shapes only the distance is known: t <- t + (gap(t) - kept)/|p|, by at most a twelfth of the displacement,
which never overshoots either, but needs more iterations where the path grazes the surface. A displacement that takes
too many is cut there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.types import Array, Ints

ADVANCES = 30
ALONG_CURVES = 90
"""Number of advances towards shapes that are not convex."""
STRIDE = 1.0 / 12.0
"""Longest advance towards such shapes: the nearest point found may be on the wrong side of a valley."""


def entry(
    gaps: Callable[[Array, Ints], Array],
    normals: Callable[[Array, Ints], Array],
    y: Array,
    p: Array,
    left: float = 0.0,
    accuracy: float = 1e-9,
    convex: bool = True,
) -> Array:
    """(m,) multiple of the displacements p (m, 3) at which points y have only `left` of their initial gap.

    It is 1 or more where that lies beyond the displacement, infinite where it never occurs, and 0 for points inside
    that move deeper.

    `gaps` and `normals` are evaluated at positions of some of the m points. `accuracy`: permitted excess of the
    remaining gap.
    """
    first = gaps(y, np.arange(len(y), dtype=np.int32))
    # a gap changes by no more than |p|
    length = np.sqrt(np.einsum("mi,mi->m", p, p))
    t = np.where(first <= length, 0.0, np.inf)
    going = np.flatnonzero(t == 0.0).astype(np.int32)
    for _ in range(ADVANCES if convex else ALONG_CURVES):
        if not len(going):
            break
        here = y[going] + t[going, None] * p[going]
        room = np.maximum(gaps(here, going) - left * first[going], 0.0)
        if convex:
            closing = -np.einsum("mi,mi->m", normals(here, going), p[going])
            nears = closing > 0.0
            t[going] += np.where(nears, room, np.inf) / np.where(nears, closing, 1.0)
        else:
            t[going] += np.minimum(room / np.maximum(length[going], 1e-300), STRIDE)
        going = going[(t[going] < 1.0) & (room > accuracy * first[going])]
    return t
