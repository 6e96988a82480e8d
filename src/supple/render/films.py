"""The recordings of many runs, open at once."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from supple.errors import SuppleError
from supple.recording.film import Film, open_film
from supple.recording.folder import RunFolder

OTHERS = 100
"""Largest number of other open files of a process."""


@contextmanager
def open_films(runs: Sequence[Path], coarse: bool = False) -> Iterator[list[Film]]:
    """The films in the order of the runs."""
    _allow_files(len(runs))
    with ExitStack() as stack:
        yield [stack.enter_context(open_film(RunFolder.open(run), coarse)) for run in runs]


def _allow_files(count: int) -> None:
    """Raise the limit of open files of this process where needed and possible."""
    wanted = count + OTHERS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if wanted <= soft:
        return
    if wanted > hard:
        raise SuppleError(
            f"{count} runs at once need {wanted} open files, and this system allows {hard} (ulimit -Hn); use fewer runs, or "
            "raise the limit"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
