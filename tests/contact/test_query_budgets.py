"""Searches for contact end: what would take too long rejects the step, or stops short, which is safe."""

import numpy as np
import pytest

import supple as sp
from supple.contact.surfaces import additive_ccd, effort, sweep
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.errors import SceneError, StepRejected
from supple.types import Array
from supple.work import OutOfWork, Work, counted


def two_squares() -> tuple[BarrierContact, Array]:
    """Two squares of two triangles each, one above the other within reach."""
    square = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    x = np.concatenate([square, square + np.array([0.1, 0.05, 0.2])])
    triangles = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]], dtype=np.int32)
    patches = np.repeat(np.arange(2, dtype=np.int32), 4)
    return BarrierContact(ContactSurface(x, triangles, patches), 0.1, 1e3), x


def test_a_way_that_is_too_long_to_look_at_is_refused() -> None:
    contact, x = two_squares()
    far = x.copy()
    far[4:, 0] += 1e9
    with pytest.raises(StepRejected, match="too far to check for contact"):
        contact.passes(x, far)
    assert not contact.passes(x, x + np.array([3.0, 0.0, 0.0]))


@pytest.mark.parametrize(("limit", "value"), [("PAIRS", 2), ("LOOKS", 3)])
def test_a_search_that_finds_or_compares_too_many_is_given_up(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    contact, x = two_squares()
    monkeypatch.setattr(effort, limit, value)
    monkeypatch.setattr(sweep, "PAIRS", effort.PAIRS)
    with pytest.raises(StepRejected, match="the search for contact pairs was abandoned"):
        contact.pairs(x)


def test_without_rounds_a_pair_stops_short_of_where_it_would_touch() -> None:
    x = np.array([[0.2, 1.0, 0.2], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    p = np.zeros_like(x)
    p[0, 1] = -2.0
    corners, scratch = np.arange(4), [np.empty((4, 3)) for _ in range(3)]

    def touch(rounds: int) -> float:
        left = np.full(1, rounds)
        return float(additive_ccd.pair_touch(0, x, p, corners, 0.0, 0.1, 1e-3, 0.0, 1.0, 1.0, *scratch, left))

    assert 0.0 < touch(0) <= touch(100) < 0.5


def grazing() -> tuple[BarrierContact, Array, Array]:
    """Two squares, and a long way of one along the other, whose pairs move by small parts of it."""
    contact, x = two_squares()
    p = np.zeros_like(x)
    p[4:, 0] = 1e-3
    return contact, x, p


def test_a_first_touch_that_takes_too_many_moves_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    contact, x, p = grazing()
    far = 1e3 * p
    assert 0.0 < contact.max_step(x, far) < 1.0
    monkeypatch.setattr(effort, "MOST_UNITS", 0)
    with pytest.raises(StepRejected, match="the search for the first touch was abandoned"):
        contact.max_step(x, far)


def test_searches_count_in_the_work_of_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "PER_UNIT", 1)
    contact, x, p = grazing()
    with counted(Work(0, 10**9)) as work:
        contact.pairs(x)
        found = work.done
        contact.max_step(x, 1e3 * p)
    assert 0 < found < work.done
    contact = two_squares()[0]
    with pytest.raises(OutOfWork), counted(Work(0, found - 1)):
        contact.pairs(x)


@pytest.mark.parametrize("distance", [1.5, 300.0])
def test_a_distance_beyond_the_smallest_body_is_refused(distance: float) -> None:
    cube = sp.Body(sp.Cube(cells=1).mesh(), sp.StVK(mu=1e4, lam=1e4), density=1000.0)
    world = sp.World([cube], contact=sp.Contact(distance=distance))
    with pytest.raises(SceneError, match=r"contact\.distance: .* exceeds a quarter of the .* smallest body, 1 m"):
        sp.assemble(world)
