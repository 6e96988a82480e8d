"""Machine-code functions called in sequence, as one function with its own scratch space on the stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from supple.materials.kernel import LANES


@dataclass(frozen=True)
class Place:
    """A row of an array: the first arrays are arguments of the sequence, the others its own scratch space."""

    array: int
    row: int = 0


@dataclass(frozen=True)
class Call:
    """A call of void f(double *, ...)."""

    address: int
    places: Sequence[Place]


@dataclass(frozen=True)
class Joined:
    """Machine code; the address is valid during the lifetime of this object, in this process only."""

    address: int
    _kept: Any = field(repr=False)


def sequence(arguments: int, rooms: Sequence[int], calls: Sequence[Call], owners: Any = None) -> Joined:
    """Calls on the given number of arrays and on scratch arrays of given rows; keeps the `owners` of called code alive."""
    from llvmlite import ir

    from supple.formulas.code.machine import compiled

    double = ir.DoubleType()
    pointer = double.as_pointer()
    module = ir.Module("sequence")
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer] * arguments), "sequence")
    builder = ir.IRBuilder(function.append_basic_block())
    own = [builder.alloca(double, size=ir.IntType(64)(rows * LANES)) for rows in rooms]
    for buffer in own:
        buffer.align = 64
    arrays = [*function.args, *own]
    for call in calls:
        kind = ir.FunctionType(ir.VoidType(), [pointer] * len(call.places)).as_pointer()
        given = [builder.gep(arrays[p.array], [ir.IntType(64)(p.row * LANES)]) for p in call.places]
        builder.call(builder.inttoptr(ir.IntType(64)(call.address), kind), given)
    builder.ret_void()
    address, engine = compiled(module, "sequence")
    return Joined(address, (engine, owners))
