"""The mean stress of a membrane over a step, which conserves energy and angular momentum (Gonzalez 2000 in the plane).

With strains e = (E11, E22, 2 E12) and the columns F of the deformation, before (0) and after (1) the step:
    Pbar = F_m S,  S = W'(e_m) + alpha B d,  alpha = [W(e1) - W(e0) - W'(e_m) . d] / (d . B d)
    F_m = (F0 + F1)/2,  e_m = (e0 + e1)/2,  d = e1 - e0,  B = diag(1, 1, 1/2), so d . B d = E : E of the change
Pbar : (F1 - F0) = S . d = W1 - W0, since F_m^T (F1 - F0) has the symmetric part E1 - E0. Where W is quadratic alpha = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.energies.chord import REACH, WEIGHT
from supple.energies.solids.strain_form import NEGLIGIBLE, SMALL
from supple.errors import StepRejected
from supple.materials.membranes.membrane import MembraneLaw
from supple.types import Array

B = np.array([1.0, 1.0, 0.5])


@dataclass(frozen=True)
class _Step:
    """S of all triangles and its ingredients; `alpha` is zero where no correction is needed."""

    S: Array
    midpoint: Array
    """W'(e_m)."""
    d: Array
    alpha: Array
    weight: Array
    """1 / (d . B d), zero where alpha is."""


def strains(F: Array) -> Array:
    """(m, 3) e of (m, 3, 2) deformation gradients."""
    f, g = F[:, :, 0], F[:, :, 1]
    square = np.stack([np.einsum("mi,mi->m", a, b) for a, b in ((f, f), (g, g), (f, g))], axis=1)
    return np.asarray((square - [1.0, 1.0, 0.0]) * [0.5, 0.5, 1.0])


def strain_slopes(F: Array) -> Array:
    """(m, 3, 2, 3) G_iac = de_c/dF_ia."""
    f, g, zero = F[:, :, 0], F[:, :, 1], np.zeros((len(F), 3))
    return np.stack([np.stack([f, zero, g], axis=2), np.stack([zero, g, f], axis=2)], axis=2)


def mean_stress(law: MembraneLaw, F0: Array, F1: Array) -> Array:
    """(m, 3, 2) Pbar of steps from F0 to F1."""
    return np.einsum("mia,mab->mib", 0.5 * (F0 + F1), as_matrix(_step(law, strains(F0), strains(F1)).S))


def mean_tangent(law: MembraneLaw, F0: Array, F1: Array) -> Array:
    """(m, 3, 2, 3, 2) derivatives of Pbar with respect to F1; not symmetric."""
    e0, e1 = strains(F0), strains(F1)
    step = _step(law, e0, e1)
    half = 0.5 * law.tangent(0.5 * (e0 + e1))
    # dS = (W''(e_m)/2 + alpha B) de1 + B d dalpha, dalpha = [W'(e1) - W'(e_m) - W''(e_m) d/2 - 2 alpha B d] . de1 / (d . B d)
    slope = law.stress(e1) - step.midpoint - np.einsum("mcd,md->mc", half, step.d)
    slope = step.weight[:, None] * (slope - 2.0 * step.alpha[:, None] * B * step.d)
    dS = half + step.alpha[:, None, None] * np.diag(B) + (B * step.d)[:, :, None] * slope[:, None, :]
    middle, end = strain_slopes(0.5 * (F0 + F1)), strain_slopes(F1)
    out = np.einsum("miac,mcd,mjbd->miajb", middle, dS, end, optimize=True)
    return out + 0.5 * np.einsum("mab,ij->miajb", as_matrix(step.S), np.eye(3))


def as_matrix(S: Array) -> Array:
    """(m, 2, 2) of (m, 3) stresses."""
    return S[:, [[0, 2], [2, 1]]]


def _step(law: MembraneLaw, e0: Array, e1: Array) -> _Step:
    middle, d = 0.5 * (e0 + e1), e1 - e0
    midpoint = law.stress(middle)
    if law.quadratic_in_strain:
        zero = np.zeros(len(d))
        return _Step(midpoint, midpoint, d, zero, zero)
    relative = _norm(d) / _smallest(middle)
    small, matters = relative <= SMALL, relative > NEGLIGIBLE
    reach = np.where(small, REACH, 0.0)[:, None] * d
    sampled = WEIGHT * _dot(law.stress(middle + reach) + law.stress(middle - reach) - 2.0 * midpoint, d)
    with np.errstate(invalid="ignore"):
        difference = law.density(e1) - law.density(e0) - _dot(midpoint, d)
    difference[~np.isfinite(difference)] = np.nan  # infinite energy: NaN, so the solver backtracks
    weight = np.where(matters, 1.0, 0.0) / np.where(matters, _dot(d, B * d), 1.0)
    alpha = weight * np.where(small, sampled, difference)
    return _Step(midpoint + alpha[:, None] * B * d, midpoint, d, alpha, weight)


def _smallest(e: Array) -> Array:
    """Half the smaller eigenvalue of C: how far the strain is from the strain of a triangle without area."""
    mean, half = 0.5 * (e[:, 0] + e[:, 1]), 0.5 * (e[:, 0] - e[:, 1])
    size = 0.5 + mean - np.hypot(half, 0.5 * e[:, 2])
    if not (size > 0.0).all():
        bad = int(np.flatnonzero(~(size > 0.0))[0])
        raise StepRejected(
            f"triangle {bad} has no area, or is not finite, before and after the step, so it has no mean strain; "
            "a smaller time.step may help"
        )
    return np.asarray(size)


def _norm(d: Array) -> Array:
    return np.sqrt(_dot(d, B * d))


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("mc,mc->m", a, b)
