"""How a material reaches the element loops: batches of elements, lane innermost.

A batch holds LANES elements. Deformation gradients come as one flat array, entry ij = 3 i + j of lane l at
`F[ij * LANES + l]`, so that every formula is a loop over lanes that the compiler turns into vector instructions.
Tangents are symmetric 9x9 matrices: only the entries with row <= column are stored, at `pair(row, column) * LANES + l`.

A material writes two functions and registers them for its parameter type (a NamedTuple of per-element arrays):

    @response_for(Parameters)
    def response(p, elements, F, psi, P): ...   # density [J/m^3] and first Piola-Kirchhoff stress [Pa]

    @tangent_for(Parameters)
    def tangent(p, elements, F, C): ...         # dP_ij / dF_kl

Numba picks the function by the type of `p`, so that one cached driver serves every material.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.extending import overload

LANES = 16

FAST: dict[str, Any] = {"fastmath": {"nsz"}}
"""Signed zeros do not matter. Contraction into fused multiply-adds stays off: which products are fused would depend on
what was inlined, and code compiled in this process would give other last bits than the same code from the cache."""


def response(p: Any, elements: Any, F: Any, psi: Any, P: Any) -> None:
    """Density and stress of a batch; dispatched by the type of `p` in compiled code."""


def tangent(p: Any, elements: Any, F: Any, C: Any) -> None:
    """Stress derivative of a batch; dispatched by the type of `p` in compiled code."""


def response_for(kind: type) -> Callable[[Callable], Callable]:
    """Register `impl(p, elements, F, psi, P)` for one parameter type."""

    def register(impl: Callable) -> Callable:
        @overload(response, jit_options=FAST)
        def choose(p, elements, F, psi, P):
            return impl if getattr(p, "instance_class", None) is kind else None

        return impl

    return register


def tangent_for(kind: type) -> Callable[[Callable], Callable]:
    """Register `impl(p, elements, F, C)` for one parameter type."""

    def register(impl: Callable) -> Callable:
        @overload(tangent, jit_options=FAST)
        def choose(p, elements, F, C):
            return impl if getattr(p, "instance_class", None) is kind else None

        return impl

    return register


@njit(cache=True, nogil=True, inline="always")
def pair(row, column):
    """Place of entry (row, column), row <= column, in the packed upper half of a 9x9 matrix."""
    return row * 9 - row * (row - 1) // 2 + column - row


@njit(cache=True, nogil=True)
def unpack(C, out, lane):
    """The full 9x9 matrix of one lane."""
    for r in range(9):
        for c in range(r, 9):
            out[r, c] = C[pair(r, c) * LANES + lane]
            out[c, r] = out[r, c]
