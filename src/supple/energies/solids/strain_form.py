"""The mean stress of a step that conserves energy and angular momentum, for densities W of C = F^T F (Gonzalez 2000).

    Pbar = F_m S,  S = 2 W'(C_m) + 2 alpha D,  alpha = [W(C1) - W(C0) - W'(C_m) : D] / (D : D)
    F_m = (F0 + F1)/2,  C_m = (C0 + C1)/2,  D = C1 - C0
F_m^T (F1 - F0) has the symmetric part D/2, so Pbar : (F1 - F0) = S : D/2 = W1 - W0. S is symmetric, so Pbar exerts no
torque. Where W is quadratic in C (St. Venant-Kirchhoff; Simo and Tarnow 1992) alpha vanishes.

W' follows from the material's stress at a factor U of C_m = U^T U: 2 W' = U^-1 P(U), with det U < 0 where the element
is inverted before and after the step. Along dC: dU = U^-T dC/2, d(2 W') = U^-1 (dP/dF : dU - dU 2 W').
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.energies.chord import REACH, WEIGHT
from supple.errors import StepRejected
from supple.materials.material import Material
from supple.types import Array

SMALL = 1e-2
"""|D| |C_m^-1| below which alpha is computed by Gauss-3, whose error (4e-4 of the seventh power) is below round-off;
above it the difference of energies has lost at most two digits."""
NEGLIGIBLE = 1e-7
"""|D| |C_m^-1| below which alpha D, of second order, is below round-off."""

FLAT = (
    "an element is flat, or not finite, before and after the step, so it has no mean strain; "
    "a smaller time.step may help"
)


@dataclass(frozen=True)
class _Step:
    """S of all elements and its ingredients; `alpha` is zero where no correction is needed."""

    S: Array
    midpoint: Array
    """2 W'(C_m)."""
    D: Array
    alpha: Array
    weight: Array
    """1 / (D : D), zero where alpha is."""


def mean_stress(material: Material, F0: Array, F1: Array) -> Array:
    """(m, 3, 3) Pbar of steps from F0 to F1."""
    step = _exact(material, F0, F1) if material.quadratic_in_strain else _corrected(material, F0, F1)
    return 0.5 * (F0 + F1) @ step.S


def mean_tangent(material: Material, F0: Array, F1: Array) -> Array:
    """(m, 3, 3, 3, 3) derivatives of Pbar with respect to F1; not symmetric."""
    if material.quadratic_in_strain:
        step, slope = _exact(material, F0, F1), _rest_slope(material, len(F0))
    else:
        step = _corrected(material, F0, F1)
        slope = _slope(material, _factor(_mean_C(F0, F1), F0, F1), step.midpoint)
    # dS = (slope/2 + 2 alpha) : dC + 2 D dalpha with dC = F1^T dF + dF^T F1
    dS = np.einsum("mijkl,mpk->mijpl", slope, F1)
    if step.alpha.any():
        twice = 2.0 * step.alpha[:, None, None, None, None]
        eye = np.eye(3)
        dS += twice * (np.einsum("mpi,jl->mijpl", F1, eye) + np.einsum("mpj,il->mijpl", F1, eye))
        dS += 2.0 * np.einsum("mij,mpl->mijpl", step.D, _alpha_slope(material, F1, step, slope))
    out = np.einsum("mik,mkjpl->mijpl", 0.5 * (F0 + F1), dS)
    out += 0.5 * np.einsum("ip,mlj->mijpl", np.eye(3), step.S)
    return out


def refuse_flat(count: int) -> None:
    """Raise if any element has no mean strain."""
    if count:
        raise StepRejected(FLAT)


def _mean_C(F0: Array, F1: Array) -> Array:
    """C_m."""
    return 0.5 * (_C(F0) + _C(F1))


def _C(F: Array) -> Array:
    return np.swapaxes(F, 1, 2) @ F


