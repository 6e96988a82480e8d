"""Positive semidefinite tangents, called by address: without projection no eigensolver is compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from supple.materials.kernel import LANES, pair
from supple.materials.law import compiled_batch
from supple.types import Array


def _project(C: Array) -> None:
    """Clamp the negative eigenvalues of each lane's tangent; tangents that are not finite stay unchanged."""
    full = np.empty((9, 9))
    for q in range(LANES):
        finite = True
        for r in range(9):
            for c in range(r, 9):
                full[r, c] = full[c, r] = C[pair(r, c) * LANES + q]
                finite = finite and np.isfinite(full[r, c])
        if not finite:
            continue
        eigenvalues, vectors = np.linalg.eigh(full)
        if eigenvalues[0] < 0.0:
            for r in range(9):
                for c in range(r, 9):
                    entry = 0.0
                    for m in range(9):
                        if eigenvalues[m] > 0.0:
                            entry += eigenvalues[m] * vectors[r, m] * vectors[c, m]
                    C[pair(r, c) * LANES + q] = entry


@cache
def _compiled() -> Any:
    return compiled_batch(_project, 1)


def projection(wanted: bool = True) -> int:
    """The address of void project(double *C); 0 without projection."""
    return int(_compiled().address) if wanted else 0
