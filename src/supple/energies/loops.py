"""The parallel loops that fused terms share: positions -> global vector or matrix, without element arrays.

A term describes its elements by a NamedTuple `p` of arrays and registers two functions for its type. They process some
of the elements (`chosen`) and add only to vertices that `part` owns. They sum over the samples of a stage before
scattering, so a second sample costs little.

    @gradient_for(Hinges)
    @njit(cache=True, nogil=True)
    def slopes(part, p, xs, energy, force, owner, chosen, values, out): ...
        # values[e] = sum_q energy_q V_e(xs_q),  out (n, 3) += sum_q force_q V_e'(xs_q)

    @hessian_for(Hinges)
    @njit(cache=True, nogil=True)
    def blocks(part, p, xs, curvature, place, chosen, project, values): ...
        # entries of the global upper triangle += sum_q curvature_q V_e''(xs_q); `project`: made positive semidefinite

Numba selects the function by the type of `p`, so one cached driver serves every term, without function pointers. A
function of a single element would cost more than its arithmetic, because every call updates the reference counts of its
arrays. The loops pass their index as int64, since Numba would otherwise compile every body twice, for signed and
unsigned indices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, prange
from numba.extending import overload

from supple.energies.element_blocks import Place
from supple.linalg.threads import calm_workers
from supple.types import Array, Ints

calm_workers()


def add_gradients(part, p, xs, energy, force, owner, chosen, values, out):
    """Of some elements; dispatched by the type of `p` in compiled code."""


def add_hessians(part, p, xs, curvature, place, chosen, project, values):
    """Of some elements; dispatched by the type of `p` in compiled code."""


def gradient_for(kind: type) -> Callable[[Callable], Callable]:
    """Register a compiled function of (part, p, xs, energy, force, owner, chosen, values, out)."""

    def register(kernel: Callable) -> Callable:
        def call(part, p, xs, energy, force, owner, chosen, values, out):
            kernel(part, p, xs, energy, force, owner, chosen, values, out)

        @overload(add_gradients)
        def choose(part, p, xs, energy, force, owner, chosen, values, out):
            return call if getattr(p, "instance_class", None) is kind else None

        return kernel

    return register


def hessian_for(kind: type) -> Callable[[Callable], Callable]:
    """Register a compiled function of (part, p, xs, curvature, place, chosen, project, values)."""

    def register(kernel: Callable) -> Callable:
        def call(part, p, xs, curvature, place, chosen, project, values):
            kernel(part, p, xs, curvature, place, chosen, project, values)

        @overload(add_hessians)
        def choose(part, p, xs, curvature, place, chosen, project, values):
            return call if getattr(p, "instance_class", None) is kind else None

        return kernel

    return register


@njit(cache=True, parallel=True)
def gradient(
    p: Any, xs: Array, energy: Array, force: Array, owner: Ints, start: Ints, chosen: Ints, values: Array, out: Array
) -> None:
    """out (n, 3) += weighted gradient; values (m,) = weighted energies."""
    for part in prange(start.size - 1):
        mine = chosen[start[part] : start[part + 1]]
        add_gradients(np.int64(part), p, xs, energy, force, owner, mine, values, out)


@njit(cache=True, parallel=True)
def hessian(
    p: Any, xs: Array, curvature: Array, place: Place, start: Ints, chosen: Ints, project: bool, values: Array
) -> None:
    """values += weighted Hessian in the upper triangle."""
    for part in prange(start.size - 1):
        mine = chosen[start[part] : start[part + 1]]
        add_hessians(np.int64(part), p, xs, curvature, place, mine, project, values)
