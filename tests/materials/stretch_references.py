"""Materials in principal stretches derived by hand: psi_a and psi_ab of each, and the corotated kernel of earlier versions.

`by_stretches` turns them into stress and tangent in the frames of NumPy's singular value decomposition; `exact_stretches`
finds the stretches with as many digits as the decimal context has.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np

from supple.types import Array

Derived = tuple[Array, Array, Array]
"""psi (m,), psi_a (m, 3), psi_ab (m, 3, 3)."""


def signed_svd(F: Array) -> tuple[Array, Array, Array]:
    """F = U diag(s) V^T with rotations U and V."""
    U, s, Vt = np.linalg.svd(F)
    V = np.swapaxes(Vt, 1, 2).copy()
    for Q in (U, V):
        sign = np.linalg.det(Q)
        Q[:, :, 2] *= sign[:, None]
        s[:, 2] *= sign
    return U, s, V


def by_stretches(F: Array, derived: Callable[[Array], Derived]) -> Derived:
    """psi (m,), P (m, 3, 3), dP/dF (m, 3, 3, 3, 3), for stretches that are well apart."""
    U, s, V = signed_svd(F)
    psi, slopes, bends = derived(s)
    C = np.zeros((len(F), 3, 3, 3, 3))
    for a in range(3):
        for b in range(3):
            C[:, a, a, b, b] += bends[:, a, b]
            if a != b:
                apart = (slopes[:, a] - slopes[:, b]) / (s[:, a] - s[:, b])
                along = (slopes[:, a] + slopes[:, b]) / (s[:, a] + s[:, b])
                C[:, a, b, a, b] += 0.5 * (apart + along)
                C[:, a, b, b, a] += 0.5 * (apart - along)
    P = np.einsum("mia,ma,mja->mij", U, slopes, V)
    return psi, P, np.einsum("mia,mjb,mabcd,mkc,mld->mijkl", U, V, C, U, V, optimize=True)


def corotated(F: Array, mu: float, lam: float = 0.0) -> Derived:
    """P = 2 mu (F - R) + lam tr(S - I) R, with dR = sum_m T_m (T_m : dF)/(s_j + s_k), T_m = U [e_m]x V^T."""
    U, s, V = signed_svd(F)
    R = U @ np.swapaxes(V, 1, 2)
    grow = s.sum(axis=1) - 3.0
    psi = mu * ((s - 1.0) ** 2).sum(axis=1) + 0.5 * lam * grow**2
    P = 2.0 * mu * (F - R) + (lam * grow)[:, None, None] * R
    C = lam * np.einsum("mij,mkl->mijkl", R, R) + 2.0 * mu * np.einsum("ik,jl->ijkl", np.eye(3), np.eye(3))
    for m in range(3):
        a, b = (m + 1) % 3, (m + 2) % 3
        T = np.einsum("mi,mj->mij", U[:, :, b], V[:, :, a]) - np.einsum("mi,mj->mij", U[:, :, a], V[:, :, b])
        C += ((lam * grow - 2.0 * mu) / (s[:, a] + s[:, b]))[:, None, None, None, None] * np.einsum(
            "mij,mkl->mijkl", T, T
        )
    return psi, P, C


def _diagonal(values: Array) -> Array:
    return values[:, :, None] * np.eye(3)


def _outer(a: Array) -> Array:
    return a[:, :, None] * a[:, None, :]


def hencky(F: Array, mu: float, lam: float) -> Derived:
    def derived(s: Array) -> Derived:
        log, volume = np.log(s), np.log(s).sum(axis=1, keepdims=True)
        psi = mu * (log**2).sum(axis=1) + 0.5 * lam * volume[:, 0] ** 2
        pull = 2.0 * mu * log + lam * volume
        return psi, pull / s, _diagonal((2.0 * mu - pull) / s**2) + lam * _outer(1.0 / s)

    return by_stretches(F, derived)


def ogden(F: Array, bulk: float, **constants: float) -> Derived:
    def derived(s: Array) -> Derived:
        J = s.prod(axis=1)[:, None]
        psi, slopes = 0.5 * bulk * (J[:, 0] - 1.0) ** 2, bulk * (J - 1.0) * J / s
        bends = (bulk * J * (2.0 * J - 1.0))[:, :, None] * _outer(1.0 / s) - _diagonal(bulk * (J - 1.0) * J / s**2)
        for k in "123":
            mu, alpha = constants[f"mu{k}"], constants[f"alpha{k}"]
            powers = J ** (-alpha / 3.0) * s**alpha
            mean = powers.mean(axis=1, keepdims=True)
            # d powers_a / d log s_b = alpha powers_a (d_ab - 1/3)
            pull = mu * (powers - mean)
            inner = mu * alpha * (_diagonal(powers) - (powers[:, :, None] + powers[:, None, :] - mean[:, :, None]) / 3)
            psi, slopes = psi + mu / alpha * (powers.sum(axis=1) - 3.0), slopes + pull / s
            bends = bends + inner * _outer(1.0 / s) - _diagonal(pull / s**2)
        return psi, slopes, bends

    return by_stretches(F, derived)


def hyperfoam(F: Array, **constants: float) -> Derived:
    def derived(s: Array) -> Derived:
        J, none = s.prod(axis=1)[:, None], np.zeros(len(s))
        psi, slopes, bends = none, np.zeros_like(s), np.zeros((len(s), 3, 3))
        for k in "123":
            mu, alpha, beta = (constants[f"{name}{k}"] for name in ("mu", "alpha", "beta"))
            shrink = J ** (-alpha * beta)
            volume = -alpha * np.log(J[:, 0]) if beta == 0.0 else (shrink[:, 0] - 1.0) / beta
            pull = 2.0 * mu / alpha * (s**alpha - shrink)
            inner = 2.0 * mu * (_diagonal(s**alpha) + beta * shrink[:, :, None])
            psi, slopes = psi + 2.0 * mu / alpha**2 * ((s**alpha).sum(axis=1) - 3.0 + volume), slopes + pull / s
            bends = bends + inner * _outer(1.0 / s) - _diagonal(pull / s**2)
        return psi, slopes, bends

    return by_stretches(F, derived)


STRETCH_HANDS: dict[str, Callable[..., Derived]] = {
    "arap": corotated,
    "corotated": corotated,
    "hencky": hencky,
    "hyperfoam": hyperfoam,
    "ogden": ogden,
}


def exact_stretches(C: list[list[Decimal]]) -> list[Decimal]:
    """Square roots of the eigenvalues of F^T F by Jacobi's method."""
    C = [row.copy() for row in C]
    for _ in range(12):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if C[p][q] == 0:
                continue
            d = C[q][q] - C[p][p]
            root = (d * d + 4 * C[p][q] ** 2).sqrt()
            t = 2 * C[p][q] / (d + root if d >= 0 else d - root)
            c = 1 / (1 + t * t).sqrt()
            for columns in (False, True):
                for r in range(3):
                    at = ((r, p), (r, q)) if columns else ((p, r), (q, r))
                    a, b = (C[i][j] for i, j in at)
                    for (i, j), value in zip(at, (c * (a - t * b), c * (t * a + b)), strict=True):
                        C[i][j] = value
    return [C[i][i].sqrt() for i in range(3)]


def exact_by_stretches(name: str, s: list[Decimal], c: dict[str, Any]) -> Decimal:
    """The density with the digits of the decimal context."""
    J, log = s[0] * s[1] * s[2], [a.ln() for a in s]
    if name in ("arap", "corotated"):
        return c["mu"] * sum((a - 1) ** 2 for a in s) + c.get("lam", Decimal(0)) / 2 * (sum(s) - 3) ** 2
    if name == "hencky":
        return c["mu"] * sum(a * a for a in log) + c["lam"] / 2 * sum(log) ** 2
    total = c["bulk"] / 2 * (J - 1) ** 2 if name == "ogden" else Decimal(0)
    for k in "123":
        mu, alpha = c[f"mu{k}"], c[f"alpha{k}"]
        if name == "ogden":
            total += mu / alpha * (sum((alpha * (a - sum(log) / 3)).exp() for a in log) - 3)
        elif mu != 0:
            beta = c[f"beta{k}"]
            volume = ((-alpha * beta * sum(log)).exp() - 1) / beta
            total += 2 * mu / alpha**2 * (sum((alpha * a).exp() for a in log) - 3 + volume)
    return total
