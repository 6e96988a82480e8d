"""Colours: no two elements of one share a vertex, all elements have one, and none is wasted."""

import numpy as np
import pytest

from builders import random_tets
from supple.linalg.colouring import colour_elements
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import unique_edges
from supple.types import Ints

TETS = random_tets().tets
ELEMENTS = {
    "edges": unique_edges(TETS),
    "tets": TETS,
    "springs of a cloth": Cloth(cells=(20, 20)).mesh().edges,
    "points": np.arange(30, dtype=np.int32)[:, None],
    "none": np.empty((0, 4), np.int32),
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_colours_are_apart_and_complete(name: str) -> None:
    elements = ELEMENTS[name]
    found = colour_elements(elements)
    assert np.array_equal(np.sort(found.order), np.arange(len(elements)))
    assert found.start[0] == 0
    assert found.start[-1] == len(elements)
    for c in range(found.count):
        members = found.order[found.start[c] : found.start[c + 1]]
        assert (np.diff(members) > 0).all()
        used = elements[members].ravel()
        assert len(np.unique(used)) == len(used)


def least(elements: Ints) -> int:
    """All elements of one vertex need different colours."""
    return int(np.bincount(elements.ravel()).max())


@pytest.mark.parametrize(("name", "more"), [("edges", 2), ("springs of a cloth", 4), ("points", 0)])
def test_few_colours_are_needed(name: str, more: int) -> None:
    assert least(ELEMENTS[name]) <= colour_elements(ELEMENTS[name]).count <= least(ELEMENTS[name]) + more
