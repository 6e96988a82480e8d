"""Submits tasks to workers and collects their outcomes, a few at a time.

Only a window of tasks is with the scheduler at any moment, so ten thousand runs need no more memory than ten.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from supple.errors import SuppleError
from supple.sweeps.cluster.deaths import Death, Watch
from supple.sweeps.cluster.load import Load, Reports
from supple.sweeps.cluster.tries import Tries
from supple.sweeps.collect import collect
from supple.sweeps.farm import Farm
from supple.sweeps.site import Site, discard
from supple.sweeps.task import Outcome, Task, carry_out, get_ready, rehearse

AHEAD = 2
"""Tasks with the scheduler per worker: one running and one waiting."""
COUNTED = 2.0
"""Interval between checks of the number of workers [s]."""

LOOK = 3.0
"""Time without events after which workers are checked [s]."""


class SchedulerLost(SuppleError):
    """The scheduler is lost, with all its pending tasks."""


class Drive:
    """Tasks sent to the workers of a farm, and their returning outcomes."""

    def __init__(self, farm: Farm, load: Load) -> None:
        self._farm, self._load = farm, load
        self._sent: dict[str, Any] = {}
        self._open: dict[Any, Task] = {}
        self._news: SimpleQueue[Any] = SimpleQueue()
        """Completed futures and worker deaths."""
        self._tries = Tries()
        self._workers, self._counted = 1, -COUNTED
        self._idle: set[Any] = set()

    def outcomes(self, tasks: Iterable[Task], told: Reports) -> Generator[Outcome, None, None]:
        """Outcomes in order of completion."""
        waiting = iter(tasks)
        try:
            with Watch(self._farm.client, self._news.put):
                self._fill(waiting, told)
                while self._open:
                    outcome = self._next(told)
                    self._fill(waiting, told)
                    if outcome is not None:
                        yield outcome
        except OSError as problem:  # network errors; errors of runs are outcomes
            raise self._lost() from problem
        finally:
            self._leave()

    def warm(self, tasks: Sequence[Task]) -> None:
        """Compile kernels on one worker of each machine before the others need them: one step of each task in turn. The
        others import their modules meanwhile."""
        submit, hosts = self._farm.client.submit, self._farm.one_per_host()
        others = [address for address in self._farm.workers() if address not in hosts]
        ready = {address: submit(get_ready, pure=False, workers=[address]) for address in others}
        for task in tasks:
            given = task, self._load.site, self._files(task)
            self._done({host: submit(rehearse, *given, pure=False, workers=[host]) for host in hosts})
        self._done(ready)

    def _done(self, futures: dict[str, Any]) -> None:
        """Wait for preparations on workers. A worker death during one is reported again when the task runs; the task of the
        dead one would wait for its address."""
        from distributed import KilledWorker

        for address, future in futures.items():
            done = False
            while not done:
                try:
                    future.result(timeout=LOOK)
                    done = True
                except KilledWorker:
                    done = True
                except TimeoutError:
                    self._look_after_workers()
                    done = address not in self._farm.workers()
                    if self._farm.lost():
                        raise self._lost() from None
                except (CancelledError, OSError) as problem:
                    raise self._lost() from problem
            future.release()

    def _next(self, told: Reports) -> Outcome | None:
        """Wait for an event; returns the outcome of a run, if any."""
        try:
            news = self._news.get(timeout=LOOK)
        except Empty:
            self._look_after_workers()
            return None
        if isinstance(news, Death):
            self._bury(news, told)
            return None
        task = self._open.pop(news, None)
        if task is None:
            return None
        outcome = self._outcome(news, task)
        news.release()
        if outcome is None:
            self._submit(task)
        return outcome

    def _look_after_workers(self) -> None:
        """Restart local workers that are missing in two consecutive checks."""
        idle = self._farm.idle_nannies()
        self._farm.revive(idle & self._idle)
        self._idle = idle

    def _bury(self, death: Death, told: Reports) -> None:
        for task in self._open.values():
            if task.index == death.index:
                if not death.expected:
                    self._tries.died(task.index)
                told.died(task)

    def _outcome(self, future: Any, task: Task) -> Outcome | None:
        """The outcome of a task; None if it has to be resubmitted."""
        from distributed import KilledWorker

        try:
            return self._home(future.result(), task)
        except CancelledError as problem:
            if self._farm.lost() or getattr(problem, "reason", "") == "scheduler-connection-lost":
                raise self._lost() from problem
            return _failed(task, self._tries.once_more(task.index, "the cluster cancelled this run"))
        except KilledWorker:
            return _failed(task, self._tries.verdict(task.index))
        except Exception as problem:  # whatever a worker may raise is a row of the table
            return _failed(task, f"{type(problem).__name__}: {problem}")

    def _fill(self, waiting: Iterator[Task], told: Reports) -> None:
        if time.monotonic() - self._counted >= COUNTED:
            self._workers, self._counted = max(1, len(self._farm.workers())), time.monotonic()
        for task in islice(waiting, max(0, AHEAD * self._workers - len(self._open))):
            told.submitted(task)
            self._submit(task)

    def _submit(self, task: Task) -> None:
        given = task, self._load.site, self._load.measures, self._files(task)
        future = self._farm.client.submit(carry_out, *given, pure=False)
        self._open[future] = task
        future.add_done_callback(self._news.put)

    def _files(self, task: Task) -> dict[str, Any]:
        """Files of a task that its worker cannot find; each is sent to the cluster once."""
        if self._load.site.shared:
            return {}
        for name in task.files:
            if name not in self._sent or self._sent[name].status != "finished":
                self._sent[name] = self._farm.client.scatter(self._load.contents(name), broadcast=True)
        return {name: self._sent[name] for name in task.files}

    def _home(self, outcome: Outcome, task: Task) -> Outcome | None:
        """The outcome of a run that is in the folder of the sweep; None if its worker died before it was collected."""
        if self._load.site.shared or not outcome.address:
            return outcome
        try:
            collect(self._farm, self._load.site, outcome, task.folder)
        except Exception as problem:  # the worker may be gone, or the disk full: the run is not here
            if outcome.address not in self._farm.workers():
                return _failed(task, self._tries.once_more(task.index, "its worker died before the run was collected"))
            return replace(outcome, error=f"could not be collected: {problem}", measures={})
        return outcome

    def _leave(self) -> None:
        """Stop tasks in progress, and fetch the remains of a collected sweep from its workers."""
        if self._farm.lost():
            return
        with suppress(OSError, CancelledError):
            self._farm.client.cancel(list(self._open))
            if not self._load.site.shared:
                self._farm.client.run(_forget, self._load.site, on_error="ignore")

    def _lost(self) -> SchedulerLost:
        return SchedulerLost(
            f"{self._farm.address}: the scheduler no longer responds; finished runs are kept. When it is back, continue with "
            f"supple sweep --resume {self._load.site.root}"
        )


def _failed(task: Task, error: str | None) -> Outcome | None:
    return None if error is None else Outcome(task.index, error, 0.0, "")


def _forget(site: Site, dask_worker: Any) -> None:
    discard(str(site.on(dask_worker.local_directory)))
