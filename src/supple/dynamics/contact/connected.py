"""The parts of a system that hold together, whether or not something holds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.dynamics.system import System
from supple.types import Ints


def connected(system: System, more: Sequence[Ints] = ()) -> Ints:
    """(n,) number of the part of a vertex; `more`: elements (m, k) that hold together too."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    elements = [term.elements for term in (*system.potential.terms, *system.dissipation.terms)]
    elements += [kind.vertices for kind in system.constraints.kinds]
    near = [own[:, [0, a]] for own in (*elements, *more) for a in range(1, own.shape[1])]
    pairs = np.concatenate([np.empty((0, 2), np.int32), *near])
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(system.n, system.n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int32)
