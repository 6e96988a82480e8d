"""Formulas over arrays with NumPy: one operation after the other, in chunks that fit the processor cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.formulas.graph import LEAF, Node, order
from supple.formulas.operations import OPERATIONS

CHUNK = 8192


def evaluate(outputs: Sequence[Node], values: Mapping[str, Any], size: int) -> list[npt.NDArray[Any]]:
    """Each output at `size` points, given every leaf as an array (size,) or as one number for all points.

    Values that are not finite are returned without warnings.
    """
    nodes = _ordered(tuple(outputs))
    results: list[npt.NDArray[Any]] = [
        np.empty(size, dtype=np.bool_ if node.is_condition else np.float64) for node in outputs
    ]
    with np.errstate(all="ignore"):
        for start in range(0, size, CHUNK):
            part = slice(start, start + CHUNK)
            found = _walk(nodes, {name: _part(value, part) for name, value in values.items()})
            for result, node in zip(results, outputs, strict=True):
                result[part] = found[node]
    return results


@lru_cache(maxsize=128)
def _ordered(outputs: tuple[Node, ...]) -> tuple[Node, ...]:
    return tuple(order(outputs))


def _part(value: Any, part: slice) -> Any:
    return value[part] if np.ndim(value) else np.float64(value)


def _walk(nodes: Sequence[Node], values: Mapping[str, Any]) -> dict[Node, Any]:
    found: dict[Node, Any] = {}
    for node in nodes:
        if node.operation == LEAF:
            found[node] = values[node.value]
        elif node.is_number:
            found[node] = np.float64(node.value)
        else:
            found[node] = OPERATIONS[node.operation](*[found[a] for a in node.arguments])
    return found
