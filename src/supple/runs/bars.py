"""Progress bars over frames, in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from supple.escaping import visible
from supple.linalg.announcements import listening
from supple.loop import Frame

if TYPE_CHECKING:
    from rich.console import Console

Show = Callable[[Frame, int], None]
"""Takes a frame and the number of completed whole steps."""


@contextmanager
def frame_bar(name: str, steps: int, done: int = 0, console: Console | None = None) -> Iterator[Show]:
    """A bar with time, energy residual and iterations; in a notebook rich draws it below the cell."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(visible(name), total=steps, completed=done, state="")

        def show(frame: Frame, whole_steps: int) -> None:
            scale = max(frame.ledger.energies.scale, abs(frame.ledger.initial)) or 1.0
            state = f"t {frame.state.t:.3f} s, drift {frame.ledger.residual / scale:+.1e}, {frame.solve.iterations} its"
            bar.update(task, completed=whole_steps, state=state)

        with listening(lambda work: bar.update(task, state=work)):
            yield show


def with_bar(frames: Iterable[Frame], name: str, steps: int) -> Iterator[Frame]:
    """The same frames, with progress shown."""
    with frame_bar(name, steps) as show:
        done = 0
        for frame in frames:
            done += frame.whole and frame.step > 0
            show(frame, done)
            yield frame
