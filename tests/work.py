"""A bound on the work that formulas take, the same on every machine, in the place of a clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from supple.formulas import graph

MOST_NODES = 20_000
"""Nodes that may be made or looked up: what takes some tenths of a second (`python benchmarks/formulas.py`)."""


@contextmanager
def little_work() -> Iterator[None]:
    """Whatever is done inside makes few nodes."""
    made = 0
    intern = graph._interned

    def counted(*arguments: Any) -> graph.Node:
        nonlocal made
        made += 1
        return intern(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "_interned", counted)
        yield
    assert made <= MOST_NODES
