"""Output shared by commands: console, JSON, expectations, and requests that close a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.scene.tables.scene import Scene

MOST_NOTES = 20
"""Notes of single steps that a run prints; its log has all of them."""


class NotesShown:
    """Notes of single steps on the console: the first ones, then one line that names the log."""

    def __init__(self, console: Console, log: Path) -> None:
        self._console, self._log, self._count = console, log, 0

    def add(self, note: str) -> None:
        """Print a note, unless it is empty or there were too many."""
        if not note:
            return
        self._count += 1
        if self._count <= MOST_NOTES:
            self._console.print(note, markup=False)
        elif self._count == MOST_NOTES + 1:
            self._console.print(f"further notes of single steps are in {self._log}", markup=False)


def new_console(as_json: bool) -> Console:
    """Plain text on stdout, or on stderr when stdout is for JSON; reports once that kernels are being compiled."""
    from rich.console import Console

    from supple.escaping import visible
    from supple.linalg.compiling import on_first_compile

    class Terminal(Console):
        """Names of scenes and files cannot control the terminal."""

        def render_str(self, text: str, **options: Any) -> Any:
            return super().render_str(visible(text), **options)

    console = Terminal(stderr=as_json, highlight=False, soft_wrap=True)
    on_first_compile(lambda: console.print("compiling kernels, once on this machine ..."))
    return console


def say(text: str) -> None:
    """Print plain text; names of files, and of objects in them, cannot control the terminal."""
    from supple.escaping import visible

    print(visible(text))


def print_json(document: Any) -> None:
    """One line of JSON; non-finite values, after a divergence, become null."""
    import json

    print(json.dumps(_finite(document), allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not abs(value) < float("inf") else value


def demand_expectations(scene: Scene, of: str) -> None:
    """Refuse `--check` where nothing can be checked, because such a test could never fail."""
    from supple.errors import SuppleError

    if not scene.expect:
        raise SuppleError(
            f"--check: found no [expect.NAME] table in {of}, so there is nothing to check; add one, or omit --check"
        )


def told_expectations(folder: Path, console: Console) -> list[dict[str, Any]]:
    """Print one line per expectation; returns them for JSON."""
    from supple.runs.judge import judge

    verdicts = judge(folder)
    for verdict in verdicts:
        console.print(str(verdict), markup=False, style=None if verdict.passes else "bold red")
    return [verdict.table for verdict in verdicts]


@contextmanager
def stop_requests() -> Iterator[list[int]]:
    """The first Ctrl-C, SIGTERM or SIGHUP asks a page to close, which is its ordinary end; the second one interrupts."""
    from supple.interruption.signals import SIGNALS, handled, interrupt, is_request

    asked: list[int] = []

    def ask(number: int, _: Any) -> None:
        if not is_request(number, len(asked)):
            return
        if asked:
            interrupt()
        asked.append(number)

    with handled(dict.fromkeys(SIGNALS, ask)):
        yield asked
