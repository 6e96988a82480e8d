"""Many cases on several processes, each of which has supple and its kernels ready and forks a child per case."""

from __future__ import annotations

import gc
import os
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from fuzz.cases import case
from fuzz.sorting import Verdict
from fuzz.trying import attempt, reduced
from fuzz.warming import warm_command
from fuzz.worker import Limits, prepare_process

CHUNK = 20
"""Cases that a process is given at a time."""


@dataclass
class Group:
    """A bug, how often it was met, and the case that showed it first."""

    kind: str
    name: str
    first: str
    detail: str
    count: int = 0
    reproducer: str = ""


@dataclass
class Tally:
    """Results of a campaign so far."""

    kinds: Counter[str] = field(default_factory=Counter)
    groups: dict[tuple[str, str], Group] = field(default_factory=dict)
    slow: list[str] = field(default_factory=list)
    """Cases that took longer than their first limit of time."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Why scenes were refused: a campaign that is refused for one reason tests little else."""

    @property
    def bugs(self) -> int:
        """Cases with a bug."""
        return sum(group.count for group in self.groups.values())

    def add(self, name: str, found: Verdict) -> Group | None:
        """Count a case; returns the group of a bug that was not met before."""
        self.kinds[found.kind] += 1
        if found.slow:
            self.slow.append(name)
        if found.kind == "refused":
            self.reasons[reason(found.detail)] += 1
        if not found.bug:
            return None
        key = (found.kind, found.group)
        group = self.groups.setdefault(key, Group(found.kind, found.group, name, found.detail))
        group.count += 1
        return group if group.count == 1 else None


def reason(message: str) -> str:
    """The first line of a refusal without its place and its numbers."""
    line = next(iter(message.strip().splitlines()), "")
    return re.sub(r"'[^']*'|[-+\d.e]*\d", "_", re.sub(r"\S*\.toml(:\S*)?", "", line))[:90]


def run_cases(seed: int, numbers: list[int], limits: Limits, workers: int) -> Iterator[tuple[str, Verdict]]:
    """Run the cases in separate processes and yield each as it ends."""
    chunks = [numbers[k : k + CHUNK] for k in range(0, len(numbers), CHUNK)]
    with _pool(workers) as pool:
        running: list[Future[list[tuple[str, Verdict]]]] = [pool.submit(_chunk, seed, some, limits) for some in chunks]
        for done in as_completed(running):
            yield from done.result()


def reduce_all(tally: Tally, limits: Limits, workers: int) -> Iterator[Group]:
    """Give each group its reproducer."""
    with _pool(workers) as pool:
        running = {pool.submit(_reduce, group, limits): group for group in tally.groups.values()}
        for done in as_completed(running):
            group = running[done]
            group.reproducer = done.result()
            yield group


def run_one(seed: int, number: int, limits: Limits, keep: Path | None = None) -> Verdict:
    """One case in this process's child."""
    return attempt(case(seed, number), limits, keep)


def _pool(workers: int) -> ProcessPoolExecutor:
    # not forked: each is to be a process of one thread, which forks
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=begin)


def begin(kernels: int = 1) -> None:
    """Make this process ready for children, whose kernels may have that many threads."""
    prepare_process(kernels)
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    from supple.cli.app import built

    built()  # every child would repeat this: half of the time of a refusal
    warm_command()
    gc.freeze()  # collections in children would copy shared pages


def _chunk(seed: int, numbers: list[int], limits: Limits) -> list[tuple[str, Verdict]]:
    return [(f"{seed}:{number}", attempt(case(seed, number), limits)) for number in numbers]


def _reduce(group: Group, limits: Limits) -> str:
    seed, _, number = group.first.partition(":")
    bug = Verdict(group.kind, group.name)
    return reduced(case(int(seed), int(number)), bug, limits).shown()
