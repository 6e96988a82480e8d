"""A case: files in a folder, the work on them, and the classification of the outcome."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.worker import Limits, Outcome, limited

READ, REFUSED, BUG = "read", "refused", "bug"
LIMITS = Limits(seconds=10.0, wall=60.0, memory=1.0)


@dataclass(frozen=True)
class Case:
    """One case, which is ready to be tried; its files are written already."""

    label: str
    """The damage, and the file."""
    work: Callable[[], Any]
    named: str = ""
    """Word that a refusal must contain; empty for texts."""
    limits: Limits = LIMITS
    forbidden: tuple[Path, ...] = ()
    """Files that must not be there afterwards: traces of code that ran, or of a write outside."""


@dataclass(frozen=True)
class Verdict:
    """How a case ended."""

    kind: str
    reason: str = ""
    where: str = ""
    """For bugs: what makes two of them the same."""
    seconds: float = 0.0


def tried(case: Case, folder: Path) -> Verdict:
    """The verdict on a case whose files are in the folder."""
    outcome = limited(case.work, folder, case.limits)
    if outcome.hung:  # large files take long, but end
        outcome = limited(case.work, folder, case.limits.longer())
    kind, reason, where = _sorted(case, outcome)
    return Verdict(kind, reason, where, outcome.seconds)


def _sorted(case: Case, outcome: Outcome) -> tuple[str, str, str]:
    made = [path for path in case.forbidden if path.exists() or path.is_symlink()]
    if made:
        return BUG, f"wrote {made[0]}", "written outside"
    if outcome.hung:
        return (
            BUG,
            f"no answer within {case.limits.longer().seconds:g} s\n{outcome.stderr[-1500:]}",
            f"hang in {outcome.where}",
        )
    if outcome.signal:
        name = signal.Signals(outcome.signal).name
        return BUG, f"{name}\n{outcome.stderr[-1500:]}", f"{name} in {outcome.where}"
    if outcome.error:
        return BUG, outcome.traceback, f"{outcome.error} in {outcome.where}"
    strange = [line for line in outcome.warnings if not line.startswith("SuppleWarning")]
    if strange:
        return BUG, strange[0], strange[0][:80]
    if outcome.exit in (0, 1):
        return READ, "", ""
    if outcome.exit != 2:
        return BUG, f"exit {outcome.exit}: {outcome.stderr[-1500:]}", f"exit {outcome.exit}"
    if not outcome.stderr.strip() or "Traceback" in outcome.stderr:
        return BUG, f"a refusal without a sentence: {outcome.stderr[-1500:]}", "no sentence"
    if case.named and case.named not in outcome.stderr:
        return BUG, f"the sentence does not name {case.named}: {outcome.stderr[:500]}", "nameless"
    return REFUSED, outcome.stderr.strip()[:300], ""
