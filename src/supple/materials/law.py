"""Laws as machine code: density, stress and tangent of a batch of elements, by address.

    void response(const double *constants, const double *F, double *psi, double *P)
    void tangent(const double *constants, const double *F, double *C)
    void sensitivity(const double *constants, const double *F, double *dpsi, double *dP)

The last one, available for formulas, computes the derivatives of psi and of the nine entries of P with respect to
each constant in turn. Arrays are laid out as in kernel.py. Addresses are valid in one process only, so they are never
stored in materials.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from supple.materials.kernel import FAST


class Law(Protocol):
    """Addresses of machine code, valid during the lifetime of the law."""

    @property
    def response(self) -> int: ...

    @property
    def tangent(self) -> int: ...


@dataclass(frozen=True, eq=False)
class CompiledLaw:
    """A law written as two Python functions of pointers, which Numba compiles on first use and caches."""

    functions: tuple[Callable[..., None], Callable[..., None]]
    """response(constants, F, psi, P) and tangent(constants, F, C)."""

    @property
    def response(self) -> int:
        return int(self._response.address)

    @property
    def tangent(self) -> int:
        return int(self._tangent.address)

    @cached_property
    def _response(self) -> Any:
        return compiled_batch(self.functions[0], 4)

    @cached_property
    def _tangent(self) -> Any:
        return compiled_batch(self.functions[1], 3)


def compiled_batch(function: Callable[..., None], arrays: int) -> Any:
    """A function of the given number of pointers, as machine code with an `address`."""
    from numba import cfunc, types

    return cfunc(types.void(*[types.CPointer(types.float64)] * arrays), cache=True, **FAST)(function)
