"""F = U diag(l) V^T as nodes of a formula, with rotations U and V, |l1| >= |l2| >= |l3|, and l3 < 0 if det F < 0.

V holds the eigenvectors of F^T F - I = H + H^T + H^T H, H = F - I, found by Jacobi's method: sweeps of three rotations,
each of which eliminates one off-diagonal entry. U follows from the columns of F V by orthogonalisation. The stretches
are e_i = l_i - 1 = u_i . H v_i - |u_i - v_i|^2/2, in which small strains keep all their digits, because errors of U
and V enter only in second order and deviations from unit length cancel.
"""

from __future__ import annotations

from supple.formulas.graph import ONE, ZERO, Node, apply, leaf, number

Vector = list[Node]
Matrix = list[list[Node]]
AXES = range(3)
UPPER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Entries of a symmetric matrix in the order of its array: the diagonal first."""
NEGLIGIBLE = 1e-17
"""Off-diagonal entries that count as zero, relative to |F|^2."""
TINY = 1e-140
"""Absolute size of entries that count as zero: their squares would underflow."""
LARGEST = 1e300
"""l1^2 beyond which squares overflow and all stretches are set to infinity, as for NaN in F."""
FLAT = 1e-15
"""l2/l1 below which F V does not give a second direction."""


def entries(name: str) -> Matrix:
    """A matrix of leaves, row by row: F0, F1 ... F8."""
    return [[leaf(f"{name}{3 * i + j}") for j in AXES] for i in AXES]


def symmetric(name: str) -> Matrix:
    """A symmetric matrix of leaves: A0 ... A5."""
    found = {ij: leaf(f"{name}{k}") for k, ij in enumerate(UPPER)}
    return [[found[min(i, j), max(i, j)] for j in AXES] for i in AXES]


def flat(A: Matrix) -> list[Node]:
    return [entry for row in A for entry in row]


def packed(A: Matrix) -> list[Node]:
    """The entries of a symmetric matrix in the order of `UPPER`."""
    return [A[i][j] for i, j in UPPER]


def start() -> list[Node]:
    """A, packed, with its threshold for negligible entries, and V after the first sweep; from F."""
    F = entries("F")
    H = _deviation(F)
    A = [[H[i][j] + H[j][i] + dot(_column(H, i), _column(H, j)) for j in AXES] for i in AXES]
    V = [[ONE if i == j else ZERO for j in AXES] for i in AXES]
    negligible = NEGLIGIBLE * sum((a * a for a in flat(F)), ZERO) + TINY
    _sweep(A, V, negligible)
    return [*packed(A), negligible, *flat(V)]


def sweep() -> list[Node]:
    """A and V after one more sweep; from A, with the threshold as A6, and V."""
    A, V = symmetric("A"), entries("V")
    _sweep(A, V, leaf("A6"))
    return [*packed(A), *flat(V)]


def frames() -> list[Node]:
    """U, V and e; from F, the diagonal of A and V."""
    F, V = entries("F"), entries("V")
    size = [leaf(f"A{i}") for i in AXES]
    for p, q in ((0, 1), (0, 2), (1, 2)):
        swap = apply("gt", size[q], size[p])
        size[p], size[q] = apply("where", swap, size[q], size[p]), apply("where", swap, size[p], size[q])
        _swap(V, p, q, swap)
    B = [[dot(F[i], _column(V, j)) for j in AXES] for i in AXES]
    _settle(B, V)
    first = _column(B, 0)
    u, bounded = _directions(first, _column(B, 1)), apply("lt", dot(first, first), number(LARGEST))
    H, e = _deviation(F), []
    for i in AXES:
        v = _column(V, i)
        apart = [a - b for a, b in zip(u[i], v, strict=True)]
        deviation = dot(u[i], [dot(row, v) for row in H]) - 0.5 * dot(apart, apart)
        e.append(apply("where", bounded, deviation, number(float("inf"))))
    return [*(u[j][i] for i in AXES for j in AXES), *flat(V), *e]


def dot(a: Vector, b: Vector) -> Node:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _column(A: Matrix, j: int) -> Vector:
    return [row[j] for row in A]


def _deviation(F: Matrix) -> Matrix:
    return [[F[i][j] - 1.0 if i == j else F[i][j] for j in AXES] for i in AXES]


def _sweep(A: Matrix, V: Matrix, negligible: Node) -> None:
    """One rotation in each of the three planes.

    A converged lane keeps its bits, whatever the other lanes of its batch require.
    """
    for p, q in ((0, 1), (0, 2), (1, 2)):
        r = 3 - p - q
        turns = apply("gt", apply("abs", A[p][q]), negligible)
        c, s, t = _rotation(A[p][p], A[q][q], A[p][q], turns)
        shift = t * A[p][q]
        first, second = A[p][r], A[q][r]
        A[p][p], A[q][q] = A[p][p] - shift, A[q][q] + shift
        A[p][q] = A[q][p] = apply("where", turns, ZERO, A[p][q])
        A[p][r] = A[r][p] = c * first - s * second
        A[q][r] = A[r][q] = s * first + c * second
        _turn(V, p, q, c, s)


def _rotation(first: Node, second: Node, mixed: Node, turns: Node) -> tuple[Node, Node, Node]:
    """Cosine, sine and tangent of the smaller angle that eliminates `mixed`; no rotation unless it `turns`."""
    d = second - first
    across = apply("where", apply("lt", d, ZERO), -2.0 * mixed, 2.0 * mixed)
    along = apply("abs", d) + apply("sqrt", d * d + across * across)
    scale = ONE / apply("sqrt", along * along + across * across)
    both = (along * scale, ONE), (across * scale, ZERO), (across / along, ZERO)
    c, s, t = (apply("where", turns, value, otherwise) for value, otherwise in both)
    return c, s, t


def _turn(A: Matrix, p: int, q: int, c: Node, s: Node) -> None:
    """Rotate two columns."""
    for row in A:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]


def _swap(A: Matrix, p: int, q: int, swap: Node) -> None:
    """Exchange two columns under a condition, with a sign change that preserves a rotation."""
    for row in A:
        row[p], row[q] = apply("where", swap, row[q], row[p]), apply("where", swap, -row[p], row[q])


def _settle(B: Matrix, V: Matrix) -> None:
    """One more rotation, from the columns of F V themselves: squares lose the directions of stretches far below l1."""
    b, c = _column(B, 1), _column(B, 2)
    mixed, square = dot(b, c), dot(b, b)
    turns = apply("gt", apply("abs", mixed), NEGLIGIBLE * square + TINY)
    other = dot(c, c)
    cosine, sine, t = _rotation(square, other, mixed, turns)
    swap = apply("gt", other + t * mixed, square - t * mixed)
    for A in (B, V):
        _turn(A, 1, 2, cosine, sine)
        _swap(A, 1, 2, swap)


def _directions(first: Vector, second: Vector) -> list[Vector]:
    """Three orthonormal right-handed vectors, two of which span the plane of the given ones; arbitrary if these vanish."""
    size = apply("sqrt", dot(first, first))
    there = apply("gt", size, ZERO)
    u = [apply("where", there, a / size, b) for a, b in zip(first, (ONE, ZERO, ZERO), strict=True)]
    along = dot(u, second)
    across = [a - along * b for a, b in zip(second, u, strict=True)]
    width = apply("sqrt", dot(across, across))
    wide = apply("gt", width, FLAT * size)
    v = [apply("where", wide, a / width, b) for a, b in zip(across, _perpendicular(u), strict=True)]
    return [u, v, [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in AXES]]


def _perpendicular(u: Vector) -> Vector:
    """A unit vector orthogonal to another one, never zero (Duff et al. 2017)."""
    sign = apply("where", apply("lt", u[2], ZERO), number(-1.0), ONE)
    a = -1.0 / (sign + u[2])
    return [1.0 + sign * u[0] * u[0] * a, sign * (u[0] * u[1] * a), -sign * u[0]]
