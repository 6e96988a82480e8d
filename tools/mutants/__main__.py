"""The mutation score of the physics: how many small wrong edits do the tests see?

    python tools/mutants --python .venv/bin/python --count 60 --seed 1 --minutes 30

Each mutant runs in a copy of the checkout with the tests of its package. Needs cosmic-ray (`requirements/supply.txt`).
Writes build/mutants.json; `--only NAME` repeats single mutants, by the names printed there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from sample import draw, named
from trial import Bench, Outcome

ROOT = Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", type=Path, default=Path(".venv/bin/python"), help="interpreter with the test dependencies"
    )
    parser.add_argument("--count", type=int, default=60, help="mutants to try")
    parser.add_argument(
        "--skip", type=int, default=0, help="mutants of this seed to leave out, to go on where a run ended"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="no new mutant is begun after this time")
    parser.add_argument("--limit", type=float, default=180.0, help="seconds for one mutant")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="try these mutants instead of a sample")
    parser.add_argument(
        "--kernels", type=Path, help="compiled kernels of this checkout (NUMBA_CACHE_DIR of its last test run)"
    )
    parser.add_argument("--where", type=Path, default=ROOT / "build" / "mutants", help="folder for the copy")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    source = ROOT / "src" / "supple"
    # the path is not resolved: the interpreter of a virtual environment is a link
    bench = Bench(ROOT, given.where.absolute(), given.python.absolute(), given.limit)
    print(f"{bench.warm(given.kernels)} folders of compiled kernels taken over", flush=True)
    chosen = [named(source, name) for name in given.only] or islice(
        draw(source, given.seed), given.skip, given.skip + given.count
    )
    ends, outcomes = time.monotonic() + 60 * given.minutes, []
    for mutant in chosen:
        if time.monotonic() > ends:
            break
        outcomes.append(bench.meet(mutant))
        show(outcomes[-1])
        write(given, outcomes)
    counts = Counter(outcome.verdict for outcome in outcomes)
    seen = counts["killed"] + counts["late"]
    print(
        f"{seen} of {len(outcomes)} mutants seen ({counts['late']} by a run that did not end), {counts['survived']} survived"
    )
    return 1 if counts["survived"] else 0


def show(outcome: Outcome) -> None:
    mutant = outcome.mutant
    print(f"{outcome.verdict:8s} {outcome.seconds:5.0f} s  {mutant.name}", flush=True)
    if outcome.verdict == "survived":
        print(f"    - {mutant.before}\n    + {mutant.after}", flush=True)


def write(given: argparse.Namespace, outcomes: list[Outcome]) -> None:
    record = {"seed": given.seed, "mutants": [asdict(outcome) | {"name": outcome.mutant.name} for outcome in outcomes]}
    (given.where / "mutants.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