def _exact(material: Material, F0: Array, F1: Array) -> _Step:
    """2 W' is linear in C: its value and slope at the rest state determine it, even for flat elements."""
    rest = _rest(len(F0))
    change = np.einsum("mijkl,mkl->mij", _rest_slope(material, len(F0)), _mean_C(F0, F1) - rest)
    S, zero = material.stress(rest) + change, np.zeros(len(F0))
    return _Step(S, S, _C(F1) - _C(F0), zero, zero)


def _rest(m: int) -> Array:
    return np.tile(np.eye(3), (m, 1, 1))


def _rest_slope(material: Material, m: int) -> Array:
    return _slope(material, _rest(m), material.stress(_rest(m)))


def _corrected(material: Material, F0: Array, F1: Array) -> _Step:
    Cm, D = _mean_C(F0, F1), _C(F1) - _C(F0)
    U = _factor(Cm, F0, F1)
    midpoint = _second(material, U)
    relative = _norm(D) * _norm(np.linalg.inv(Cm))
    small, matters = relative <= SMALL, relative > NEGLIGIBLE
    reach = np.where(small, REACH, 0.0)[:, None, None] * D
    ahead, behind = (_second(material, _factor(Cm + way * reach, F0, F1)) for way in (1.0, -1.0))
    sampled = 0.5 * WEIGHT * np.einsum("mij,mij->m", ahead + behind - 2.0 * midpoint, D)
    with np.errstate(invalid="ignore"):
        difference = material.density(F1) - material.density(F0) - 0.5 * np.einsum("mij,mij->m", midpoint, D)
    difference[~np.isfinite(difference)] = np.nan  # infinite energy: NaN, so the solver backtracks
    weight = np.where(matters, 1.0, 0.0) / np.where(matters, np.einsum("mij,mij->m", D, D), 1.0)
    alpha = weight * np.where(small, sampled, difference)
    return _Step(midpoint + 2.0 * alpha[:, None, None] * D, midpoint, D, alpha, weight)


def _alpha_slope(material: Material, F1: Array, step: _Step, slope: Array) -> Array:
    """d alpha/dF1 = [P1 - F1 (2 W'(C_m) + D : slope/2 + 4 alpha D)] / (D : D)."""
    change = step.midpoint + 0.5 * np.einsum("mij,mijkl->mkl", step.D, slope) + 4.0 * step.alpha[:, None, None] * step.D
    return step.weight[:, None, None] * (material.stress(F1) - F1 @ change)


def _factor(C: Array, F0: Array, F1: Array) -> Array:
    """U with U^T U = C and the orientation that the element keeps."""
    try:
        upper = np.swapaxes(np.linalg.cholesky(C), 1, 2)
    except np.linalg.LinAlgError:
        raise StepRejected(FLAT) from None
    inverted = (np.linalg.det(F0) < 0.0) & (np.linalg.det(F1) < 0.0)
    return np.where(inverted[:, None, None], -upper, upper)


def _second(material: Material, U: Array) -> Array:
    """U^-1 P(U), symmetrised, since round-off would rotate the body."""
    S = np.linalg.inv(U) @ material.stress(U)
    return 0.5 * (S + np.swapaxes(S, 1, 2))


def _slope(material: Material, U: Array, S: Array) -> Array:
    """(m, 3, 3, 3, 3) d(2 W')_ij/dC_kl at C = U^T U, symmetric in k and l."""
    V = np.linalg.inv(U)
    stiff = np.einsum("mip,mpjrl,mkr->mijkl", V, material.tangent(U), V, optimize=True)
    turn = np.einsum("mip,mkp,mlj->mijkl", V, V, S, optimize=True)
    half = 0.5 * (stiff - turn)
    return 0.5 * (half + np.swapaxes(half, 3, 4))


def _norm(A: np.ndarray) -> Array:
    return np.asarray(np.sqrt(np.einsum("mij,mij->m", A, A)))
