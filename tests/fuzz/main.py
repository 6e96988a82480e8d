"""Run many random scenes and sort how they end: `PYTHONPATH=tests python -m fuzz.main --scenes 10000 --seed 1`.

Exit code 1 if any of them shows a bug; each kind of bug is printed once, with the smallest scene that shows it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from fuzz.campaign import Tally, reduce_all, run_cases, run_one
from fuzz.cases import case
from fuzz.report import Show
from fuzz.worker import Limits, prepare_process


def main(words: list[str] | None = None) -> int:
    """The whole campaign; returns the exit code."""
    options = _options().parse_args(words)
    prepare_process()
    limits = Limits(seconds=options.time_limit, wall=10.0 * options.time_limit, memory=options.memory)
    if options.case:
        return _one(options.case, limits, options.keep)
    began, tally, show = time.monotonic(), Tally(), Show(options.json)
    numbers = list(range(options.first, options.first + options.scenes))
    with show.bar("scenes", len(numbers)) as step:
        for name, found in run_cases(options.seed, numbers, limits, options.workers):
            new = tally.add(name, found)
            if new is not None:  # at once: a campaign that is stopped shall not lose it
                show.found(new)
                if options.keep:
                    show.keep(tally, options.keep)
            step(f"{tally.bugs} bugs of {len(tally.groups)} kinds" if tally.bugs else "no bug")
    seconds = time.monotonic() - began
    if tally.groups and not options.quick:
        with show.bar("reducing", len(tally.groups)) as step:
            for group in reduce_all(tally, limits, options.workers):
                step(group.name[:60])
                if options.keep:
                    show.keep(tally, options.keep)
    show.summary(tally, options.seed, seconds)
    return 1 if tally.bugs else 0


def _one(name: str, limits: Limits, keep: Path | None) -> int:
    seed, _, number = name.partition(":")
    chosen = case(int(seed), int(number))
    found = run_one(int(seed), int(number), limits, keep)
    sys.stdout.write(f"{chosen.shown()}\n{found.kind} {found.group}\n{found.detail}\n")
    return 1 if found.bug else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="main.py", description=__doc__)
    parser.add_argument("--scenes", type=int, default=1000, help="number of cases")
    parser.add_argument("--seed", type=int, default=1, help="chooses the series of cases")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    parser.add_argument("--time-limit", type=float, default=10.0, help="processor time per case [s]")
    parser.add_argument("--memory", type=float, default=2.0, help="memory per case [GiB]")
    parser.add_argument("--keep", type=Path, help="folder for a file per kind of bug")
    parser.add_argument("--case", metavar="SEED:NUMBER", help="run this one alone and show it")
    parser.add_argument("--quick", action="store_true", help="do not reduce bugs to reproducers")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    return parser


if __name__ == "__main__":
    sys.exit(main())
