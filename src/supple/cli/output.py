"""What `run` and `compare` share towards the user: console, progress bar, JSON, expectations, requests to stop."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.scene.tables.scene import Scene


def new_console(as_json: bool) -> Console:
    """Plain text on stdout, or on stderr when stdout is for JSON; says so once when kernels are being compiled."""
    from rich.console import Console

    from supple.escaping import visible
    from supple.linalg.compiling import on_first_compile

    class Terminal(Console):
        """Names of scenes and files do not steer it."""

        def render_str(self, text: str, **options: Any) -> Any:
            return super().render_str(visible(text), **options)

    console = Terminal(stderr=as_json, highlight=False, soft_wrap=True)
    on_first_compile(lambda: console.print("compiling kernels, once on this machine ..."))
    return console


def print_json(document: Any) -> None:
    """One line; what is not finite, after an explosion, is null."""
    import json

    print(json.dumps(_finite(document), allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not abs(value) < float("inf") else value


def demand_expectations(scene: Scene, of: str) -> None:
    """Refuse `--check` where nothing can be checked: a test that cannot fail is no test."""
    from supple.errors import SuppleError

    if not scene.expect:
        raise SuppleError(
            f"--check: found no [expect.NAME] table in {of}, so there is nothing to check; add one, or leave --check out"
        )


def told_expectations(folder: Path, console: Console) -> list[dict[str, Any]]:
    """A line for each expectation; returns them for JSON."""
    from supple.runs.judge import judge

    verdicts = judge(folder)
    for verdict in verdicts:
        console.print(str(verdict), markup=False, style=None if verdict.passes else "bold red")
    return [verdict.table for verdict in verdicts]


@contextmanager
def stop_requests() -> Iterator[list[int]]:
    """The first Ctrl-C or SIGTERM asks the loop to stop after the current step, the second one interrupts."""
    asked: list[int] = []

    def ask(number: int, _: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    old = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
