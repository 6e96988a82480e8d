"""Whether workers have what a sweep needs of them: the same supple, and the folder of the sweep.

A worker on another machine would make a folder of the same name on its own disk and report finished runs that nobody finds. So
the client leaves a mark in the folder, and every worker looks for it before it computes anything.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from supple import __version__
from supple.errors import RecordError, SuppleError
from supple.recording.files import replace_bytes

MARK = ".sweep"


def leave_mark(folder: Path, mark: str) -> None:
    """Let workers recognise a folder."""
    replace_bytes(folder / MARK, mark.encode())


def demand_sight(folder: str, mark: str) -> None:
    """Refuse to compute into a folder that is not that of the client."""
    if not _sees(folder, mark):
        raise _blind(folder, [socket.gethostname()])


def check_workers(client: Any, workers: list[str], folder: str, mark: str) -> None:
    """Ask these workers for their supple, and with a `mark` whether they see the folder; refuse to begin if one lacks it."""
    try:
        found = list(client.run(_look, folder, mark, workers=workers).values())
    except ImportError as error:
        raise SuppleError(f"--scheduler: its workers have no supple ({error}); install it beside dask there") from None
    for host, version, _ in found:
        if version != __version__:
            raise SuppleError(
                f"--scheduler: workers on {host} have supple {version}, this is {__version__}; install the same there"
            )
    blind = sorted({host for host, _, seen in found if not seen})
    if blind:
        raise _blind(folder, blind)


def _look(folder: str, mark: str) -> tuple[str, str, bool]:
    """Name of this machine, version of supple, and whether the mark is in the folder."""
    return socket.gethostname(), __version__, not mark or _sees(folder, mark)


def _sees(folder: str, mark: str) -> bool:
    try:
        return (Path(folder) / MARK).read_text(encoding="utf-8") == mark
    except (OSError, UnicodeDecodeError):
        return False


def _blind(folder: str, hosts: list[str]) -> RecordError:
    return RecordError(
        f"{folder}: workers on {', '.join(hosts)} do not see this folder; collect the runs by --collect, or choose an --out "
        "on a disk that all machines share"
    )
