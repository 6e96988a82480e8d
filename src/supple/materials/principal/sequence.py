"""Functions of machine code called one after the other, as one function with room of its own on the stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from supple.materials.kernel import LANES


@dataclass(frozen=True)
class Place:
    """A row of an array: those numbered from 0 are arguments of the sequence, those after them its own."""

    array: int
    row: int = 0


@dataclass(frozen=True)
class Call:
    """A call of void f(double *, ...)."""

    address: int
    places: Sequence[Place]


@dataclass(frozen=True)
class Joined:
    """Machine code; the address is valid as long as this object lives, and only in this process."""

    address: int
    _kept: Any = field(repr=False)


def sequence(arguments: int, rooms: Sequence[int], calls: Sequence[Call], owners: Any = None) -> Joined:
    """Calls on so many arrays given, and on own ones with so many rows; `owners` of the code called are kept alive."""
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
