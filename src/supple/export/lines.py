"""Edges joined into polylines for curve primitives."""

from __future__ import annotations

import numpy as np

from supple.types import Ints


def polylines(edges: Ints) -> list[Ints]:
    """Lines of vertices that use every edge once; they end where the number of edges is not two."""
    beside: dict[int, list[tuple[int, int]]] = {}
    for number, (a, b) in enumerate(edges.tolist()):
        beside.setdefault(a, []).append((number, b))
        beside.setdefault(b, []).append((number, a))
    used: set[int] = set()
    ends = [vertex for vertex, others in beside.items() if len(others) != 2]
    lines = []
    for start in [*ends, *beside]:  # the rest are closed loops
        for number, following in beside[start]:
            if number not in used:
                used.add(number)
                lines.append(_walk([start, following], beside, used))
    return lines


def _walk(line: list[int], beside: dict[int, list[tuple[int, int]]], used: set[int]) -> Ints:
    while len(beside[line[-1]]) == 2:
        ahead = [(number, vertex) for number, vertex in beside[line[-1]] if number not in used]
        if not ahead:
            break
        number, vertex = ahead[0]
        used.add(number)
        line.append(vertex)
    return np.array(line, dtype=np.int32)
