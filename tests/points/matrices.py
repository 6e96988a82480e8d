"""Matrices of systems as dense arrays, from the fused loops and element by element."""

import numpy as np

from supple.dynamics.stage import Sample, Stage, StageObjective
from supple.dynamics.system import System
from supple.types import Array


def from_loops(system: System, x: Array, project: bool) -> Array:
    """(3n, 3n) the stiffness at x (n, 3) as solvers assemble it."""
    stage = Stage(0.0, x, (Sample(1.0),), x, x, inertia=0.0)
    values = np.zeros(system.pattern.nnz)
    StageObjective(system, stage).hessian(x, values, project)
    dense = np.zeros((3 * len(x), 3 * len(x)))
    rows = np.repeat(np.arange(3 * len(x)), np.diff(system.pattern.indptr))
    dense[rows, system.pattern.indices] = values
    return dense + np.triu(dense, 1).T


def from_elements(system: System, x: Array) -> Array:
    """(3n, 3n) the sum of the elements' stiffnesses at x (n, 3)."""
    wanted = np.zeros((3 * len(x), 3 * len(x)))
    for term in system.potential.terms:
        at = (3 * term.elements[:, :, None] + np.arange(3)).reshape(len(term.elements), -1)
        for places, K in zip(at, term.element_hessians(x), strict=True):
            np.add.at(wanted, (places[:, None], places[None, :]), K)
    return wanted
