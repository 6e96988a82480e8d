"""Writes src/supple/energies/solids/contraction.py: the contraction of a tet's tangent with its shape gradients, unrolled.

Loops over tensor indices keep the compiler from vectorising over lanes (it cannot see that rows do not overlap);
straight-line code with constant offsets is about four times faster, and nobody should have to write it by hand.

    python tools/write_contraction.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/supple/energies/solids/contraction.py"

HEAD = '''"""The contraction of a tet's tangent with its shape gradients, unrolled. Written by tools/write_contraction.py.

K_ab,ik = volume * sum_jl g_aj C_ijkl g_bl for corners a, b = 1..3; corner 0 follows from the others, since rigid
translations do no work. Rows of `g`: nine shape gradients g_aj, then the volume. Rows of `K`: ten blocks (a, b), a <= b,
of nine entries ik. `C` is the packed upper half of the 9x9 tangent (see materials/kernel.py).
"""

from __future__ import annotations

from numba import njit

from supple.materials.kernel import FAST, LANES

W = LANES


@njit(cache=True, nogil=True, **FAST)
def contract(C, g, K):
    """Stiffness blocks of a batch."""
    for q in range(W):
'''


def packed(row: int, column: int) -> int:
    """Place of an entry in the packed upper half of a symmetric 9x9 matrix."""
    row, column = min(row, column), max(row, column)
    return row * 9 - row * (row - 1) // 2 + column - row


def block(a: int, b: int) -> int:
    """Number of block (a, b), a <= b."""
    return a * 4 - a * (a - 1) // 2 + b - a


def entry(a: int, b: int, i: int, k: int) -> str:
    """Name of K_ab,ik; blocks below the diagonal are transposes."""
    return f"k{a}{b}{i}{k}" if a <= b else f"k{b}{a}{k}{i}"


def statements() -> Iterator[str]:
    """The body of the lane loop."""
    for a in range(3):
        for j in range(3):
            yield f"g{a + 1}{j} = g[{3 * a + j} * W + q]"
    yield "volume = g[9 * W + q]"
    for b in range(1, 4):
        for r in range(9):
            for k in range(3):
                terms = (f"C[{packed(r, 3 * k + n)} * W + q] * g{b}{n}" for n in range(3))
                yield f"t{r}{k} = {' + '.join(terms)}"
        for a in range(1, b + 1):
            for i in range(3):
                for k in range(i if a == b else 0, 3):
                    terms = (f"g{a}{j} * t{3 * i + j}{k}" for j in range(3))
                    yield f"{entry(a, b, i, k)} = volume * ({' + '.join(terms)})"
                    if a == b and k > i:
                        yield f"{entry(a, a, k, i)} = {entry(a, a, i, k)}"
    for b in (1, 2, 3, 0):
        for i in range(3):
            for k in range(3):
                yield f"{entry(0, b, i, k)} = -({' + '.join(entry(a, b, i, k) for a in (1, 2, 3))})"
    for a in range(4):
        for b in range(a, 4):
            for i in range(3):
                for k in range(3):
                    yield f"K[{9 * block(a, b) + 3 * i + k} * W + q] = {entry(a, b, i, k)}"


def source() -> str:
    """The whole file."""
    return HEAD + "".join(f"        {line}\n" for line in statements())


if __name__ == "__main__":
    TARGET.write_text(source(), encoding="utf-8")
