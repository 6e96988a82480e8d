"""Random visitors of the live page: `PYTHONPATH=tests python -m fuzz.page.fuzz_page --visits 1000 --seed 1`.

A visit is determined by the seed and its number; `--visit SEED:NUMBER` repeats one and shows what was said.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

from fuzz.worker import Limits, Outcome, limited, prepare_process

LIMITS = Limits(seconds=20.0, wall=200.0)


def tried(start: int, number: int, folder: Path) -> tuple[str, str, Outcome]:
    """How a visit ended: kind, what makes two bugs the same, and the outcome."""
    from fuzz.page.visiting import visit

    work = partial(visit, start, number)
    outcome = limited(work, folder / "first", LIMITS)
    if outcome.hung:
        outcome = limited(work, folder / "again", LIMITS.longer())
    if outcome.hung or outcome.signal:
        return "bug", f"{'hang' if outcome.hung else 'signal'} in {outcome.where}", outcome
    if outcome.error:
        return "bug", f"{outcome.error} in {outcome.where}", outcome
    strange = [line for line in outcome.warnings if not line.startswith("SuppleWarning")]
    if strange:
        return "bug", strange[0][:100], outcome
    if outcome.exit == 2:
        return "refused", "", outcome
    faults = outcome.result["faults"]
    return ("bug", faults[0][:60], outcome) if faults else ("visited", "", outcome)


def many(start: int, numbers: range) -> tuple[Counter[str], dict[str, str]]:
    """How many visits ended how, and the first visit of each bug."""
    counts: Counter[str] = Counter()
    bugs: dict[str, str] = {}
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="supple-fuzz-") as name:
            kind, group, outcome = tried(start, number, Path(name))
        counts[kind] += 1
        if kind == "bug" and group not in bugs:
            bugs[group] = f"{start}:{number}"
            sys.stdout.write(f"BUG {start}:{number} {group}\n{shown(outcome)}\n\n")
            sys.stdout.flush()
    return counts, bugs


def shown(outcome: Outcome) -> str:
    """Everything that helps to understand an outcome."""
    result = outcome.result or {}
    told = "\n".join([*result.get("faults", ()), *(f"note: {note}" for note in result.get("notes", ()))])
    return f"{told}\n{outcome.traceback}\n{outcome.stderr[-1500:]}".strip()


def main() -> int:
    """The campaign, or a single visit; returns the exit code."""
    prepare_process()
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--visits", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="Number of the first visit.")
    options.add_argument("--visit", metavar="SEED:NUMBER", help="Repeat this one, in a folder that is kept.")
    given = options.parse_args()
    if given.visit:
        from fuzz.page.visiting import scene_text

        start, number = map(int, given.visit.split(":"))
        folder = Path(tempfile.mkdtemp(prefix="supple-fuzz-"))
        kind, group, outcome = tried(start, number, folder)
        sys.stdout.write(f"{scene_text(start, number)}\n{folder}\n{kind} {group}\n{shown(outcome)}\n")
        return int(kind == "bug")
    began = time.monotonic()
    counts, bugs = many(given.seed, range(given.first, given.first + given.visits))
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    sys.stdout.write(f"seed {given.seed}: {words}, {time.monotonic() - began:.0f} s\n")
    return int(bool(bugs))


if __name__ == "__main__":
    sys.exit(main())
