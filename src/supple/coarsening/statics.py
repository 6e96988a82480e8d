"""Linear response of a body of tets with individual tensors: displacement under a load, lowest frequencies."""

from __future__ import annotations

import numpy as np

from supple.coarsening.fine_body import FineBody
from supple.coarsening.harmonic import hold, stiffness_values
from supple.linalg.factors.factorisation import analyse
from supple.linalg.pattern import symmetric_pattern
from supple.linalg.threads import threads
from supple.types import Array, Ints


def static_displacement(body: FineBody, held: Ints, force: Array, backend: str = "auto") -> Array:
    """(n, 3) displacements under forces (n, 3) [N] with some vertices fixed [m]."""
    return answer(body, _scalars(held), force, backend)


def answer(body: FineBody, unknowns: Ints, force: Array, backend: str = "auto") -> Array:
    """(n, 3) the same with some scalar unknowns 3 i + axis fixed: walls along which vertices slide [m]."""
    pattern = symmetric_pattern(len(body.vertices), [body.tets])
    values = stiffness_values(body, pattern)
    hold(pattern, values, unknowns)
    load = np.ascontiguousarray(force).ravel().copy()
    load[unknowns] = 0.0
    factor = analyse("cholesky", pattern.indptr, pattern.indices, backend, threads())
    try:
        factor.factor(values)
        return factor.solve(load).reshape(-1, 3)
    finally:
        factor.close()


def frequencies(body: FineBody, mass: Array, held: Ints, count: int) -> Array:
    """(count,) lowest angular frequencies [rad/s] with lumped masses (n,) [kg] and some vertices fixed."""
    from scipy.sparse import csr_array, diags_array, triu
    from scipy.sparse.linalg import eigsh

    pattern = symmetric_pattern(len(body.vertices), [body.tets])
    values = stiffness_values(body, pattern)
    upper = csr_array((values, pattern.indices, pattern.indptr), shape=(pattern.unknowns, pattern.unknowns))
    whole = upper + triu(upper, 1).T
    free = np.setdiff1d(np.arange(pattern.unknowns), _scalars(held))
    M = np.repeat(mass, 3)[free]
    scale = diags_array(1.0 / np.sqrt(M))
    K = (scale @ whole[free][:, free] @ scale).tocsc()
    return np.sqrt(np.sort(eigsh(K, k=count, sigma=0.0, which="LM", return_eigenvectors=False)))


def lumped(body: FineBody) -> Array:
    """(n,) masses of vertices [kg]."""
    share = np.repeat(body.density * body.volumes / 4.0, 4)
    return np.asarray(np.bincount(body.tets.ravel(), share, len(body.vertices)), dtype=np.float64)


def weight(mass: Array, acceleration: Array) -> Array:
    """(n, 3) [N]."""
    return mass[:, None] * np.asarray(acceleration, dtype=np.float64)


def _scalars(vertices: Ints) -> Ints:
    return (3 * np.unique(vertices)[:, None] + np.arange(3)).ravel().astype(np.int32)
