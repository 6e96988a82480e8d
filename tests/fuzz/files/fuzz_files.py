"""The fuzzer of files: `python -m fuzz.files.fuzz_files --meshes 2000 --folders 1000 --seed 1` in the folder `tests`.

A case is determined by the seed, its kind and its number. Each bug is printed once, with the command that repeats it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from fuzz.files.case import BUG, Case, Verdict, tried
from fuzz.worker import prepare_process

Maker = Callable[[Random, Path], Case]


def makers() -> dict[str, Maker]:
    """The kinds of cases."""
    from fuzz.files.clips import clip_case
    from fuzz.files.commands import command_case
    from fuzz.files.folders import folder_case
    from fuzz.files.formulas import formula_case
    from fuzz.files.meshes import mesh_case

    return {
        "meshes": mesh_case,
        "clips": clip_case,
        "folders": folder_case,
        "formulas": formula_case,
        "commands": command_case,
    }


def one(kind: str, seed: int, number: int, folder: Path) -> tuple[Case, Verdict]:
    """Make a case in an empty folder and try it."""
    case = makers()[kind](Random(f"{seed} {kind} {number}"), folder)
    return case, tried(case, folder)


def many(kind: str, seed: int, numbers: range, keep: Path | None = None) -> tuple[Counter[str], dict[str, str]]:
    """How many cases ended how, and one report for each bug, which is printed when it is found."""
    counts: Counter[str] = Counter()
    bugs: dict[str, str] = {}
    slowest = 0.0
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="supple-fuzz-") as name:
            folder = Path(name) / "case"
            case, verdict = one(kind, seed, number, folder)
            counts[verdict.kind] += 1
            slowest = max(slowest, verdict.seconds)
            if verdict.kind == BUG and verdict.where not in bugs:
                bugs[verdict.where] = report(kind, seed, number, case, verdict)
                sys.stdout.write(f"BUG {bugs[verdict.where]}\n\n")
                sys.stdout.flush()
                if keep is not None:
                    shutil.copytree(folder, keep / f"{kind}-{seed}-{number}", symlinks=True, ignore=_pipes)
    counts["slowest [ms]"] = round(1000 * slowest)
    return counts, bugs


def report(kind: str, seed: int, number: int, case: Case, verdict: Verdict) -> str:
    """A bug, and how to see it again."""
    command = f"python -m fuzz.files.fuzz_files --only {kind} {number} --seed {seed}"
    return f"{verdict.where}\n  {case.label}\n  {command}\n{verdict.reason}"


def _pipes(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if not (Path(folder) / name).is_file() and not (Path(folder) / name).is_dir()}


def main() -> int:
    """The whole campaign, or a single case; returns the exit code."""
    prepare_process()
    options = argparse.ArgumentParser(description=__doc__)
    for kind in makers():
        options.add_argument(f"--{kind}", type=int, default=0, metavar="N")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", nargs=2, metavar=("KIND", "NUMBER"), help="One case, whose files are kept.")
    options.add_argument("--first", type=int, default=0, help="Number of the first case.")
    options.add_argument("--keep", type=Path, help="A folder for the files of bugs.")
    given = options.parse_args()
    if given.only:
        folder = Path(tempfile.mkdtemp(prefix="supple-fuzz-")) / "case"
        case, verdict = one(given.only[0], given.seed, int(given.only[1]), folder)
        sys.stdout.write(
            f"{case.label}\n{folder}\n{verdict.kind} {verdict.where} {verdict.seconds:.2f} s\n{verdict.reason}\n"
        )
        return int(verdict.kind == BUG)
    found = 0
    for kind in makers():
        count = getattr(given, kind)
        if not count:
            continue
        began = time.monotonic()
        counts, bugs = many(kind, given.seed, range(given.first, given.first + count), given.keep)
        shown = ", ".join(f"{number} {word}" for word, number in sorted(counts.items()))
        sys.stdout.write(f"{kind}, seed {given.seed}: {shown}, {time.monotonic() - began:.0f} s\n")
        sys.stdout.flush()
        found += len(bugs)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
