"""A case run in a child with limits and sorted; and made as small as it can be while it shows the same bug."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from fuzz.cases import Case, Garble
from fuzz.mutations import MISSING, Put, paths
from fuzz.seeds import Seed
from fuzz.sorting import Verdict, verdict
from fuzz.worker import Limits, command, limited

C = TypeVar("C", bound=Case)
COLD = 5
"""Children that may be lost to compiling kernels."""
LONGEST = 20.0
"""Time that a reduction may take [s]."""


def attempt(case: Case, limits: Limits, keep: Path | None = None) -> Verdict:
    """Run a case, again if kernels took its time; its folder is removed unless `keep` names another place.

    A case that does not end in time gets longer once: steps that are hard to solve may take long, but end.
    """
    found = _warm(case, limits, keep)
    if found.kind != "hang":
        return found
    return replace(_warm(case, limits.longer(), keep), slow=True)


def _warm(case: Case, limits: Limits, keep: Path | None) -> Verdict:
    for cold in reversed(range(COLD)):
        found, compiling = _once(case, limits, keep)
        if not (cold and compiling):
            break
    return found


def _once(case: Case, limits: Limits, keep: Path | None) -> tuple[Verdict, bool]:
    """How it ended, and whether that was in Numba's compiler."""
    folder = Path(tempfile.mkdtemp(prefix="supple-fuzz-"))
    try:
        case.write(folder)
        before = frozenset(entry.name for entry in folder.iterdir())
        outcome = limited(command(case.arguments()), folder, limits)
        return verdict(outcome, folder, before), outcome.compiling
    finally:
        if keep is not None:
            shutil.copytree(folder, keep, dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


def reduced(
    case: C, bug: Verdict, limits: Limits, seconds: float = LONGEST, tried: Callable[[C, Limits], Verdict] | None = None
) -> C:
    """The smallest case found that shows the same bug: changes are left out, then tables and keys. `tried`: runs a case,
    `attempt` by default."""
    end = time.monotonic() + seconds

    def same(other: C) -> bool:
        found = tried(other, limits) if tried else attempt(other, limits)
        return (found.kind, found.group) == (bug.kind, bug.group)

    part = 0
    while part < case.parts() and time.monotonic() < end:
        smaller = case.without(part)
        case, part = (smaller, part) if same(smaller) else (case, part + 1)
    if any(isinstance(change, Garble) for change in case.changes):
        return case
    case = replace(case, base=Seed(case.base.name, case.tables(), case.base.files), changes=())
    for path in sorted(paths(case.base.tables), key=len):
        if time.monotonic() > end:
            break
        smaller = replace(case, base=Seed(case.base.name, _without(case, path), case.base.files))
        if smaller.base.tables != case.base.tables and same(smaller):
            case = smaller
    return case


def _without(case: Case, path: tuple[str | int, ...]) -> dict[str, object]:
    return replace(case, changes=(Put(path, MISSING),)).tables()
