"""One case, run as often as there is something to compare."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from fuzz.again.comparing import Facts, document, facts, first_difference, last_step
from fuzz.again.restoring import restored
from fuzz.again.scenes import Rerun, resumed
from fuzz.again.stopping import stop, torn, two_threads
from fuzz.cases import OUT
from fuzz.sorting import Verdict, verdict
from fuzz.worker import Limits, Outcome, command, limited

TRIES = 4
"""Children that may be lost to compiling kernels."""
SLOW = Verdict("stopped", slow=True)
"""Of runs beyond the limit of time: whether they end is a question of the other fuzzer."""
THREADS = 2
"""Of the second runs."""


@dataclass(frozen=True)
class Trace:
    """A run to its end: how it ended, and everything it left."""

    verdict: Verdict
    facts: Facts = field(default_factory=dict)
    steps: int = 0
    method: str = ""
    """Of the scene: differences of several methods have several causes."""

    @property
    def comparable(self) -> bool:
        """Whether the run took place, to its end or to an honest failure."""
        return bool(self.facts)


def whole(case: Rerun, limits: Limits, threads: int = 1) -> Trace:
    """The run undisturbed."""
    with _Folder(case) as folder:
        work = command(case.started()) if threads == 1 else two_threads(case.started(threads))
        method = case.tables().get("integrator")
        name = method.get("name") if isinstance(method, dict) else method
        return replace(_traced(folder.done(work, limits), folder), method=str(name))


def stopped(case: Rerun, undisturbed: Trace, limits: Limits) -> Verdict:
    """The run killed once or twice and continued; a verdict on what differs from the undisturbed run."""
    chance = Random(f"stops {case.name}")
    with _Folder(case) as folder:
        saved, words, moments = 0, case.started(), []
        for _ in range(chance.choice((1, 2))):
            place = stop(saved, undisturbed.steps, chance)
            moments.append(str(place))
            outcome = folder.done(place.during(words), limits)
            if outcome.hung:
                return SLOW
            if not place.happened(outcome):
                said = f"{outcome.error} {outcome.stderr[-600:]}\n{outcome.traceback[-1200:]}"
                return Verdict("dishonest", f"no end by {place.number.name}", "; ".join((*moments, said)))
            if place.kills:
                torn(folder.path / OUT / "history.csv", chance)
            saved, words = place.save, resumed()
            if saved == undisturbed.steps:
                break
        found = _traced(folder.done(command(words), limits), folder)
        return compared(undisturbed, found, "resumed", "; ".join(moments))


def first_half(case: Rerun, limits: Limits) -> tuple[Trace, Verdict]:
    """The undisturbed run, and a verdict on those that were restored and stopped."""
    trace = whole(case, limits)
    if not trace.comparable:
        return trace, trace.verdict
    found = restored_always(case, trace, limits)
    return trace, found if found.bug else stopped(case, trace, limits)


def second_half(case: Rerun, undisturbed: Trace, limits: Limits) -> Verdict:
    """The run once more, on two threads; on one if that differs, to tell which of both it was."""
    found = compared(undisturbed, whole(case, limits, THREADS), "two threads")
    once = compared(undisturbed, whole(case, limits), "again") if found.bug else found
    return once if once.bug else found


def attempt(case: Rerun, limits: Limits) -> Verdict:
    """A verdict on all runs of a case."""
    trace, found = first_half(case, limits)
    return second_half(case, trace, limits) if trace.comparable and not found.bug else found


def restored_always(case: Rerun, undisturbed: Trace, limits: Limits) -> Verdict:
    """The run restored from a checkpoint after every step; a verdict on what differs from the undisturbed run."""
    with _Folder(case) as folder:
        outcome = folder.done(restored(case.settings, case.steps), limits)
    if outcome.hung:
        return SLOW
    found: Facts | None = outcome.result
    failure = "no result" if found is None else found.pop("failure", "")
    reason = undisturbed.facts.get("reason", "")
    if found is None or bool(failure) != bool(reason) or failure.partition("\n")[0] not in reason:
        said = f"{outcome.stderr[-600:]}\n{outcome.traceback[-1200:]}\n{failure}\n{reason}"
        return Verdict("difference", f"restored: another end of {undisturbed.method}", said)
    return compared(undisturbed, replace(undisturbed, facts=undisturbed.facts | found), "restored")


def compared(one: Trace, two: Trace, how: str, remark: str = "") -> Verdict:
    """A verdict on two runs that should be equal."""
    if two.verdict is SLOW:
        return SLOW
    if (one.verdict.kind, one.verdict.group) != (two.verdict.kind, two.verdict.group):
        said = f"{one.verdict.kind} {one.verdict.detail}\n{two.verdict.kind} {two.verdict.group} {two.verdict.detail}"
        return Verdict("difference", f"{how}: ended as {two.verdict.kind}, not {one.verdict.kind}", f"{remark}\n{said}")
    found = first_difference(one.facts, two.facts)
    if not found:
        return one.verdict
    what = found.partition(":")[0]
    group = " ".join(word for word in what.split() if not word.isdigit())
    return Verdict("difference", f"{how}: {group} of {one.method}", f"{remark}\n{found}")


class _Folder:
    """The files of a case in a temporary folder."""

    def __init__(self, case: Rerun) -> None:
        self._case = case

    def __enter__(self) -> _Folder:
        self.path = Path(tempfile.mkdtemp(prefix="supple-again-"))
        self._case.write(self.path)
        self._before = frozenset(entry.name for entry in self.path.iterdir())
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def done(self, work: Callable[[], Any], limits: Limits) -> Outcome:
        """The work in a child; again from the same files if a compiler took its time."""
        copy = self.path.with_name(f"{self.path.name}-before")
        for _ in range(TRIES):
            shutil.copytree(self.path, copy)
            outcome = limited(work, self.path, limits)
            if not outcome.compiling:
                shutil.rmtree(copy)
                break
            shutil.rmtree(self.path)
            copy.rename(self.path)
        return outcome

    def sorted(self, outcome: Outcome) -> Verdict:
        """How a run in this folder ended."""
        return verdict(outcome, self.path, self._before)


def _traced(outcome: Outcome, folder: _Folder) -> Trace:
    """What an ended run left; a failed one is compared too, with its reason."""
    found = SLOW if outcome.hung else folder.sorted(outcome)
    if found is SLOW or found.bug or found.kind == "refused":
        return Trace(found)
    run = folder.path / OUT
    left = facts(run)
    if found.kind == "failed":  # its last checkpoint is that of any earlier step
        left = {name: text for name, text in left.items() if not name.startswith("checkpoint")}
        left["reason"] = (run / "log.txt").read_text(encoding="utf-8").splitlines()[-1]
    else:
        left["document"] = str(document(outcome.stdout))
    return Trace(replace(found, detail=""), left, last_step(run))
