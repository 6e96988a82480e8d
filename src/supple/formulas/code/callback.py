"""The NumPy walk of a formula behind a C address, for computers where LLVM does not emit machine code.

It takes the place of the machine code without the callers noticing, apart from the time: some microseconds per element.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from supple.formulas.graph import Node
from supple.formulas.walk import evaluate
from supple.types import Array


def callback(
    parameters: Sequence[str], inputs: Sequence[str], outputs: Sequence[Sequence[Node]], lanes: int
) -> tuple[int, Any]:
    """The address of a function as `emit` describes it, and what must be kept alive with it."""
    names = (tuple(parameters), tuple(inputs))
    nodes = [node for group in outputs for node in group]
    counts = [len(group) for group in outputs]

    def walk(*pointers: int) -> None:
        given = (_array(pointer, len(group), lanes) for pointer, group in zip(pointers, names, strict=False))
        values = {
            name: row for group, array in zip(names, given, strict=True) for name, row in zip(group, array, strict=True)
        }
        found = iter(evaluate(nodes, values, lanes))
        for pointer, count in zip(pointers[len(names) :], counts, strict=True):
            out = _array(pointer, count, lanes)
            for row in range(count):
                out[row] = next(found)

    kind: Callable[..., Any] = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(names) + len(counts)))
    function = kind(walk)
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0), function


def _array(address: int, rows: int, lanes: int) -> Array:
    """The (rows, lanes) numbers at an address; without rows nothing is there."""
    if not rows:
        return np.empty((0, lanes))
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (rows, lanes))
