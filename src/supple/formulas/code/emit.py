"""Formulas as machine code: a set of nodes as one function over a batch of lanes, four at a time in vector registers.

    void f(const double *parameters, const double *inputs, double *outputs_0, double *outputs_1, ...)

Each array is (count, lanes) with the lane innermost. Nodes are emitted in the order of their first use and each output is
stored as soon as it is computed. Multiplications and additions are never fused, so results do not depend on the
processor. Where LLVM fails, the address points to a NumPy evaluation (callback.py), and a warning is issued.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from llvmlite import ir

from supple.formulas.code.callback import callback
from supple.formulas.code.instructions import DOUBLE, VECTOR, WIDTH, Instructions
from supple.formulas.code.machine import Engine, compiled
from supple.formulas.graph import Node, leaves, order
from supple.types import Array

LANES = 16
MOST_NODES = 2000
"""Largest number of operations of one function; compiling that many takes about a third of a second."""


@dataclass(frozen=True)
class Compiled:
    """A function in machine code, or a call back into NumPy. Its address is valid as long as this object lives, and in this
    process only."""

    address: int
    lanes: int
    parameters: tuple[str, ...]
    inputs: tuple[str, ...]
    counts: tuple[int, ...]
    """Outputs behind each pointer."""
    _engine: Engine = field(repr=False)

    def __call__(self, parameters: Array, inputs: Array) -> list[Array]:
        """The outputs [(count, lanes), ...] of one batch: parameters and inputs are (count, lanes)."""
        given = [np.ascontiguousarray(a, dtype=np.float64) for a in (parameters, inputs)]
        wanted = [(len(self.parameters), self.lanes), (len(self.inputs), self.lanes)]
        if [a.shape for a in given] != wanted:
            raise ValueError(
                f"arrays of shapes {wanted[0]} and {wanted[1]} are needed, found {[a.shape for a in given]}"
            )
        arrays = [*given, *(np.empty((count, self.lanes)) for count in self.counts)]
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))(self.address)
        function(*[a.ctypes.data for a in arrays])
        return arrays[2:]

    def __reduce__(self) -> Any:
        raise TypeError("machine code cannot be sent to another process; compile the formula there")


def emit(
    parameters: Sequence[str], inputs: Sequence[str], outputs: Sequence[Sequence[Node]], lanes: int = LANES
) -> Compiled:
    """A function for groups of outputs, each behind a separate pointer."""
    nodes = [node for group in outputs for node in group]
    if unknown := leaves(nodes) - {*parameters, *inputs}:
        raise ValueError(
            f"the formula depends on {', '.join(sorted(unknown))}, given neither as parameter nor as input"
        )
    if (count := len(order(nodes))) > MOST_NODES:
        raise ValueError(f"the formula and its derivatives have {count} operations; at most {MOST_NODES} are compiled")
    if any(node.is_condition for node in nodes):
        raise ValueError("a number is needed, found a condition among the outputs")
    if lanes % WIDTH:
        raise ValueError(f"the number of lanes must be a multiple of {WIDTH}, found {lanes}")
    try:
        address, engine = compiled(module(parameters, inputs, outputs, lanes), "formula")
    except RuntimeError as error:  # LLVM's, or a function that the C library of this computer lacks
        warnings.warn(
            f"formulas are evaluated by NumPy, about thirty times slower: no machine code could be made ({error})",
            stacklevel=2,
        )
        address, engine = callback(parameters, inputs, outputs, lanes)
    return Compiled(address, lanes, tuple(parameters), tuple(inputs), tuple(map(len, outputs)), engine)


def module(
    parameters: Sequence[str], inputs: Sequence[str], outputs: Sequence[Sequence[Node]], lanes: int
) -> ir.Module:
    """The function in LLVM IR."""
    result = ir.Module("formulas")
    pointers = [DOUBLE.as_pointer()] * (2 + len(outputs))
    function = ir.Function(result, ir.FunctionType(ir.VoidType(), pointers), "formula")
    for argument in function.args:
        argument.add_attribute("noalias")
    entry, loop, end = (function.append_basic_block(name) for name in ("entry", "loop", "end"))
    ir.IRBuilder(entry).branch(loop)
    builder = ir.IRBuilder(loop)
    index = ir.IntType(64)
    lane = builder.phi(index)
    lane.add_incoming(index(0), entry)
    places = {name: (function.args[0], row) for row, name in enumerate(parameters)}
    places |= {name: (function.args[1], row) for row, name in enumerate(inputs)}
    _body(builder, lane, places, list(zip(function.args[2:], outputs, strict=True)), lanes)
    following = builder.add(lane, index(WIDTH))
    lane.add_incoming(following, loop)
    builder.cbranch(builder.icmp_unsigned("<", following, index(lanes)), loop, end)
    ir.IRBuilder(end).ret_void()
    return result


def _body(
    builder: ir.IRBuilder,
    lane: ir.Value,
    places: dict[str, tuple[ir.Value, int]],
    outputs: list[tuple[ir.Value, Sequence[Node]]],
    lanes: int,
) -> None:
    """Four lanes: loads, operations, stores."""

    def address(array: ir.Value, row: int) -> ir.Value:
        offset = builder.add(lane, ir.IntType(64)(row * lanes))
        return builder.bitcast(builder.gep(array, [offset]), VECTOR.as_pointer())

    instructions = Instructions(builder, lambda name: builder.load(address(*places[name]), align=8))
    for array, group in outputs:
        for row, node in enumerate(group):
            builder.store(instructions.value(node), address(array, row), align=8)
