"""The variables of energy densities, as functions of the deformation gradient F.

    I1 = tr C,  I2 = (I1^2 - tr C^2)/2 = |cof F|^2,  J = det F            with C = F^T F
    E11, E22, E33, E12, E13, E23 of Green's strain E = (C - I)/2          (shears are entries of the matrix: E12 = E21)
    F11, F12 ... F33
    I4 = |F a|^2, I6 = |F b|^2                                            with unit vectors a, b along fibres at rest
Each is its value at rest plus a deviation, written in H = F - I to keep the digits of small strains:
    i1 = 2 tr H + |H|^2,   j = det F - 1 = tr H + tr cof H + det H,   i2 = 2 tr K + |K|^2 with K = cof F - I,
    i4 = 2 a.Ha + |Ha|^2
Derivatives with respect to F, with G = cof F: dI1 = 2 F, dJ = G, dI2 = 2 (I1 F - F C), dE_ab = (d_ja F_ib + d_jb
F_ia)/2, dI4 = 2 (F a) a^T.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from supple.formulas.graph import ONE, ZERO, Node, leaf

Matrix = list[list[Node]]
AXES = range(3)
ENTRIES = tuple(f"F{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))
"""Names of the entries of F, row by row."""
FIBRES = {"fibre": "I4", "fibre2": "I6"}
"""Fibre directions, and the squared stretch along each."""


@dataclass(frozen=True)
class Variable:
    """A quantity that is `rest` + `deviation`; a density sees the deviation as a leaf named `short`."""

    short: str
    rest: float
    deviation: Node
    slopes: tuple[Node, ...]
    """Derivatives with respect to the nine entries of F."""
    degree: int
    """Degree as a polynomial in F."""
    strain_degree: int | None
    """Degree as a polynomial in C; None: not a polynomial."""


@cache
def variables() -> dict[str, Variable]:
    """All variables by name."""
    F: Matrix = [[leaf(f"F{i + 1}{j + 1}") for j in AXES] for i in AXES]
    H = [[F[i][j] - 1.0 if i == j else F[i][j] for j in AXES] for i in AXES]
    C = [[total(F[k][i] * F[k][j] for k in AXES) for j in AXES] for i in AXES]
    G, K = _cofactors(F), _cofactors(H)
    for i in AXES:  # cof(I + H) = I + (tr H) I - H^T + cof H
        for j in AXES:
            others = [H[k][k] for k in AXES if k != i]
            K[i][j] = total(others) + K[i][j] if i == j else K[i][j] - H[j][i]
    I1 = C[0][0] + C[1][1] + C[2][2]
    i1, i2 = (2.0 * _trace(A) + _square(A) for A in (H, K))
    minors = _cofactors(H)
    dilation = _trace(H) + (_trace(minors) + total(H[0][k] * minors[0][k] for k in AXES))
    FC = [[total(F[i][k] * C[k][n] for k in AXES) for n in AXES] for i in AXES]
    found = {
        "I1": Variable("i1", 3.0, i1, _flat([[2.0 * F[i][n] for n in AXES] for i in AXES]), 2, 1),
        "I2": Variable("i2", 3.0, i2, _flat([[2.0 * (I1 * F[i][n] - FC[i][n]) for n in AXES] for i in AXES]), 4, 2),
        "J": Variable("j", 1.0, dilation, _flat(G), 3, None),
    }
    for key, name in FIBRES.items():
        found[name] = _along(F, H, name.lower(), [leaf(entry) for entry in direction(key)])
    for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        found[f"E{a + 1}{b + 1}"] = _strain(F, H, a, b)
    for r, name in enumerate(ENTRIES):
        slopes = tuple(ONE if r == c else ZERO for c in range(9))
        found[name] = Variable(f"h{name[1:]}", float(r % 4 == 0), H[r // 3][r % 3], slopes, 1, None)
    return found


def direction(key: str) -> tuple[str, ...]:
    """Names of the three constants of a direction, not available for user constants."""
    return tuple(f"{key}[{k}]" for k in AXES)


DIRECTIONS = frozenset(name for key in FIBRES for name in direction(key))
"""All constants that are components of directions."""


def _along(F: Matrix, H: Matrix, short: str, a: list[Node]) -> Variable:
    Fa, Ha = ([total(row[n] * a[n] for n in AXES) for row in A] for A in (F, H))
    deviation = 2.0 * total(a[k] * Ha[k] for k in AXES) + total(entry * entry for entry in Ha)
    return Variable(short, 1.0, deviation, _flat([[2.0 * (Fa[i] * a[n]) for n in AXES] for i in AXES]), 2, 1)


def _strain(F: Matrix, H: Matrix, a: int, b: int) -> Variable:
    """E_ab = (H_ab + H_ba + sum_k H_ka H_kb)/2."""
    name = f"E{a + 1}{b + 1}"
    half = 0.5 * total(H[k][a] * H[k][b] for k in AXES)
    deviation = H[a][a] + half if a == b else 0.5 * (H[a][b] + H[b][a]) + half
    slopes = [[ZERO] * 3 for _ in AXES]
    for i in AXES:
        if a == b:
            slopes[i][a] = F[i][a]
        else:
            slopes[i][a], slopes[i][b] = 0.5 * F[i][b], 0.5 * F[i][a]
    return Variable(name, 0.0, deviation, _flat(slopes), 2, 1)


def _cofactors(A: Matrix) -> Matrix:
    def minor(i: int, j: int) -> Node:
        a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return A[a][c] * A[b][d] - A[a][d] * A[b][c]

    return [[minor(i, j) for j in AXES] for i in AXES]


def total(nodes: Iterable[Node]) -> Node:
    return sum(nodes, ZERO)


def _trace(A: Matrix) -> Node:
    return A[0][0] + A[1][1] + A[2][2]


def _square(A: Matrix) -> Node:
    return total(a * a for a in _flat(A))


def _flat(A: Matrix) -> tuple[Node, ...]:
    return tuple(entry for row in A for entry in row)
