"""Connected parts of a system, constrained or free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.dynamics.system import System
from supple.types import Ints


def connected(system: System, more: Sequence[Ints] = ()) -> Ints:
    """(n,) part index of each vertex; `more`: additional elements (m, k) that connect vertices."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    elements = [term.elements for term in (*system.potential.terms, *system.dissipation.terms)]
    elements += [kind.vertices for kind in system.constraints.kinds]
    near = [own[:, [0, a]] for own in (*elements, *more) for a in range(1, own.shape[1])]
    pairs = np.concatenate([np.empty((0, 2), np.int32), *near])
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(system.n, system.n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int32)
