"""A tour: the selected panels, run by the workers of a sweep.

Panels that measure time run last, one at a time, with no other work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from supple.errors import SuppleError
from supple.gallery.outcome import Outcome
from supple.gallery.panel import Panel
from supple.gallery.verdicts import Verdict
from supple.gallery.work import carry_out, done_before
from supple.recording.files import make_folder
from supple.sweeps.farm import ATTEMPTS, Farm, open_farm

if TYPE_CHECKING:
    from distributed import Future
    from rich.console import Console

Told = Callable[[str, Outcome | None], None]
"""Called when a panel is submitted to the workers (None) and when it is done."""


@dataclass
class Tour:
    """Panels and their outcomes, by name."""

    panels: list[type[Panel]]
    root: Path
    full: bool
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @classmethod
    def of(cls, panels: list[type[Panel]], root: Path, full: bool) -> Tour:
        """A tour with the finished panels of an earlier one in the same folder."""
        found = {panel.name: done_before(panel.name, root, full) for panel in panels}
        return cls(panels, root, full, {name: outcome for name, outcome in found.items() if outcome is not None})

    @property
    def left(self) -> list[type[Panel]]:
        """Remaining panels."""
        return [panel for panel in self.panels if panel.name not in self.outcomes]

    def go(self, told: Told, workers: int | None = None, scheduler: str | None = None) -> None:
        """Run the remaining panels."""
        left = self.left
        if not left:
            return
        make_folder(self.root)
        with open_farm(workers, 1, scheduler) as farm:
            self._study(farm, [panel.name for panel in left if not panel.alone], told)
            for panel in left:
                if panel.alone:
                    self._study(farm, [panel.name], told)

    def _study(self, farm: Farm, names: Sequence[str], told: Told) -> None:
        from distributed import as_completed

        if not names:
            return
        root = str(self.root.resolve())
        tasks = {farm.client.submit(carry_out, name, root, self.full, pure=False): name for name in names}
        for name in names:
            told(name, None)
        for future in as_completed(tasks, loop=farm.client.loop):
            name = tasks[future]
            outcome = self.outcomes[name] = _outcome(future, name, self.full)
            told(name, outcome)


def _outcome(future: Future, name: str, full: bool) -> Outcome:
    from distributed import KilledWorker

    try:
        found: Outcome = future.result()
        return found
    except KilledWorker:
        return Outcome(
            name,
            full,
            Verdict.FAILED,
            error=f"{ATTEMPTS + 1} workers died while running it; the machine may be out of memory",
        )
    except CancelledError:
        raise SuppleError(
            "the scheduler does not respond; finished panels are kept: start the same command again"
        ) from None


@contextmanager
def shown(tour: Tour, console: Console) -> Iterator[Told]:
    """A progress bar over all panels, and a line per finished panel."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("gallery"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    titles = {panel.name: panel.title for panel in tour.panels}
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=len(tour.panels), completed=len(tour.outcomes))

        def told(name: str, outcome: Outcome | None) -> None:
            if outcome is None:
                return
            said = outcome.error or outcome.verdict
            bar.console.print(
                f"{name:<6} {titles[name]}: {said} ({outcome.seconds:.1f} s)", markup=False, highlight=False
            )
            bar.update(task, advance=1)

        yield told
