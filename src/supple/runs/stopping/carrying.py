"""Carry a run to its end, or to an early stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from supple.errors import LimitReached, SuppleError
from supple.loop import Frame
from supple.recording.folder import RunStatus
from supple.runs.job import Job
from supple.runs.stopping.guard import Guard

T = TypeVar("T")


@dataclass(frozen=True)
class End:
    """How a run ended, in order."""

    status: RunStatus
    limit: str = ""
    """The reached limit, as a sentence."""
    complaints: tuple[str, ...] = ()
    """Problem at the end, if any."""


def building(work: Callable[[], T], guard: Guard) -> T:
    """Work before the first step; a stop there leaves nothing to resume."""
    try:
        return work()
    except KeyboardInterrupt:
        if guard.overrun:
            raise LimitReached(
                f"{guard.overrun} before the first step; nothing can be resumed: allow more time"
            ) from None
        raise KeyboardInterrupt("interrupted before the first step; nothing can be resumed: start it again") from None
    except MemoryError:
        guard.give_memory()
        kind = LimitReached if guard.budget.bytes else SuppleError
        raise kind(
            f"{guard.budget.out_of_memory} before the first step; nothing can be resumed: allow more, or use a smaller scene"
        ) from None


def taken(job: Job, guard: Guard, told: Callable[[Frame], None]) -> End:
    """Steps up to the last one, or to a request or a limit; the folder is closed in any case.

    A `KeyboardInterrupt` is a second request; its folder is resumed from the last checkpoint.
    """
    status, reason, whole = RunStatus.FINISHED, "", False
    with guard.steps(lambda: job.folder.mark(RunStatus.INTERRUPTED)):
        try:
            for frame in job.frames():
                told(frame)
                reason = guard.reason() if job.progress.whole_steps < job.steps else ""
                if reason:
                    status = RunStatus.INTERRUPTED
                    break
            job.save()
            whole = True
            complaints = job.finish(status, reason)
        except BaseException as problem:
            guard.give_memory()
            if whole:  # everything is on file except the plot and the status
                job.folder.mark(RunStatus.INTERRUPTED)
                job.folder.close()
            _end(job, guard, problem, closed=whole)
    limit = reason if reason and not guard.asked else ""
    return End(status, limit, tuple(complaints))


def _end(job: Job, guard: Guard, problem: BaseException, closed: bool) -> NoReturn:
    """Close a run whose step was aborted, with the reason."""
    again = f"continue from the last checkpoint with: supple run --resume {job.folder.path}"
    error: BaseException
    if isinstance(problem, KeyboardInterrupt):
        status, error = RunStatus.INTERRUPTED, KeyboardInterrupt(f"interrupted; {again}")
        if guard.overrun:
            error = LimitReached(f"{guard.overrun}; {again}")
    elif isinstance(problem, MemoryError):
        limited = bool(guard.budget.bytes)
        status = RunStatus.INTERRUPTED if limited else RunStatus.FAILED
        error = (LimitReached if limited else SuppleError)(
            f"step {job.progress.step + 1}: {guard.budget.out_of_memory}; with more, {again}"
        )
    else:
        status, error = RunStatus.FAILED, problem
    if not closed:
        job.finish(status, str(error))
    raise error from (problem if error is not problem and not isinstance(problem, KeyboardInterrupt) else None)
