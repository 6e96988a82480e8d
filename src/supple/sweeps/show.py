"""Progress of a sweep: a bar for all runs, and a line for each worker with the run that it computes.

Workers send their progress as cluster events, at most a few times per second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from supple.escaping import visible
from supple.sweeps.campaign import Campaign, Told
from supple.sweeps.farm import Farm
from supple.sweeps.manifest import Row, State
from supple.sweeps.plan import label
from supple.sweeps.task import TOPIC

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


@contextmanager
def shown(campaign: Campaign, farm: Farm, wanted: bool, console: Console | None = None) -> Iterator[Told]:
    """Callback of `Campaign.go` for each changed row."""
    if not wanted:
        with nullcontext():
            yield lambda row: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console) as bar:
        board = _Board(bar, campaign, farm.local)
        farm.client.subscribe_topic(TOPIC, lambda event: board.heard(event[1]))
        try:
            yield board.told
        finally:
            if not farm.lost():
                farm.client.unsubscribe_topic(TOPIC)


class _Board:
    """The lines, by worker."""

    def __init__(self, bar: Progress, campaign: Campaign, local: bool) -> None:
        self._bar, self._rows, self._local = bar, campaign.manifest.rows, local
        done = sum(row.state in {State.FINISHED, State.FAILED} for row in self._rows)
        self._failed = 0
        self._all = bar.add_task("sweep", total=len(self._rows), completed=done, state="")
        self._lines: dict[str, Any] = {}
        self._line_of: dict[int, Any] = {}
        """By run."""
        self._deaths = Counter({row.index: row.deaths for row in self._rows})

    def told(self, row: Row) -> None:
        if row.state is State.RUNNING and row.deaths > self._deaths[row.index]:
            self._deaths[row.index] = row.deaths
            said = "its worker died; the run continues from its last checkpoint on another one"
            self._bar.console.print(f"run {row.index} ({label(row.values)}): {said}", markup=False)
        if row.state not in {State.FINISHED, State.FAILED}:
            return
        if row.index in self._line_of:  # its worker may have finished between two reports
            line = self._line_of.pop(row.index)
            self._bar.update(line, completed=self._bar.tasks[line].total, state=f"run {row.index}: {row.state}")
        if row.state is State.FAILED:
            self._failed += 1
            self._bar.console.print(f"run {row.index} ({label(row.values)}) failed: {row.error}", markup=False)
        self._bar.update(self._all, advance=1, state=f"{self._failed} failed" if self._failed else "")

    def heard(self, event: dict[str, Any]) -> None:
        """Progress of a worker with its run."""
        row, worker = self._rows[event["index"]], event["worker"]
        if worker not in self._lines:
            name = f"worker {len(self._lines) + 1}" if self._local else worker
            self._lines[worker] = self._bar.add_task(visible(f"  {name}"), total=event["steps"], state="")
        line = self._line_of[row.index] = self._lines[worker]
        said = f"run {row.index}: {label(row.values)}"
        self._bar.update(line, total=event["steps"], completed=event["done"], state=said)
