"""Many cases on two processes with other environments, which take turns: the second repeats what the first did."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from fuzz.again.scenes import rerun
from fuzz.again.trying import THREADS, Trace, first_half, second_half
from fuzz.campaign import begin
from fuzz.sorting import Verdict
from fuzz.worker import Limits

CHUNK = 20
"""Cases that a process is given at a time."""
FIRST = {"PYTHONHASHSEED": "1"}
SECOND = {"PYTHONHASHSEED": "2", "MALLOC_PERTURB_": "165"}
"""Environments of both: nothing may depend on the order of a set, or on what memory held before (glibc fills it with a byte)."""

Ended = tuple[int, Trace, Verdict]
"""Number of a case, its undisturbed run, and the verdict so far."""


def run_cases(seed: int, numbers: list[int], limits: Limits) -> Iterator[tuple[str, Verdict]]:
    """Run and compare the cases and yield each as it ends."""
    with _pool(FIRST) as first, _pool(SECOND) as second:
        for k in range(0, len(numbers), CHUNK):
            some = numbers[k : k + CHUNK]
            done = first.submit(_first, seed, some, limits).result()
            yield from second.submit(_second, seed, done, limits).result()


@contextmanager
def _pool(environment: dict[str, str]) -> Iterator[ProcessPoolExecutor]:
    """One process, not forked: it is to have one thread, and forks."""
    before = {word: os.environ.get(word) for word in environment}
    os.environ.update(environment)
    try:
        pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=begin, initargs=(THREADS,))
        pool.submit(int).result()  # its process begins here
    finally:
        for word, text in before.items():
            os.environ.pop(word)
            if text is not None:
                os.environ[word] = text
    with pool:
        yield pool


def _first(seed: int, numbers: list[int], limits: Limits) -> list[Ended]:
    """Undisturbed runs, and those that were stopped."""
    return [(number, *first_half(rerun(seed, number), limits)) for number in numbers]


def _second(seed: int, ended: list[Ended], limits: Limits) -> list[tuple[str, Verdict]]:
    """The same again, in another process and on two threads."""
    told = []
    for number, trace, found in ended:
        if trace.comparable and not found.bug:
            found = second_half(rerun(seed, number), trace, limits)
        told.append((f"{seed}:{number}", found))
    return told
