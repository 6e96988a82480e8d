"""SciPy's LU of small sparse matrices rebuilt in every step; its errors become rejected steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import StepRejected


def sparse_lu(matrix: Any, of: str, **options: Any) -> Any:
    """Factors of a matrix in CSC form; `of`: its owner, named in the error message."""
    from scipy.sparse.linalg import splu

    if not np.isfinite(matrix.data).all():
        raise StepRejected(f"the matrix of {of} has entries that are not finite")
    try:
        return splu(matrix, **options)
    except RuntimeError as problem:  # "Factor is exactly singular"
        raise StepRejected(f"the matrix of {of} cannot be inverted: {problem}") from None
