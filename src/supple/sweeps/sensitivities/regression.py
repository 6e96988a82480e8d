"""Linear regressions of a measure over the keys, all standardised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.sweeps.sensitivities.influence import CONFIDENCE, Influence
from supple.types import Array


def regression(name: str, keys: Sequence[str], X: Array, y: Array) -> tuple[list[Influence], float]:
    """From values (runs, keys) and a measure (runs,); and R^2."""
    from scipy.stats import rankdata

    slopes, errors, explained = _standardised(X, y)
    ranks, rank_errors, _ = _standardised(np.apply_along_axis(rankdata, 0, X), rankdata(y))
    columns = (column.tolist() for column in (slopes, ranks, rank_errors, errors))
    return [Influence(name, *entry) for entry in zip(keys, *columns, strict=True)], explained


def _standardised(X: Array, y: Array) -> tuple[Array, Array, float]:
    """Coefficients of least squares, half of their intervals, and R^2."""
    from scipy.stats import t

    Z, z = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    slopes = np.linalg.lstsq(Z, z, rcond=None)[0]
    left = z - Z @ slopes
    freedom = max(len(z) - X.shape[1] - 1, 1)
    errors = np.sqrt(float(left @ left) / freedom * np.diag(np.linalg.pinv(Z.T @ Z)))
    wide = float(t.ppf(0.5 + CONFIDENCE / 2, freedom))
    return slopes, wide * errors, 1.0 - float(left @ left) / float(z @ z)
