"""SciPy's LU of small sparse matrices that are made afresh in every step, with its complaint as a step that was not taken."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import StepRejected


def sparse_lu(matrix: Any, of: str, **options: Any) -> Any:
    """Factors of a matrix in columns; `of`: what it belongs to, for the sentence where it has none."""
    from scipy.sparse.linalg import splu

    if not np.isfinite(matrix.data).all():
        raise StepRejected(f"the matrix of {of} has entries that are not finite")
    try:
        return splu(matrix, **options)
    except RuntimeError as problem:  # "Factor is exactly singular"
        raise StepRejected(f"the matrix of {of} cannot be inverted: {problem}") from None
