"""Densities, stresses and tangents of the shipped materials, derived by hand: what the formulas must give.

`Hand(psi, P, C)` by NumPy over arrays F (m, 3, 3); `exact` evaluates a density with 60 digits.
"""

from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any, NamedTuple

import numpy as np
from stretch_references import STRETCH_HANDS, exact_by_stretches, exact_stretches

from supple.types import Array

EYE = np.eye(3)
UNIT = np.einsum("ik,jl->ijkl", EYE, EYE)


class Hand(NamedTuple):
    psi: Array
    P: Array
    C: Array


class Parts:
    """Variables of the derivations."""

    def __init__(self, F: Array) -> None:
        self.F, self.J = F, np.linalg.det(F)
        self.A = np.swapaxes(np.linalg.inv(F), 1, 2)  # F^-T
        self.gram, self.B = np.swapaxes(F, 1, 2) @ F, F @ np.swapaxes(F, 1, 2)
        self.I1 = np.einsum("mij,mij->m", F, F)
        self.I2 = 0.5 * (self.I1**2 - np.einsum("mij,mij->m", self.B, self.B))
        self.AA = outer(self.A, self.A)
        self.turn = np.einsum("mil,mkj->mijkl", self.A, self.A)  # -dA_ij/dF_kl


def outer(a: Array, b: Array) -> Array:
    return np.einsum("mij,mkl->mijkl", a, b)


def times(scalar: Array | float, tensor: Array) -> Array:
    """A number for each element, times its matrix or tensor."""
    return np.reshape(scalar, (-1, *[1] * (tensor.ndim - 1))) * tensor


def stvk(F: Array, mu: float, lam: float) -> Hand:
    p = Parts(F)
    E = 0.5 * (p.gram - EYE)
    trace = np.einsum("mii->m", E)
    S = 2 * mu * E + times(lam * trace, EYE[None])
    C = lam * outer(F, F) + np.einsum("ik,mjl->mijkl", EYE, S)
    C += mu * (np.einsum("mil,mkj->mijkl", F, F) + np.einsum("jl,mik->mijkl", EYE, p.B))
    return Hand(mu * np.einsum("mij,mij->m", E, E) + 0.5 * lam * trace**2, F @ S, C)


def linear(F: Array, mu: float, lam: float) -> Hand:
    e = 0.5 * (F + np.swapaxes(F, 1, 2)) - EYE
    trace = np.einsum("mii->m", e)
    C = mu * (UNIT + np.einsum("il,jk->ijkl", EYE, EYE)) + lam * np.einsum("ij,kl->ijkl", EYE, EYE)
    psi = mu * np.einsum("mij,mij->m", e, e) + 0.5 * lam * trace**2
    return Hand(psi, 2 * mu * e + times(lam * trace, EYE[None]), np.tile(C, (len(F), 1, 1, 1, 1)))


def neo_hookean(F: Array, mu: float, lam: float) -> Hand:
    p = Parts(F)
    log = np.log(p.J)
    psi = 0.5 * mu * (p.I1 - 3) - mu * log + 0.5 * lam * log**2
    C = mu * UNIT + lam * p.AA + times(mu - lam * log, p.turn)
    return Hand(psi, mu * (F - p.A) + times(lam * log, p.A), C)


def stable_neo_hookean(F: Array, mu: float, lam: float) -> Hand:
    p = Parts(F)
    grow, bulk = p.J - 1, lam + mu
    slope = bulk * grow - mu
    psi = 0.5 * mu * (p.I1 - 3) - mu * grow + 0.5 * bulk * grow**2
    C = mu * UNIT + bulk * times(p.J**2, p.AA) + times(slope * p.J, p.AA - p.turn)
    return Hand(psi, mu * F + times(slope * p.J, p.A), C)


def stable_neo_hookean_log(F: Array, mu: float, lam: float) -> Hand:
    p = Parts(F)
    a, b = 4 / 3 * mu, lam + 5 / 6 * mu
    c = 1 + 0.75 * a / b
    slope = b * (p.J - c)
    soft = a * (1 - 1 / (p.I1 + 1))
    psi = 0.5 * a * (p.I1 - 3 - np.log((p.I1 + 1) / 4)) + 0.5 * b * (p.J - c) ** 2 - 0.5 * b * (1 - c) ** 2
    C = times(soft, UNIT[None]) + times(2 * a / (p.I1 + 1) ** 2, outer(F, F))
    C += b * times(p.J**2, p.AA) + times(slope * p.J, p.AA - p.turn)
    return Hand(psi, times(soft, F) + times(slope * p.J, p.A), C)


