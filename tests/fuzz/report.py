"""Output of a campaign: a progress bar, a table by kind, a line and a reproducer for each bug."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from fuzz.campaign import Group, Tally
from fuzz.sorting import BUGS, IN_ORDER

LINES = 500
"""Pieces of work between two lines of progress in a file."""
REASONS = 12
"""Reasons of refusals in a summary."""


class Show:
    """The terminal, or stderr when stdout is for JSON."""

    def __init__(self, as_json: bool = False, lines: int = LINES) -> None:
        self.as_json = as_json
        self._every = lines
        self.console = Console(stderr=as_json, highlight=False, soft_wrap=True)

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[str], None]]:
        """A progress bar; call its result after each piece of work. In a file, a line now and then."""
        if not self.console.is_terminal:
            yield self._lines(title, total)
            return
        words = TextColumn("{task.description}", markup=False)
        with Progress(
            words, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(), console=self.console
        ) as progress:
            task = progress.add_task(title, total=total)
            yield lambda said: progress.update(task, advance=1, description=f"{title}: {said}")

    def _lines(self, title: str, total: int) -> Callable[[str], None]:
        done = count()

        def step(said: str) -> None:
            number = next(done) + 1
            if number % self._every == 0 or number == total:
                self.console.print(f"{title}: {number:,} of {total:,}, {said}", markup=False)

        return step

    def found(self, group: Group) -> None:
        """A bug that was not met before, as soon as it is."""
        self.console.print(f"{group.kind}: {group.name} ({group.first})", markup=False)

    def summary(self, tally: Tally, seed: int, seconds: float) -> None:
        """Table, bugs and reproducers."""
        table = Table("kind", "cases", title=f"seed {seed}: {tally.kinds.total()} cases in {seconds:.0f} s")
        for kind in (*IN_ORDER, *BUGS):
            if tally.kinds[kind]:
                table.add_row(kind, f"{tally.kinds[kind]:,}", style="red" if kind in BUGS else None)
        groups = sorted(tally.groups.values(), key=lambda group: -group.count)
        for group in groups:
            self.console.print(text_of(group), markup=False)
        for group in groups:
            self.console.print(f"{group.count:5d} x {group.kind}: {group.name} ({group.first})", markup=False)
        for words, times in tally.reasons.most_common(REASONS):
            self.console.print(f"{times:5d} x refused: {words}", markup=False)
        if tally.slow:
            self.console.print(f"slow: {', '.join(sorted(tally.slow))}", markup=False)
        self.console.print(table)
        if self.as_json:
            document = {"seed": seed, "seconds": round(seconds, 1), "kinds": dict(tally.kinds), "slow": tally.slow}
            sys.stdout.write(json.dumps(document | {"bugs": [asdict(group) for group in groups]}) + "\n")

    def keep(self, tally: Tally, folder: Path) -> None:
        """A file for each bug."""
        folder.mkdir(parents=True, exist_ok=True)
        for group in tally.groups.values():
            name = re.sub(r"[^A-Za-z0-9]+", "-", f"{group.kind}-{group.name}").strip("-")[:80]
            (folder / f"{name}.md").write_text(text_of(group), encoding="utf-8", errors="backslashreplace")


def text_of(group: Group) -> str:
    """A bug with its reproducer."""
    title = f"{group.kind}: {group.name}, {group.count} times, first in {group.first}"
    return f"{title}\n\n{group.reproducer}\n{group.detail.strip()}\n"
