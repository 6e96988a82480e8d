"""Discrete gradients of a step by the midpoint (Gonzalez 1996), element by element.

    gbar = V'(m) + alpha d,   m = (x0 + x1)/2, d = x1 - x0, alpha = (V(x1) - V(x0) - V'(m) . d)/(d . d)
Energies of degree 2 or less have alpha = 0. This conserves energy, but not angular momentum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.energies.chord import NEGLIGIBLE, REACH, WEIGHT, remainder
from supple.types import Array

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


def mean_gradients(term: EnergyTerm, x0: Array, x1: Array) -> Array:
    """(m, k, 3) gbar."""
    gradient = term.element_gradients(0.5 * (x0 + x1))
    if term.midpoint_is_exact:
        return gradient
    d, alpha, _ = correction(term, x0, x1, gradient)
    return gradient + alpha[:, None, None] * d


def mean_jacobians(term: EnergyTerm, x0: Array, x1: Array) -> Array:
    """(m, 3k, 3k) derivatives of gbar with respect to x1."""
    middle = 0.5 * (x0 + x1)
    half = 0.5 * term.element_hessians(middle)
    if term.midpoint_is_exact:
        return half
    gradient = term.element_gradients(middle)
    d, alpha, weight = correction(term, x0, x1, gradient)
    m, k = half.shape[:2]
    flat = d.reshape(m, k)
    # d alpha/dx1 = [V'(x1) - V'(middle) - V''(middle) d/2 - 2 alpha d] / (d . d)
    slope = (term.element_gradients(x1) - gradient).reshape(m, k) - np.einsum("mij,mj->mi", half, flat)
    slope = weight[:, None] * (slope - 2.0 * alpha[:, None] * flat)
    return half + alpha[:, None, None] * np.eye(k) + flat[:, :, None] * slope[:, None, :]


def correction(term: EnergyTerm, x0: Array, x1: Array, gradient: Array) -> tuple[Array, Array, Array]:
    """d of each element, alpha for the gradient at the midpoint, and 1/(d . d) or 0 if negligible."""
    d, ends = (x1 - x0)[term.elements], x1[term.elements]
    square, span = np.einsum("mai,mai->m", d, d), np.einsum("mai,mai->m", ends, ends)
    matters = square > NEGLIGIBLE**2 * span
    weight = np.where(matters, 1.0, 0.0) / np.where(matters, square, 1.0)
    along = np.einsum("mai,mai->m", gradient, d)
    middle, reach = 0.5 * (x0 + x1), REACH * (x1 - x0)
    ahead, behind = term.element_gradients(middle + reach), term.element_gradients(middle - reach)
    sampled = WEIGHT * np.einsum("mai,mai->m", ahead + behind - 2.0 * gradient, d)
    before, after = term.element_values(x0), term.element_values(x1)
    # a term may subtract energies as large as its curvature times the squared positions
    curvature = np.sqrt(weight * np.einsum("mai,mai->m", ahead - behind, ahead - behind))
    size = np.abs(before) + np.abs(after) + np.abs(along) + curvature * span
    return d, weight * remainder(after - before - along, sampled, size), weight
