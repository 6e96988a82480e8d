"""Mean gradients of pairs over a step, gbar . (x1 - x0) = V1 - V0 to rounding error: energy-exact contact of any shape.

    phi(D):   gbar = Q Dbar,  Q = (phi1 - phi0)/(D1 - D0)
    m phi(D): gbar = (m0 + m1)/2 Q Dbar + (phi0 + phi1)/2 mbar
with Dbar (and mbar) the Gauss-3 mean of the gradient along the step plus a part along the step, without its mean motion,
that closes Dbar . dx = D1 - D0. What is singular, phi, is in the quotient; only the smooth D is integrated, so that the
closing part is tiny. A pair's four forces still add up to zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.linalg.quadrature import gauss
from supple.types import Array

CLOSE = 1e-5
"""Change of D, over its distance from the singularity of phi, below which the quotient comes from 8-point Gauss of phi'."""

Law = Callable[[Array, Array], tuple[Array, Array, Array]]
"""phi and its two derivatives of D and the offset of a pair."""


def mean_slopes(law: Law, D0: Array, D1: Array, offset: Array) -> tuple[Array, Array]:
    """Q and dQ/dD1 of each pair (m,); phi is singular at D = offset^2."""
    change = D1 - D0
    far = np.abs(change) > CLOSE * (np.maximum(D0, D1) - offset**2)
    safe = np.where(far, change, 1.0)
    with np.errstate(invalid="ignore"):
        Q = (law(D1, offset)[0] - law(D0, offset)[0]) / safe
        dQ = (law(D1, offset)[1] - Q) / safe
    near = ~far
    if near.any():
        rule, a, d, xi = gauss(8), D0[near], change[near], offset[near]
        nodes = [(s, w, law(a + s * d, xi)) for s, w in zip(rule.nodes, rule.weights, strict=True)]
        Q[near] = sum(w * f[1] for _, w, f in nodes)
        dQ[near] = sum(w * s * f[2] for s, w, f in nodes)
    return Q, dQ


def mean_of(gradient: Callable[[Array], Array], y0: Array, y1: Array, change: Array) -> Array:
    """(m, 4, 3) mean gradient of a function of the corners that changes by `change` (m,) from y0 to y1 (m, 4, 3)."""
    rule, d = gauss(3), y1 - y0
    mean = sum((w * gradient(y0 + s * d) for s, w in zip(rule.nodes, rule.weights, strict=True)), np.zeros_like(y0))
    inner = d - d.mean(axis=1, keepdims=True)
    square = np.einsum("mai,mai->m", inner, inner)
    missing = change - np.einsum("mai,mai->m", mean, d)
    alpha = np.where(square > 0.0, missing / np.where(square > 0.0, square, 1.0), 0.0)
    return mean + alpha[:, None, None] * inner


def mean_hessian(hessian: Callable[[Array], Array], y0: Array, y1: Array) -> Array:
    """(m, 12, 12) derivative of `mean_of` with respect to y1, but for the closing part."""
    rule, d = gauss(3), y1 - y0
    parts = (w * s * hessian(y0 + s * d) for s, w in zip(rule.nodes, rule.weights, strict=True))
    return np.asarray(sum(parts))
