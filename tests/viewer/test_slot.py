"""The slot: newest frame wins, across processes and under a writer that never rests."""

import multiprocessing

import numpy as np
import pytest

from supple.viewer.slot import Shape, Slot

SHAPE = Shape(figures=3, vertices=500)


@pytest.fixture
def slot():
    made = Slot.create(SHAPE)
    yield made
    made.close()


def fill(slot: Slot, k: int) -> None:
    slot.put(np.full(3, k), np.full((500, 3), k), np.full(500, k))


def test_nothing_before_the_first_frame(slot: Slot) -> None:
    assert slot.get() is None
    assert np.isnan(slot.figure(0))


def test_the_newest_frame_is_got_once(slot: Slot) -> None:
    for k in range(5):
        fill(slot, k)
    got = slot.get()
    assert got is not None
    assert got.number == 4
    assert slot.figure(1) == 4.0
    for part in (got.figures, got.x, got.values):
        assert (part == 4).all()
    assert got.x.shape == (500, 3)
    assert slot.get(after=got.number) is None


def write_on(name: str, frames: int) -> None:
    there = Slot.attach(name, SHAPE)
    for k in range(frames):
        fill(there, k)
    there.close()


def test_no_frame_is_torn(slot: Slot) -> None:
    writer = multiprocessing.get_context("spawn").Process(target=write_on, args=(slot.name, 60_000))
    writer.start()
    seen, last = 0, -1
    while writer.is_alive():
        got = slot.get(after=last)
        if got is not None:
            assert got.number > last
            assert (got.figures == got.number).all()
            assert (got.x == got.number).all()
            assert (got.values == got.number).all()
            seen, last = seen + 1, got.number
    writer.join()
    assert writer.exitcode == 0
    assert seen > 10
    final = slot.get()
    assert final is not None
    assert final.number == 59_999


def test_the_memory_goes_with_its_maker() -> None:
    made = Slot.create(SHAPE)
    name = made.name
    made.close()
    made.close()
    with pytest.raises(FileNotFoundError):
        Slot.attach(name, SHAPE)


@pytest.mark.filterwarnings("error")
def test_values_beyond_single_precision_stay_finite(slot: Slot) -> None:
    """A diverging run shows positions of 1e60 m before it is stopped; browsers draw nothing of a mesh with infinities."""
    slot.put(np.zeros(3), np.full((500, 3), -1e60), np.full(500, np.inf))
    got = slot.get()
    assert got is not None
    assert np.isfinite(np.linalg.norm(got.x, axis=1)).all()
    assert np.isfinite(got.values).all()
