"""Identifiability of unknowns: standard errors and correlations from the Jacobian of the residuals.

    C = s^2 (J^T J)^-1,   s^2 = |r|^2/(N - p)
It treats residuals as independent noise. Model errors are not noise, so true errors may be larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.types import Array

FAINT = 1e-5
"""Singular value of J in units of the unknowns, over the largest, below which a combination is not determined by the data."""
SHARE = 0.5
"""Component of a unit combination above which an unknown is named."""


@dataclass(frozen=True, eq=False)
class Certainty:
    """Certainty of the unknowns of a fit."""

    errors: Array
    """(p,) standard errors; nan if unknown, inf if the data do not determine them."""
    correlation: Array
    """(p, p); nan where errors are."""
    open: tuple[str, ...] = ()
    """Unknowns that the data cannot identify, with the reason."""


def certainty(J: Array, r: Array, names: Sequence[str], values: Sequence[float], slopes: Array) -> Certainty:
    """From J (N, p) with respect to scaled variables, and residuals (N,)."""
    p = len(names)
    small = np.linalg.qr(J, mode="r") if len(J) > p else J
    _, found, Vt = np.linalg.svd(small, full_matrices=True)
    s = np.zeros(p)
    s[: len(found)] = found
    top = s.max(initial=0.0)
    faint = s <= FAINT * top if top > 0.0 else np.ones(len(s), dtype=bool)
    variance = float(r @ r) / max(len(r) - p, 1)
    inverse = np.where(faint, np.inf, 1.0 / np.maximum(s, 1e-150) ** 2)
    parts = Vt.T**2
    errors = np.sqrt(variance * np.array([_sum(row, inverse) for row in parts])) * np.abs(slopes)
    errors = errors if len(r) > p else np.full(p, np.nan)
    solid = np.where(faint, 0.0, 1.0 / np.maximum(s, 1e-150) ** 2)
    C = (Vt.T * solid) @ Vt
    width = np.sqrt(np.diag(C))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = C / np.outer(width, width)
    return Certainty(errors, correlation, tuple(_open(J, Vt, faint, names, values, errors)))


def _sum(row: Array, inverse: Array) -> float:
    """Components that vanish to round-off do not count, even if the variance is infinite."""
    return float(sum(a * b for a, b in zip(row, inverse, strict=True) if a > 1e-8))


def _open(J: Array, Vt: Array, faint: Array, names: Sequence[str], values: Sequence[float], errors: Array) -> list[str]:
    found: dict[str, str] = {}
    for name, column in zip(names, J.T, strict=True):
        if not np.abs(column).max(initial=0.0) > 0.0:
            found[name] = f"{name}: does not affect the compared quantities; the data cannot identify it"
    for row in Vt[faint]:
        mixed = [
            names[k] for k in np.flatnonzero(np.abs(row) > SHARE * np.abs(row).max()).tolist() if names[k] not in found
        ]
        if mixed:
            said = "the data cannot identify it" if len(mixed) == 1 else "the data determine only combinations of them"
            found[mixed[0]] = f"{', '.join(mixed)}: {said}"
    named = " ".join(found.values())
    for name, value, error in zip(names, values, errors, strict=True):
        if name not in named and np.isfinite(error) and error > abs(value):
            found[name] = (
                f"{name}: its standard error {error:.2g} is above its value {value:.4g}; the data cannot identify it"
            )
    return list(found.values())