def mooney_rivlin(F: Array, c1: float, c2: float, bulk: float) -> Hand:
    # J^q I has the gradient J^q (D + q I A), D = dI/dF
    p = Parts(F)
    root = p.J ** (-2 / 3)
    D1, D2 = 2 * F, 2 * (times(p.I1, F) - p.B @ F)
    second = 2 * outer(F, F) + times(p.I1, UNIT[None]) - np.einsum("ik,mjl->mijkl", EYE, p.gram)
    second -= np.einsum("mil,mkj->mijkl", F, F) + np.einsum("jl,mik->mijkl", EYE, p.B)
    grow = p.J - 1
    psi = c1 * (root * p.I1 - 3) + c2 * (root**2 * p.I2 - 3) + 0.5 * bulk * grow**2
    P, C = times(bulk * grow * p.J, p.A), times(bulk * p.J * (2 * p.J - 1), p.AA) - times(bulk * p.J * grow, p.turn)
    for weight, q, invariant, D, bend in (
        (c1 * root, -2 / 3, p.I1, D1, 2 * UNIT[None]),
        (c2 * root**2, -4 / 3, p.I2, D2, 2 * second),
    ):
        P = P + times(weight, D + times(q * invariant, p.A))
        mixed = q * (outer(D, p.A) + outer(p.A, D))
        C = C + times(weight, bend + mixed + times(q * invariant, q * p.AA - p.turn))
    return Hand(psi, P, C)


def modified_neo_hookean(F: Array, mu: float, kappa: float) -> Hand:
    return mooney_rivlin(F, mu, 0.0, kappa)


HANDS: dict[str, Callable[..., Hand]] = {
    "stvk": stvk,
    "linear": linear,
    "neo-hookean": neo_hookean,
    "stable-neo-hookean": stable_neo_hookean,
    "stable-neo-hookean-log": stable_neo_hookean_log,
    "mooney-rivlin": mooney_rivlin,
    "modified-neo-hookean": modified_neo_hookean,
    **{name: lambda F, derive=derive, **c: Hand(*derive(F, **c)) for name, derive in STRETCH_HANDS.items()},
}


def exact(name: str, F: Array, constants: dict[str, float]) -> float:
    """The density of one F with 60 digits."""
    with localcontext(prec=60):
        f = [[Decimal(float(F[i, j])) for j in range(3)] for i in range(3)]
        return float(_exact(name, f, **{key: Decimal(float(value)) for key, value in constants.items()}))


def _exact(name: str, f: list[list[Decimal]], **c: Any) -> Decimal:
    C = [[sum((f[k][i] * f[k][j] for k in range(3)), Decimal(0)) for j in range(3)] for i in range(3)]
    I1, square = C[0][0] + C[1][1] + C[2][2], sum(C[i][j] ** 2 for i in range(3) for j in range(3))
    I2 = (I1**2 - square) / 2
    J = sum(f[0][i] * (f[1][(i + 1) % 3] * f[2][(i + 2) % 3] - f[1][(i + 2) % 3] * f[2][(i + 1) % 3]) for i in range(3))
    third = Decimal(1) / 3
    if name in STRETCH_HANDS:
        return exact_by_stretches(name, exact_stretches(C), c)
    if name == "stvk":
        return c["mu"] * (square - 2 * I1 + 3) / 4 + c["lam"] / 8 * (I1 - 3) ** 2
    if name == "linear":
        e = [[(f[i][j] + f[j][i]) / 2 - (i == j) for j in range(3)] for i in range(3)]
        trace = e[0][0] + e[1][1] + e[2][2]
        return c["mu"] * sum(e[i][j] ** 2 for i in range(3) for j in range(3)) + c["lam"] / 2 * trace**2
    if name == "neo-hookean":
        return c["mu"] / 2 * (I1 - 3) - c["mu"] * J.ln() + c["lam"] / 2 * J.ln() ** 2
    if name == "stable-neo-hookean":
        return c["mu"] / 2 * (I1 - 3) - c["mu"] * (J - 1) + (c["lam"] + c["mu"]) / 2 * (J - 1) ** 2
    if name == "stable-neo-hookean-log":
        a, b = 4 * third * c["mu"], c["lam"] + Decimal(5) / 6 * c["mu"]
        shift = 1 + 3 * a / (4 * b)
        return a / 2 * (I1 - 3 - ((I1 + 1) / 4).ln()) + b / 2 * ((J - shift) ** 2 - (1 - shift) ** 2)
    c1, c2, bulk = (c["mu"], Decimal(0), c["kappa"]) if name == "modified-neo-hookean" else c.values()
    return c1 * (J ** (-2 * third) * I1 - 3) + c2 * (J ** (-4 * third) * I2 - 3) + bulk / 2 * (J - 1) ** 2
