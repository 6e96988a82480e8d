"""Check that workers have the same version of supple and see the folder of the sweep.

A worker on another machine would make a folder of the same name on its own disk and report finished runs that are missing here.
So the client writes a mark into the folder, and every worker checks it before computing.
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
    """Mark a folder for workers."""
    replace_bytes(folder / MARK, mark.encode())


def demand_sight(folder: str, mark: str) -> None:
    """Refuse to compute into a folder that is not that of the client."""
    if not _sees(folder, mark):
        raise _blind(folder, [socket.gethostname()])


def check_workers(client: Any, workers: list[str], folder: str, mark: str) -> None:
    """Check the version of these workers, and with a `mark` that they see the folder; refuse to begin otherwise."""
    try:
        found = list(client.run(_look, folder, mark, workers=workers).values())
    except ImportError as error:
        raise SuppleError(f"--scheduler: its workers have no supple ({error}); install it beside dask there") from None
    for host, version, _ in found:
        if version != __version__:
            raise SuppleError(
                f"--scheduler: workers on {host} have supple {version}, this machine has {__version__}; install the same version"
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
        f"{folder}: workers on {', '.join(hosts)} do not see this folder; collect the runs with --collect, or choose an --out "
        "on a disk that all machines share"
    )
