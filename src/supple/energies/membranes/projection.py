"""Positive semidefinite tangents of membranes, called by address: without projection no eigensolver is compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from supple.materials.kernel import LANES
from supple.materials.law import compiled_batch
from supple.types import Array


def _project(D: Array) -> None:
    """Clamp the negative eigenvalues of each lane's 3x3 matrix, entries 11, 12, 13, 22, 23, 33; NaN and inf stay."""
    full = np.empty((3, 3))
    for q in range(LANES):
        a, b, c = D[q], D[LANES + q], D[2 * LANES + q]
        d, e, f = D[3 * LANES + q], D[4 * LANES + q], D[5 * LANES + q]
        minor = a * d - b * b
        # leading minors above zero: nothing to clamp, the usual case
        if a > 0.0 and minor > 0.0 and minor * f - a * e * e + 2.0 * b * c * e - d * c * c > 0.0:
            continue
        if not np.isfinite(a + b + c + d + e + f):
            continue
        full[0, 0], full[1, 1], full[2, 2] = a, d, f
        full[0, 1] = full[1, 0] = b
        full[0, 2] = full[2, 0] = c
        full[1, 2] = full[2, 1] = e
        eigenvalues, vectors = np.linalg.eigh(full)
        at = 0
        for r in range(3):
            for s in range(r, 3):
                entry = 0.0
                for m in range(3):
                    if eigenvalues[m] > 0.0:
                        entry += eigenvalues[m] * vectors[r, m] * vectors[s, m]
                D[at * LANES + q] = entry
                at += 1


@cache
def _compiled() -> Any:
    return compiled_batch(_project, 1)


def projection(wanted: bool = True) -> int:
    """The address of void project(double *D); 0 without projection."""
    return int(_compiled().address) if wanted else 0
