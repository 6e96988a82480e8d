"""Meshes embedded in the grid: their bodies, and bounds on their vibration frequencies."""

from __future__ import annotations

import numpy as np

from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.energies.springs.anchor import Anchors
from supple.energies.term import EnergyTerm
from supple.types import Array, Ints


def joining(system: System) -> list[EnergyTerm]:
    """The terms that couple several vertices."""
    return [term for term in system.potential.terms if term.elements.shape[1] > 1]


def bodies(system: System) -> list[Ints]:
    """Embedded vertices, split into sets coupled by terms."""
    if not len(system.riders):
        return []
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    firsts = [np.repeat(term.elements[:, 0], term.elements.shape[1] - 1) for term in joining(system)]
    others = [term.elements[:, 1:].ravel() for term in joining(system)]
    one, two = (np.concatenate([np.empty(0, dtype=np.int32), *each]) for each in (firsts, others))
    graph = coo_matrix((np.ones(len(one)), (one, two)), shape=(system.n, system.n))
    label = connected_components(graph, directed=False)[1][system.riders]
    return [system.riders[label == body].astype(np.int32) for body in np.unique(label)]


def longest_edge(system: System, x: Array) -> float:
    """Largest distance at x (n, 3) between the first corner of an element and another one [m]."""
    sizes = [
        np.linalg.norm(x[t.elements[:, 1:]] - x[t.elements[:, :1]], axis=2).max(initial=0.0) for t in joining(system)
    ]
    return float(max(sizes, default=0.0))


def bound_of_rates(system: System, x: Array) -> float:
    """A bound on the angular frequencies of springs, and of terms that couple vertices, at x (n, 3) [1/s].

    |M^-1/2 K M^-1/2| <= its largest row sum, and energies of whole bodies add w |M^-1/2 a|^2. On the grid no frequency
    is higher: nodes carry all the mass nearby, and (W u)^T M (W u) <= u^T M_nodes u since weights are positive and add
    up to one.
    """
    sums = np.zeros(3 * system.n)
    root = np.repeat(1.0 / np.sqrt(system.mass), 3)
    held = [term for term in system.potential.terms if isinstance(term, Anchors)]
    for term in (*joining(system), *held):
        at = (3 * term.elements[:, :, None] + np.arange(3)).reshape(len(term.elements), -1)
        rows = np.einsum("mij,mj->mi", np.abs(term.element_hessians(x)), root[at]) * root[at]
        sums += np.bincount(at.ravel(), rows.ravel(), len(sums))
    whole = (p for term in system.potential.roles.whole_body for p in term.outer_products(one_sample(x)))
    beside = sum(abs(weight) * float(np.sum((root * field.ravel()) ** 2)) for weight, field in whole)
    return float(np.sqrt(sums.max(initial=0.0) + beside))
