"""Standard output and error of the command: what cannot be shown never ends a run.

A terminal without a character gets its code. If nothing can be written, since the disk is full or the terminal is gone, the
rest of the output is dropped, the command continues, and the exit code is 2. A reader that has left, such as `head`, has
all the output it wanted: the exit code stays.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO


class _Steady(io.TextIOWrapper):
    """A stream to which writing never fails; `problem` is the first error."""

    def __init__(self, stream: TextIO) -> None:
        os.set_blocking(stream.fileno(), True)  # else a slow reader would be an error
        file = io.BufferedWriter(io.FileIO(stream.fileno(), "w", closefd=False))
        super().__init__(file, stream.encoding, "backslashreplace", line_buffering=bool(stream.line_buffering))
        self._unbuffered = stream.write_through  # type: ignore[attr-defined]  # PYTHONUNBUFFERED, common in containers
        self.problem: OSError | None = None

    def write(self, text: str, /) -> int:
        self._steadily(lambda: super(_Steady, self).write(text))
        if self._unbuffered:
            self.flush()
        return len(text)

    def flush(self) -> None:
        self._steadily(super().flush)

    def _steadily(self, work: Callable[[], object]) -> None:
        try:
            work()
        except OSError as error:
            self.problem = self.problem or error
            nowhere = os.open(os.devnull, os.O_WRONLY)  # for what is still in the buffers, and all that follows
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)


@contextmanager
def steady_streams() -> Iterator[None]:
    """Both streams made steady; output that was lost is reported at the end."""
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_steady, kept)
    try:
        yield
    except SystemExit as left:
        if not left.code and _lost(sys.stdout, "standard output"):
            raise SystemExit(2) from None
        raise
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        sys.stdout, sys.stderr = kept


def _steady(stream: TextIO) -> TextIO:
    """A stream like the given one; the same if it was closed before the command began, or is no file."""
    try:
        return _Steady(stream)
    except (AttributeError, OSError, ValueError):
        return stream


def _lost(stream: TextIO, name: str) -> bool:
    """Whether output was lost that somebody still wanted; says so on standard error."""
    if not isinstance(stream, _Steady):
        return False
    stream.flush()
    if stream.problem is None or stream.problem.errno == errno.EPIPE:
        return False
    if sys.stderr is not None:
        sys.stderr.write(f"{name}: {stream.problem.strerror}; the rest of the output is lost, files are complete\n")
    return True
