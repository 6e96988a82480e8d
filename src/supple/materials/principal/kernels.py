"""Machine code of the parts of a principal law that do not depend on its energy, compiled once and cached.

    void decompose(const double *F, double *A, double *U, double *V, double *e)
    void stress(const double *U, const double *V, const double *G, double *P)
    void tangent(const double *U, const double *V, const double *K, double *C)
    void clamp(double *K, double *A, double *V)
Arrays are laid out as in materials/kernel.py. The nodes of decomposition.py and assembly.py are emitted as vector
instructions inside the compiled functions: as Python text, Numba would take ten times as long to compile them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from supple.formulas.code.instructions import VECTOR, WIDTH, Instructions
from supple.formulas.graph import Node
from supple.materials.kernel import LANES
from supple.materials.law import compiled_batch
from supple.materials.principal import assembly, decomposition

MOST_SWEEPS = 12
INDEX = ir.IntType(64)

Value = Any
"""A register of LLVM."""
Outputs = Sequence[tuple[Value, Sequence[Node]]]
"""Nodes by their destination array."""


def _emit(builder: Any, inputs: Mapping[str, Value], outputs: Outputs) -> None:
    """Groups of four lanes in turn: all loads and operations, then all stores, so arrays may be both input and output."""
    with cgutils.for_range_slice(builder, INDEX(0), INDEX(LANES), INDEX(WIDTH), INDEX) as (lane, _):

        def place(array: Value, row: int) -> Value:
            offset = builder.add(lane, INDEX(row * LANES))
            return builder.bitcast(builder.gep(array, [offset]), VECTOR.as_pointer())

        instructions = Instructions(builder, lambda name: builder.load(place(inputs[name[0]], int(name[1:])), align=8))
        values = [(array, [instructions.value(node) for node in nodes]) for array, nodes in outputs]
        for array, rows in values:
            for row, value in enumerate(rows):
                builder.store(value, place(array, row), align=8)


def _typed(arguments: Sequence[Any], emit: Callable[[Any, Sequence[Value]], None]) -> Any:
    def codegen(context, builder, signature, pointers):
        emit(builder, pointers)
        return context.get_dummy_value()

    return types.void(*arguments), codegen


@intrinsic
def _start(typing, F, A, V):
    def emit(builder, p):
        nodes = decomposition.start()
        _emit(builder, {"F": p[0]}, [(p[1], nodes[:7]), (p[2], nodes[7:])])

    return _typed((F, A, V), emit)


@intrinsic
def _sweep(typing, A, V):
    def emit(builder, p):
        nodes = decomposition.sweep()
        _emit(builder, {"A": p[0], "V": p[1]}, [(p[0], nodes[:6]), (p[1], nodes[6:])])

    return _typed((A, V), emit)


@intrinsic
def _frames(typing, F, A, V, U, e):
    def emit(builder, p):
        nodes = decomposition.frames()
        inputs = {"F": p[0], "A": p[1], "V": p[2]}
        _emit(builder, inputs, [(p[3], nodes[:9]), (p[2], nodes[9:18]), (p[4], nodes[18:])])

    return _typed((F, A, V, U, e), emit)


@intrinsic
def _stress(typing, U, V, G, P):
    def emit(builder, p):
        _emit(builder, dict(zip("UVG", p[:3], strict=True)), [(p[3], assembly.stress())])

    return _typed((U, V, G, P), emit)


@intrinsic
def _tangent(typing, U, V, K, C):
    def emit(builder, p):
        _emit(builder, dict(zip("UVK", p[:3], strict=True)), [(p[3], assembly.tangent())])

    return _typed((U, V, K, C), emit)


@intrinsic
def _bends(typing, K, A, V):
    def emit(builder, p):
        nodes = assembly.bends()
        _emit(builder, {"K": p[0]}, [(p[1], nodes[:7]), (p[2], nodes[7:])])

    return _typed((K, A, V), emit)


@intrinsic
def _clamped(typing, K, A, V):
    return _typed(
        (K, A, V), lambda builder, p: _emit(builder, dict(zip("KAV", p, strict=True)), [(p[0], assembly.clamped())])
    )


@njit(cache=True, nogil=True)
def _remains(A):
    """Whether an off-diagonal entry is significant in any lane."""
    remaining = 0
    for k in range(3):
        for q in range(LANES):
            remaining += abs(A[(3 + k) * LANES + q]) > A[6 * LANES + q]
    return remaining > 0


def _decompose(F, A, U, V, e):
    _start(F, A, V)
    for _ in range(MOST_SWEEPS):
        if not _remains(A):
            break
        _sweep(A, V)
    _frames(F, A, V, U, e)


def _clamp(K, A, V):
    _bends(K, A, V)
    for _ in range(MOST_SWEEPS):
        if not _remains(A):
            break
        _sweep(A, V)
    _clamped(K, A, V)


def _stress_of(U, V, G, P):
    _stress(U, V, G, P)


def _tangent_of(U, V, K, C):
    _tangent(U, V, K, C)


@cache
def _compiled(function: Callable[..., None], arrays: int) -> Any:
    return compiled_batch(function, arrays)


def decompose() -> int:
    """The address of `decompose`; A is scratch space of seven rows."""
    return int(_compiled(_decompose, 5).address)


def stress() -> int:
    return int(_compiled(_stress_of, 4).address)


def tangent() -> int:
    return int(_compiled(_tangent_of, 4).address)


def clamp() -> int:
    """The address of `clamp`; A is scratch space of seven rows, V of nine."""
    return int(_compiled(_clamp, 3).address)
