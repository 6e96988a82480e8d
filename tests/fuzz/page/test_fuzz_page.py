"""A few random visitors of the live page, and one of a broken page; `make fuzz-page` sends many."""

import subprocess
import sys

from child import environment

PLANTED = """
from fuzz.worker import prepare_process
prepare_process()
from fuzz.page.fuzz_page import many
from supple.viewer.session import Session
Session.hold = lambda self, vertex, target: 1 / 0
counts, bugs = many(3, range(6))
assert list(bugs) == ["ZeroDivisionError in viewer/worker.py:_obey"], bugs
"""


def in_another_process(*words: str) -> subprocess.CompletedProcess[str]:
    """Which may fork: the tests before have threads."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=environment())


def test_random_visits_end_without_a_fault() -> None:
    done = in_another_process("-m", "fuzz.page.fuzz_page", "--visits", "6", "--seed", "3")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_a_planted_bug_is_found() -> None:
    done = in_another_process("-c", PLANTED)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
