"""The contraction of a tet's tangent with its shape gradients, generated as vector instructions.

K_ab,ik = volume * sum_jl g_aj C_ijkl g_bl for corners a, b = 1..3; corner 0 follows from the others, since rigid
translations do no work. Rows of `g`: nine shape gradients g_aj, then the volume. Rows of `K`: ten blocks (a, b), a <= b,
of nine entries ik. `C` is the packed upper half of the 9x9 tangent (see materials/kernel.py). Written in Python the
sums would be 274 lines, which Numba takes ten times as long to compile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from supple.materials.address import pointers
from supple.materials.kernel import LANES

WIDTH = 4
"""Lanes in one instruction; 2, 8 and 16 are slower."""
VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
INDEX = ir.IntType(64)

Value = Any
"""A register of four lanes."""
Blocks = dict[tuple[int, int, int, int], Value]
"""Entries by (a, b, i, k)."""


@intrinsic
def contract(typing, C, g, K):
    """Stiffness blocks of a batch."""

    def codegen(context, builder, signature, arguments):
        arrays = pointers(context, builder, signature, arguments)
        with cgutils.for_range_slice(builder, INDEX(0), INDEX(LANES), INDEX(WIDTH), INDEX) as (lane, _):
            _four_lanes(builder, lane, *arrays)
        return context.get_dummy_value()

    return types.void(C, g, K), codegen


def _four_lanes(builder: Any, lane: Value, C: Value, g: Value, K: Value) -> None:
    def place(array: Value, row: int) -> Value:
        offset = builder.add(lane, INDEX(row * LANES))
        return builder.bitcast(builder.gep(array, [offset]), VECTOR.as_pointer())

    def load(array: Value) -> Callable[[int], Value]:
        return lambda row: builder.load(place(array, row), align=8)

    for (a, b, i, k), value in _blocks(builder, load(C), load(g)).items():
        if a <= b:
            builder.store(value, place(K, 9 * _block(a, b) + 3 * i + k), align=8)


def _blocks(builder: Any, C: Callable[[int], Value], g: Callable[[int], Value]) -> Blocks:
    """All blocks; those below the diagonal are transposes."""
    shape, volume = [[g(3 * a + j) for j in range(3)] for a in range(3)], g(9)
    K: Blocks = {}
    for b in range(1, 4):
        # t_rk = sum_l C_r,kl g_bl
        t = [
            [_inner(builder, (C(_packed(r, 3 * k + n)) for n in range(3)), shape[b - 1]) for k in range(3)]
            for r in range(9)
        ]
        for a in range(1, b + 1):
            for i in range(3):
                for k in range(i if a == b else 0, 3):
                    sums = _inner(builder, shape[a - 1], (t[3 * i + j][k] for j in range(3)))
                    K[a, b, i, k] = K[b, a, k, i] = builder.fmul(volume, sums)
    for b in (1, 2, 3, 0):
        for i in range(3):
            for k in range(3):
                others = _sum(builder, [K[a, b, i, k] for a in (1, 2, 3)])
                K[0, b, i, k] = builder.fneg(others)
                if b:
                    K[b, 0, k, i] = K[0, b, i, k]
    return K


def _inner(builder: Any, a: Iterable[Value], b: Iterable[Value]) -> Value:
    return _sum(builder, [builder.fmul(x, y) for x, y in zip(a, b, strict=True)])


def _sum(builder: Any, values: list[Value]) -> Value:
    """In the order given."""
    total = values[0]
    for value in values[1:]:
        total = builder.fadd(total, value)
    return total


def _packed(row: int, column: int) -> int:
    """Index of an entry in the packed upper half of a symmetric 9x9 matrix."""
    row, column = min(row, column), max(row, column)
    return row * 9 - row * (row - 1) // 2 + column - row


def _block(a: int, b: int) -> int:
    """Index of block (a, b), a <= b."""
    return a * 4 - a * (a - 1) // 2 + b - a
