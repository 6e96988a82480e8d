"""Tasks of a sweep in this process, in sequence: a few short runs need no cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from supple.sweeps.task import Outcome, Taken, Task, carry_out

if TYPE_CHECKING:
    from supple.sweeps.cluster.load import Load, Reports


@dataclass(frozen=True)
class Alone:
    """This process instead of a farm."""

    taken: Taken
    """Carries each run to its end, with progress."""

    def takes(self, load: Load) -> InTurn:
        """Distributes the tasks of a sweep."""
        return InTurn(load, self.taken)


@dataclass(frozen=True)
class InTurn:
    """Has the methods of `Drive`."""

    load: Load
    taken: Taken

    def outcomes(self, tasks: Iterable[Task], told: Reports) -> Generator[Outcome, None, None]:
        """Yields each outcome after its run."""
        for task in tasks:
            told.submitted(task)
            yield carry_out(task, self.load.site, self.load.measures, {}, self.taken)

    def warm(self, tasks: Sequence[Task]) -> None:
        """Nothing to prepare: kernels are compiled by the first run that needs them."""
