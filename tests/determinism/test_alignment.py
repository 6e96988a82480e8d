"""Factors and solutions do not depend on where in memory their arrays begin, which differs from run to run."""

from __future__ import annotations

import numpy as np
import pytest

from determinism.kinds import KINDS, made
from supple.linalg.factors.factorisation import Kind, analyse
from supple.linalg.square import square_pattern
from supple.types import Array

LINE = 64
"""Bytes of a cache line, to which the widest instructions refer."""


def placed(values: Array, offset: int) -> Array:
    """A copy that begins `offset` bytes after the start of a line."""
    room = np.empty(values.nbytes + 2 * LINE, np.uint8)
    first = -room.ctypes.data % LINE + offset
    copy = room[first : first + values.nbytes].view(np.float64).reshape(values.shape)
    copy[...] = values
    return copy


@pytest.mark.parametrize("kind", ["cholesky", "ldl", "lu"])
def test_solutions_do_not_depend_on_places_in_memory(kind: Kind) -> None:
    model, tools = made(KINDS["multigrid"].load())
    tools.close()
    half = model.system.pattern
    pattern = square_pattern(half) if kind == "lu" else half
    chance, found = np.random.default_rng(1), set()
    values, rhs = chance.standard_normal(pattern.nnz), chance.standard_normal((3, half.unknowns))
    values[pattern.diagonal] += 60.0
    for offset in range(0, LINE, 8):
        factors = analyse(kind, pattern.indptr, pattern.indices, "auto", 1)
        factors.factor(placed(values, offset))
        found.add(factors.solve(placed(rhs, 5 * offset % LINE)).tobytes())
        factors.close()
    assert len(found) == 1
