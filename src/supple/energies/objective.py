"""Mean gradients of energies invariant under rigid motions, in a form that conserves energy and angular momentum.

    gbar = V'(m) + R d'/(d' . d'),   m = (x0 + x1)/2, d = x1 - x0, R = V(x1) - V(x0) - V'(m) . d
as Gonzalez (1996), but along d' = d - a - w x m, the step without its rigid part about the midpoint: then sum d' = 0
and sum m x d' = 0, so gbar has no net force and no torque, and d' . d = d' . d', so gbar . d = V(x1) - V(x0). Where d'
= 0 the step is a rotation (Cayley's), V does not change, and R = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.energies.chord import NEGLIGIBLE
from supple.energies.midpoint import correction
from supple.energies.term import EnergyTerm
from supple.errors import StepRejected
from supple.types import Array


@dataclass(frozen=True)
class _Strain:
    """d' of a step, element by element, and its ingredients."""

    c: Array
    """(m, k, 3) m without its mean."""
    d: Array
    """(m, k, 3) d without its mean."""
    inverse: Array
    """(m, 3, 3) inverse of the inertia sum |c|^2 I - c c^T."""
    w: Array
    """(m, 3) rotation w."""
    rest: Array
    """(m, k, 3) d'."""


def _strain(y0: Array, y1: Array) -> _Strain:
    c, d = _centred(0.5 * (y0 + y1)), _centred(y1 - y0)
    square = np.einsum("mai,mai->m", c, c)
    inertia = square[:, None, None] * np.eye(3) - np.einsum("mai,maj->mij", c, c)
    try:
        inverse = np.linalg.inv(inertia)
    except np.linalg.LinAlgError:
        raise StepRejected(
            "the corners of an element are collinear in the middle of a step, so its rotation is undefined; "
            "a smaller time.step may help"
        ) from None
    w = np.einsum("mij,mj->mi", inverse, np.cross(c, d).sum(axis=1))
    return _Strain(c, d, inverse, w, d - np.cross(w[:, None], c))


def _centred(y: Array) -> Array:
    return np.asarray(y - y.mean(axis=1, keepdims=True))


def _slope(strain: _Strain) -> Array:
    """(m, k, 3, k, 3) derivatives of d' with respect to x1: one column per corner b and axis j."""
    m, k = strain.c.shape[:2]
    basis = np.eye(3 * k).reshape(k, 3, 3 * k)
    basis = basis - basis.mean(axis=0)
    dd = np.moveaxis(basis, 2, 0)[None]  # (1, 3k, k, 3)
    dc = 0.5 * dd
    c, d, w = strain.c[:, None], strain.d[:, None], strain.w
    turned = np.cross(dc, d).sum(axis=2) + np.cross(c, dd).sum(axis=2)  # (m, 3k, 3)
    # d(inertia) w = sum 2 (c . dc) w - c (dc . w) - dc (c . w)
    along = 2.0 * np.einsum("mai,sai->ms", strain.c, dc[0])[:, :, None] * w[:, None]
    along -= np.einsum("mai,saj,mj->msi", strain.c, dc[0], w) + np.einsum("sai,maj,mj->msi", dc[0], strain.c, w)
    dw = np.einsum("mij,msj->msi", strain.inverse, turned - along)
    out = dd - np.cross(dw[:, :, None], c) - np.cross(w[:, None, None], dc)
    return np.moveaxis(out, 1, 3).reshape(m, k, 3, k, 3)


class ObjectiveTerm(EnergyTerm):
    """A term whose elements have three or more corners that are not collinear."""

    def _remainder(self, x0: Array, x1: Array, gradient: Array) -> tuple[_Strain, Array, Array]:
        """d', alpha = R/(d' . d') and 1/(d' . d'), or 0 if negligible."""
        _, along, weight = correction(self, x0, x1, gradient)
        R = along / np.where(weight > 0.0, weight, 1.0)
        strain = _strain(x0[self.elements], x1[self.elements])
        square = np.einsum("mai,mai->m", strain.rest, strain.rest)
        size = np.einsum("mai,mai->m", x1[self.elements], x1[self.elements])
        matters = square > NEGLIGIBLE**2 * size
        weight = np.where(matters, 1.0, 0.0) / np.where(matters, square, 1.0)
        return strain, weight * R, weight

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        gradient = self.element_gradients(0.5 * (x0 + x1))
        strain, alpha, _ = self._remainder(x0, x1, gradient)
        return gradient + alpha[:, None, None] * strain.rest

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        middle = 0.5 * (x0 + x1)
        half, gradient = 0.5 * self.element_hessians(middle), self.element_gradients(middle)
        strain, alpha, weight = self._remainder(x0, x1, gradient)
        m, k = half.shape[:2]
        flat, step = strain.rest.reshape(m, k), (x1 - x0)[self.elements].reshape(m, k)
        slope = _slope(strain).reshape(m, k, k)
        # d alpha/dx1 = [V'(x1) - V'(m) - V''(m) d/2 - 2 alpha d' . dd'/dx1] / (d' . d')
        change = (self.element_gradients(x1) - gradient).reshape(m, k) - np.einsum("mij,mj->mi", half, step)
        change -= 2.0 * alpha[:, None] * np.einsum("mi,mij->mj", flat, slope)
        return half + alpha[:, None, None] * slope + flat[:, :, None] * (weight[:, None] * change)[:, None, :]
