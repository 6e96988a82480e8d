"""Calls of machine code by address, from compiled loops.

The address is an ordinary number, so a loop does not depend on the law it calls: it is compiled once, cached, and
serves every law. A call processes a whole batch and has no measurable overhead.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

POINTER = ir.DoubleType().as_pointer()


def pointers(context: Any, builder: Any, signature: Any, arguments: Any) -> list[Any]:
    """Pointers to the data of array arguments."""
    pairs = zip(signature.args, arguments, strict=True)
    return [context.make_array(kind)(context, builder, value).data for kind, value in pairs if _is_array(kind)]


def _is_array(kind: Any) -> bool:
    return isinstance(kind, types.Array)


def _call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """void f(double *, ...) at the address that is the first argument."""
    data = pointers(context, builder, signature, arguments)
    kind = ir.FunctionType(ir.VoidType(), [POINTER] * len(data))
    builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), data)
    return context.get_dummy_value()


@intrinsic
def call_response(typing, address, constants, F, psi, P):
    """Density and stress of a batch."""
    return types.void(address, constants, F, psi, P), _call


@intrinsic
def call_tangent(typing, address, constants, F, C):
    """Derivative of the stress of a batch."""
    return types.void(address, constants, F, C), _call


@intrinsic
def call_sensitivity(typing, address, constants, F, dpsi, dP):
    """Derivatives of density and stress of a batch with respect to the constants."""
    return types.void(address, constants, F, dpsi, dP), _call


@intrinsic
def call_projection(typing, address, C):
    """In-place modification of a batch of tangents."""
    return types.void(address, C), _call
