"""Every key of a scene, one at a time: `PYTHONPATH=tests python -m fuzz.ladders --part 1/4`.

Exit code 1 if any value shows a bug, if a refusal does not name its key, or if a table has no scene that runs.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from fuzz.ladders.climbing import Try
from fuzz.ladders.report import Findings
from fuzz.worker import Limits, prepare_process


def main(words: list[str] | None = None) -> int:
    """The whole campaign, or a part; returns the exit code."""
    options = _options().parse_args(words)
    prepare_process()
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    began, findings = time.monotonic(), Findings(options.keep)
    names = [name for name in ladders() if not options.only or name.startswith(options.only)]
    part, _, count = options.part.partition("/")
    chosen = names[int(part) - 1 :: int(count)]
    _begin()
    limits = Limits(seconds=options.time_limit, wall=10.0 * options.time_limit)
    for number, name in enumerate(chosen):
        for done in ladder(name, limits):
            findings.add(done)
            if options.show:
                sys.stdout.write(f"{done.found.kind:12} {done.ladder} = {done.rung}: {done.message[:300]}\n")
        if number % 20 == 19:
            findings.write()
    findings.write()
    shown = ", ".join(f"{number} {kind}" for kind, number in findings.kinds.most_common())
    seconds = time.monotonic() - began
    sys.stdout.write(f"{len(chosen)} of {len(names)} ladders: {shown}, {seconds:.0f} s\n")
    return 1 if findings.bugs else 0


def ladders() -> list[str]:
    """Names of all ladders."""
    from fuzz.ladders.options import option_ladders
    from fuzz.ladders.places import places

    return [*(place.name for place in places()), *option_ladders()]


def ladder(name: str, limits: Limits) -> Iterator[Try]:
    """All values of the ladder of a name."""
    from fuzz.ladders.climbing import climb
    from fuzz.ladders.options import climb_option
    from fuzz.ladders.places import places

    if " " in name:
        return climb_option(name)
    return climb(next(place for place in places() if place.name == name), limits)


def _begin() -> None:
    from fuzz.warming import warm_command
    from supple.cli.app import built

    built()  # every child would repeat this
    warm_command()
    gc.freeze()  # collections in children would copy shared pages


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz.ladders", description=__doc__)
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every Nth ladder, beginning with the Ith")
    parser.add_argument("--only", default="", metavar="PREFIX", help="ladders whose names begin like this")
    parser.add_argument("--keep", type=Path, help="folder for bugs, distinct messages and keys without effect")
    parser.add_argument("--time-limit", type=float, default=10.0, help="processor time per value [s]")
    parser.add_argument("--show", action="store_true", help="print each value")
    return parser


if __name__ == "__main__":
    sys.exit(main())
