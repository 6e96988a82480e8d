"""Tasks of a sweep in this process, one after the other: no cluster has to start for two or three short runs."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from supple.sweeps.task import Outcome, Taken, Task, carry_out

if TYPE_CHECKING:
    from supple.sweeps.cluster.load import Load, Reports


@dataclass(frozen=True)
class Alone:
    """This process in the place of a farm."""

    taken: Taken
    """Takes each run to its end, and shows how far it is."""

    def takes(self, load: Load) -> InTurn:
        """What hands out the tasks of a sweep."""
        return InTurn(load, self.taken)


@dataclass(frozen=True)
class InTurn:
    """Has the methods of `Drive`."""

    load: Load
    taken: Taken

    def outcomes(self, tasks: Iterable[Task], told: Reports) -> Generator[Outcome, None, None]:
        """Each after its run."""
        for task in tasks:
            told.submitted(task)
            yield carry_out(task, self.load.site, self.load.measures, {}, self.taken)

    def warm(self, tasks: Sequence[Task]) -> None:
        """Kernels are compiled by the first run that needs them, since no other one waits for them."""
