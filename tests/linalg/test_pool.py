"""Parts run side by side: each once, errors of any of them are raised, and only when all are done."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from supple.interruption.signals import handled, interrupt
from supple.linalg.pool import in_parts
from supple.linalg.threads import threads, use_threads


@pytest.fixture(params=[1, 2])
def count(request: pytest.FixtureRequest) -> Iterator[int]:
    before = threads()
    yield use_threads(request.param)
    use_threads(before)


@pytest.mark.parametrize("parts", [0, 1, 2, 5])
def test_every_part_runs_once(count: int, parts: int) -> None:
    seen: list[int] = []
    in_parts(seen.append, parts)
    assert sorted(seen) == list(range(parts))


def test_one_part_runs_in_the_calling_thread() -> None:
    seen: list[threading.Thread] = []
    in_parts(lambda part: seen.append(threading.current_thread()), 1)
    assert seen == [threading.current_thread()]


@pytest.mark.parametrize("bad", [0, 2])
def test_an_error_is_raised_after_all_parts_have_ended(count: int, bad: int) -> None:
    running: set[int] = set()

    def part(k: int) -> None:
        running.add(k)
        time.sleep(0.01)
        running.discard(k)
        if k == bad:
            raise RuntimeError(f"part {k}")

    with pytest.raises(RuntimeError, match=f"part {bad}"):
        in_parts(part, 3)
    assert not running


@pytest.mark.parametrize("handler", [signal.default_int_handler, interrupt], ids=["of Python", "of a command"])
def test_an_interruption_waits_for_all_parts(handler: Any) -> None:
    """Their kernels would write into arrays that are freed."""
    done: list[int] = []

    def part(k: int) -> None:
        if k:
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
        done.append(k)

    before = threads()
    use_threads(2)
    try:
        with handled({signal.SIGINT: handler}), pytest.raises(KeyboardInterrupt):
            in_parts(part, 3)
    finally:
        use_threads(before)
    assert sorted(done) == [0, 1, 2]
