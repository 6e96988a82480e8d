"""A simulation beside the clock: a worker in this process, with a clock that only moves when the worker waits or steps."""

import queue
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from small_bar import bar

from supple.scene.text.load import dump_scene
from supple.viewer import worker as process
from supple.viewer.figures import FIGURES, INDEX
from supple.viewer.messages import Message, Play, RealTime, Stop
from supple.viewer.page.surface import mesh_surface
from supple.viewer.settings import settings_of
from supple.viewer.slot import Shape, Slot
from supple.viewer.worker import LATE, Assignment, Notes, Worker

STEP = 1 / 60
COST = 1e-3
"""Seconds that a step takes."""


class Clock:
    """The clock and the inbox of a worker: messages at times, and a Stop at the end."""

    def __init__(self, end: float, *messages: Message, jump: tuple[float, float] = (float("inf"), 0.0)) -> None:
        """`jump`: at the first time [s] the clock advances by the second, as on a machine that is busy elsewhere."""
        self.now, self._end, self._jump = 0.0, end, jump
        self._messages = list(messages)

    def perf_counter(self) -> float:
        return self.now

    def get(self, timeout: float) -> Message:
        return self._next(timeout)

    def get_nowait(self) -> Message:
        return self._next(COST)

    def _next(self, seconds: float) -> Message:
        if self._messages:
            return self._messages.pop(0)
        self.now += seconds
        if self.now >= self._jump[0]:
            self.now, self._jump = self.now + self._jump[1], (float("inf"), 0.0)
        if self.now >= self._end:
            self._end = float("inf")
            return Stop()
        raise queue.Empty


@pytest.fixture
def job() -> Iterator[tuple[Assignment, Slot]]:
    scene = bar()
    shown = mesh_surface(scene.make().assemble().mesh).vertices
    shape = Shape(len(FIGURES), len(shown))
    slot = Slot.create(shape)
    yield Assignment(dump_scene(scene), "", settings_of(scene.make()), slot.name, shape, shown), slot
    slot.close()


def simulated(job: tuple[Assignment, Slot], clock: Clock, monkeypatch: pytest.MonkeyPatch) -> float:
    """Simulated seconds when the clock stops."""
    monkeypatch.setattr(process, "time", SimpleNamespace(perf_counter=clock.perf_counter))
    worker = Worker(job[0], clock, Notes(queue.Queue()))
    worker.run()
    worker.close()
    return float(job[1].figure(INDEX["time"]))


def test_it_keeps_to_the_clock(job: tuple[Assignment, Slot], monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulated(job, Clock(2.0, Play(True)), monkeypatch) == pytest.approx(2.0, abs=2 * STEP)


def test_it_runs_ahead_of_the_clock_where_asked(job: tuple[Assignment, Slot], monkeypatch: pytest.MonkeyPatch) -> None:
    t = simulated(job, Clock(0.2, Play(True), RealTime(False)), monkeypatch)
    assert t == pytest.approx(0.2 / COST * STEP, rel=0.05)  # a step for each of its cost


def test_a_short_delay_is_caught_up_and_a_long_one_is_not(
    job: tuple[Assignment, Slot], monkeypatch: pytest.MonkeyPatch
) -> None:
    for delay, lost in ((0.8 * LATE, 0.0), (8.0 * LATE, 8.0 * LATE)):
        t = simulated(job, Clock(1.0 + delay + 1.0, Play(True), jump=(1.0, delay)), monkeypatch)
        assert t == pytest.approx(2.0 + delay - lost, abs=3 * STEP)


def test_the_note_on_compilation_is_withdrawn_but_no_other() -> None:
    said: queue.Queue[str] = queue.Queue()
    notes = Notes(said)
    notes.compiling()
    notes.refresh()
    notes.compiling()
    notes.put("paused: out of memory")
    notes.refresh()
    assert [said.get_nowait() for _ in range(said.qsize())] == [
        "compiling kernels, once on this machine ...",
        "",
        "compiling kernels, once on this machine ...",
        "paused: out of memory",
    ]
