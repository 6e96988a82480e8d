"""Signed distances from a surface g = 0, by its nearest points.

The nearest point c of y satisfies g(c) = 0 and y - c = d n(c), with n = grad g/|grad g|. Each iteration moves c along
the tangent plane by
    (I + d S) step = (I - n n^T)(y - c),  S = (I - n n^T) g'' (I - n n^T)/|grad g|      (Newton's method on the surface)
and by -g/|grad g| along the normal. Then d' = n and d'' = sum_k k/(1 + d k) e e^T over the principal curvatures k, which
are the eigenvalues of S. Where 1 + d k vanishes the nearest point is not unique; curvatures are limited there.

Limits: the search starts at y and finds a local nearest point of the surface. Between two sheets of a surface, or
across a deep valley, this need not be the global one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.formulas.implicit import Implicit
from supple.types import Array

ITERATIONS = 60
LANDINGS = 3
"""First steps, along the gradient only."""
ROUND_OFF = 4e-15
FOCUS = 0.2
"""Lower bound on 1 + d k."""
TINY = 1e-300


@dataclass(frozen=True)
class Foot:
    """The surface relative to points (m, 3)."""

    place: Array
    """(m, 3) nearest points of the surface [m]."""
    distance: Array
    """(m,) signed, negative where g < 0 [m]."""
    normal: Array
    """(m, 3) out of the region where g < 0."""
    bend: Array
    """(m, 3, 3) Hessians of the distance [1/m]."""


@np.errstate(all="ignore")  # an expression may overflow far from its surface: see `ImplicitShape.lost`
def foot(surface: Implicit, y: Array, t: float) -> Foot:
    """Nearest points of all y (m, 3) at a time [s]."""
    c, size = y.copy(), np.abs(y).max(initial=1e-3)
    going = np.arange(len(y))
    for k in range(ITERATIONS):
        at = _Local.of(surface, c[going], t)
        r = y[going] - c[going]
        move = at.along(r) if k >= LANDINGS else np.zeros_like(r)
        far = np.sqrt(np.einsum("mi,mi->m", move, move))
        longest = np.sqrt(np.einsum("mi,mi->m", r, r))
        move *= (np.minimum(far, longest) / np.maximum(far, TINY))[
            :, None
        ]  # no further than the distance to the surface
        move -= at.above[:, None] * at.normal
        c[going] += move
        if k >= LANDINGS:
            going = going[np.abs(move).max(axis=1, initial=0.0) > ROUND_OFF * size]
        if not len(going):
            break
    at = _Local.of(surface, c, t)
    d = np.einsum("mi,mi->m", y - c, at.normal)
    return Foot(c, d, at.normal, at.bend(d))


@dataclass(frozen=True)
class _Local:
    """A surface near points: their height above it, its normal, principal curvatures and their axes (columns)."""

    above: Array
    normal: Array
    k: Array
    axes: Array

    @classmethod
    def of(cls, surface: Implicit, c: Array, t: float) -> _Local:
        g, slope, H = surface.all_at(c, t)
        slope, H = (np.nan_to_num(part, posinf=0.0, neginf=0.0) for part in (slope, H))
        steep = np.sqrt(np.einsum("mi,mi->m", slope, slope))
        n = np.where(steep[:, None] > 0.0, slope, [0.0, 0.0, 1.0]) / np.where(steep > 0.0, steep, 1.0)[:, None]
        above = np.nan_to_num(g / np.where(steep > 0.0, steep, np.inf), posinf=0.0, neginf=0.0)
        P = np.eye(3) - n[:, :, None] * n[:, None, :]
        S = P @ H @ P / np.where(steep > 0.0, steep, np.inf)[:, None, None]
        k, axes = np.linalg.eigh(0.5 * (S + np.swapaxes(S, 1, 2)))
        return cls(above, n, k, axes)

    def along(self, r: Array) -> Array:
        """The step (I + d S)^-1 (I - n n^T) r in the tangent plane, d = n . r."""
        d = np.einsum("mi,mi->m", r, self.normal)
        across = np.einsum("mia,mi->ma", self.axes, r) / np.maximum(1.0 + d[:, None] * self.k, FOCUS)
        move = np.einsum("mia,ma->mi", self.axes, across)
        move -= np.einsum("mi,mi->m", move, self.normal)[:, None] * self.normal
        return np.asarray(move)

    def bend(self, d: Array) -> Array:
        """Hessians of the distance at the height d above."""
        curved = self.k / np.maximum(1.0 + d[:, None] * self.k, FOCUS)
        return np.einsum("mia,ma,mja->mij", self.axes, curved, self.axes)
