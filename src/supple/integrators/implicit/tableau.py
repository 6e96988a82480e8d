"""Tableaus of diagonally implicit Runge-Kutta methods that end with their last stage (stiffly accurate: b is the last row of a).

    Y_i = y0 + h sum_{j <= i} a_ij f(Y_j),  c_i = sum_j a_ij,  y1 = Y_s
The first stage may be explicit, Y_0 = y0. With the slopes of the others expressed by their values a stage becomes
    Y_i = y0 + sum_{0 < j < i} d_ij (Y_j - y0) + e_i h f(y0) + a_ii h f(Y_i)
    d_ij = (a_ij - sum_{j < l < i} d_il a_lj)/a_jj,  e_i = a_i0 - sum_j d_ij a_j0
which never divides a difference by a small h: slopes of stiff motion are large and cancel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from supple.types import Array

EXACT = 1e-14
"""Tolerance of order conditions and row sums."""


class Ratio(NamedTuple):
    """p/q, divided last: h p/q is rounded once less than h (p/q)."""

    p: float
    q: float = 1.0

    @property
    def value(self) -> float:
        return self.p / self.q

    def of(self, h: float) -> float:
        return h * self.p / self.q

    def over(self, other: Ratio) -> float:
        return (self.p * other.q) / (self.q * other.p)


class StageRow(NamedTuple):
    """One implicit stage."""

    c: float
    """Its time as a fraction of the step."""
    k: Ratio
    """a_ii."""
    d: tuple[float, ...]
    """Weights of the implicit stages before it."""
    e: float
    """Weight of the slope at the start."""


@dataclass(frozen=True)
class Tableau:
    """Checks its own consistency: shape, order conditions, stiff accuracy."""

    order: int
    a: tuple[tuple[Ratio | float, ...], ...]
    """Lower triangle, row by row."""
    stages: tuple[StageRow, ...] = field(init=False)
    """The implicit stages."""

    def __post_init__(self) -> None:
        rows = [[entry if isinstance(entry, Ratio) else Ratio(entry) for entry in row] for row in self.a]
        if any(len(row) != i + 1 for i, row in enumerate(rows)):
            raise ValueError("a tableau of a diagonally implicit method has i entries in row i")
        explicit = bool(rows[0][0].value == 0.0)
        if any(row[-1].value <= 0.0 for row in rows[explicit:]):
            raise ValueError("every stage except the first has a positive entry on the diagonal")
        missed = max(map(abs, _order_conditions(_square(rows), self.order)))
        if missed > EXACT:
            raise ValueError(f"the tableau is not of order {self.order}: a condition is missed by {missed:.1e}")
        object.__setattr__(self, "stages", tuple(_by_values(rows, explicit)))

    @property
    def matrix(self) -> Array:
        """(s, s) a with zeros above the diagonal."""
        return _square([[entry if isinstance(entry, Ratio) else Ratio(entry) for entry in row] for row in self.a])

    def amplification(self, z: complex) -> complex:
        """R(z) of y' = z y with h = 1."""
        a = self.matrix
        return complex(np.linalg.solve(np.eye(len(a)) - z * a, np.ones(len(a)))[-1])


def _square(rows: list[list[Ratio]]) -> Array:
    a = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        a[i, : i + 1] = [entry.value for entry in row]
    return a


def _order_conditions(a: Array, order: int) -> list[float]:
    """Violation of the conditions of an order up to 4 by b = a[-1] and c = a 1."""
    b, c = a[-1], a.sum(axis=1)
    by_order = [
        [b.sum() - 1],
        [b @ c - 1 / 2],
        [b @ c**2 - 1 / 3, b @ a @ c - 1 / 6],
        [b @ c**3 - 1 / 4, b @ (c * (a @ c)) - 1 / 8, b @ a @ c**2 - 1 / 12, b @ a @ a @ c - 1 / 24],
    ]
    if not 1 <= order <= len(by_order):
        raise ValueError(f"order conditions are implemented up to {len(by_order)}, found {order}")
    return [float(missed) for conditions in by_order[:order] for missed in conditions]


def _by_values(rows: list[list[Ratio]], explicit: bool) -> list[StageRow]:
    """The implicit stages with their slopes eliminated."""
    found: list[StageRow] = []
    implicit = [row[explicit:] for row in rows[explicit:]]
    first = [row[0].value if explicit else 0.0 for row in rows[explicit:]]
    for i, row in enumerate(implicit):
        d = [0.0] * i
        for j in reversed(range(i)):
            later = sum(d[m] * implicit[m][j].value for m in range(j + 1, i))
            entry = row[j] if later == 0.0 else Ratio(row[j].value - later)
            d[j] = entry.over(implicit[j][j])
        e = first[i] - sum(weight * start for weight, start in zip(d, first, strict=False))
        c = first[i] + sum(entry.value for entry in row)
        found.append(StageRow(_clean(c), row[i], tuple(d), _clean(e)))
    return found


def _clean(number: float) -> float:
    """Without round-off about 0 and 1."""
    return next((whole for whole in (0.0, 1.0) if abs(number - whole) < EXACT), number)
