"""NumPy evaluation of a formula behind a C address, for machines where LLVM does not generate machine code.

It replaces the machine code transparently, apart from the time: a few microseconds per element.
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
    """The address of a function as described in `emit`, and the object that must be kept alive with it."""
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
    """The (rows, lanes) values at an address; empty without rows."""
    if not rows:
        return np.empty((0, lanes))
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (rows, lanes))
