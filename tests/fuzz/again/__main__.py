"""Random scenes, each run several times and compared to the bit: `PYTHONPATH=tests python -m fuzz.again --scenes 1000 --seed 1`.

Exit code 1 if any two runs of a scene differ; each kind of difference is printed once, with the smallest scene that shows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

from fuzz.again.campaign import run_cases
from fuzz.again.scenes import rerun
from fuzz.again.trying import THREADS, attempt
from fuzz.campaign import Group, Tally, begin
from fuzz.report import Show
from fuzz.sorting import Verdict
from fuzz.trying import reduced
from fuzz.worker import Limits

LINES = 50
"""Cases between two lines of progress in a file."""
REDUCTION = 60.0
"""Time for a reproducer [s]."""


def main(words: list[str] | None = None) -> int:
    """The whole campaign; returns the exit code."""
    options = _options().parse_args(words)
    limits = Limits(seconds=options.time_limit, wall=10.0 * options.time_limit)
    if options.case:
        return _one(options.case, limits)
    began, tally, show = time.monotonic(), Tally(), Show(options.json, LINES)
    numbers = list(range(options.first, options.first + options.scenes))
    with suppress(KeyboardInterrupt), show.bar("scenes", len(numbers)) as step:  # then with the summary so far
        for name, found in run_cases(options.seed, numbers, limits):
            new = tally.add(name, found)
            if new is not None:
                show.found(new)
                if options.keep:
                    show.keep(tally, options.keep)
            step(f"{tally.bugs} differences of {len(tally.groups)} kinds" if tally.bugs else "no difference")
    seconds = time.monotonic() - began
    if tally.groups and not options.quick:
        _reduce_all(tally, limits)
        if options.keep:
            show.keep(tally, options.keep)
    show.summary(tally, options.seed, seconds)
    return 1 if tally.bugs else 0


def _reduce_all(tally: Tally, limits: Limits) -> None:
    begin(THREADS)
    for group in tally.groups.values():
        group.reproducer = _reproducer(group, limits)


def _reproducer(group: Group, limits: Limits) -> str:
    seed, _, number = group.first.partition(":")
    found = Verdict(group.kind, group.name)
    return reduced(rerun(int(seed), int(number)), found, limits, REDUCTION, attempt).shown()


def _one(name: str, limits: Limits) -> int:
    begin(THREADS)
    seed, _, number = name.partition(":")
    chosen = rerun(int(seed), int(number))
    found = attempt(chosen, limits)
    sys.stdout.write(f"{chosen.shown()}\n{found.kind} {found.group}\n{found.detail}\n")
    return 1 if found.bug else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz.again", description=__doc__)
    parser.add_argument("--scenes", type=int, default=1000, help="number of cases")
    parser.add_argument("--seed", type=int, default=1, help="chooses the series of cases")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--time-limit", type=float, default=10.0, help="processor time per run [s]")
    parser.add_argument("--keep", type=Path, help="folder for a file per kind of difference")
    parser.add_argument("--case", metavar="SEED:NUMBER", help="run this one alone and show it")
    parser.add_argument("--quick", action="store_true", help="do not reduce cases to reproducers")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    return parser


if __name__ == "__main__":
    sys.exit(main())
