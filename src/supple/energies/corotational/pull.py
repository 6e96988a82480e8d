"""Pulls of corotational elements to their stiffness and their rest shape.

Energy is linear in C, so forces with unit tensors are its exact derivatives. The rest shape acts through F, as in any
solid (solids/product_kernels.py), and through the frames: their metric, the axes of pinned elements and, for elements
that rest elsewhere, the rotated C. Those parts are differentiated by differences on the corners.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from supple.energies import pulls
from supple.energies.corotational.rest import Held
from supple.energies.differences import by_corners
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.energies.corotational.term import Corotational


def by_stiffness(term: Corotational, samples: Samples, lam: Array) -> Array:
    """(m, 6, 6), symmetric: the change of work is the sum of these times a symmetric change of C."""
    m = len(term.elements)
    out = np.empty((m, 6, 6))
    for a in range(6):
        for b in range(a, 6):
            unit = np.zeros((m, 6, 6))
            unit[:, a, b] = unit[:, b, a] = 0.5 if a != b else 1.0
            out[:, a, b] = out[:, b, a] = term.with_constant("stiffness", unit).element_works(samples, lam)
    return out


def by_frames(term: Corotational, samples: Samples, lam: Array) -> Array:
    """(n, 3) derivatives with respect to the rest positions through frames alone; volume and shape functions are kept fixed."""
    return _by_corners(term, term.rest, term.unshared().with_rest_frames, samples, lam)


def by_moved_rest(origin: Corotational, rest: Array, samples: Samples, lam: Array) -> Array:
    """(n, 3) derivatives with respect to the positions at which a copy of `origin` rests."""
    return _by_corners(origin, rest, origin.unshared().resting_at, samples, lam)


def _by_corners(
    term: Corotational, rest: Array, made: Callable[[Array], EnergyTerm], samples: Samples, lam: Array
) -> Array:
    apart, move = pulls.samples_apart(term, samples), pulls.apart(term, lam)
    corners = by_corners(lambda y: made(y.reshape(-1, 3)).element_works(apart, move), rest[term.elements])
    return pulls.at_vertices(term.elements, corners, len(lam))


def unshared_held(elements: Ints, held: Held | None) -> Held | None:
    """The pinned corners of elements without common corners."""
    if held is None:
        return None
    place = np.full((int(max(held.vertices.max(initial=0), elements.max(initial=0))) + 1, 3), np.nan)
    place[held.vertices] = held.x
    corners = place[elements].reshape(-1, 3)
    vertices = np.flatnonzero(np.isfinite(corners[:, 0])).astype(np.int32)
    return Held(vertices, corners[vertices])
