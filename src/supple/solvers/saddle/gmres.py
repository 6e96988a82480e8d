"""GMRES with a preconditioner on the right (Saad and Schultz 1986), for the few iterations that good factors need."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.linalg.reduce import dot
from supple.types import Array


def gmres(
    product: Callable[[Array], Array],
    precondition: Callable[[Array], Array],
    rhs: Array,
    accuracy: float,
    limit: int,
) -> tuple[Array | None, int]:
    """y with |A y - rhs| <= accuracy |rhs|, and the iterations it took; None if `limit` of them are not enough, or if a third of
    them is not on course."""
    size = float(np.sqrt(dot(rhs, rhs)))
    if size == 0.0:
        return np.zeros_like(rhs), 0
    basis, moves = [rhs / size], []
    H = np.zeros((limit + 1, limit))
    left = np.zeros(limit + 1)  # of the right-hand side, turned along with H
    turns: list[tuple[float, float]] = []
    left[0] = size
    check = max(3, limit // 3)
    for k in range(limit):
        moves.append(precondition(basis[k]))
        w = product(moves[k])
        for i, q in enumerate(basis):
            H[i, k] = dot(w, q)
            w -= H[i, k] * q
        H[k + 1, k] = np.sqrt(dot(w, w))
        if not np.isfinite(H[k + 1, k]):
            return None, k + 1
        basis.append(w / H[k + 1, k] if H[k + 1, k] > 0.0 else w)
        for i, (c, s) in enumerate(turns):
            H[i, k], H[i + 1, k] = c * H[i, k] + s * H[i + 1, k], c * H[i + 1, k] - s * H[i, k]
        r = float(np.hypot(H[k, k], H[k + 1, k]))
        if r == 0.0:
            return None, k + 1
        turns.append((H[k, k] / r, H[k + 1, k] / r))
        left[k + 1], left[k] = -turns[k][1] * left[k], turns[k][0] * left[k]
        H[k, k], H[k + 1, k] = r, 0.0
        missed = abs(left[k + 1]) / size
        if missed <= accuracy:
            y = np.linalg.solve(np.triu(H[: k + 1, : k + 1]), left[: k + 1])
            return np.asarray(sum((a * z for a, z in zip(y, moves, strict=True)), np.zeros_like(rhs))), k + 1
        if k + 1 == check and missed ** (limit / check) > accuracy:
            return None, k + 1
    return None, limit
