"""The folder of a run: file paths, status of the run, and write lock."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import warnings
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any, Self

from supple import __version__
from supple.clips.kept import ENDING
from supple.errors import RecordError, SuppleWarning
from supple.paths import may_read, refusal
from supple.recording import checkpoint
from supple.recording.files import demand_place, make_folder, replace_bytes, temporary, trouble

_RECORD, LOCK = "run.json", ".lock"
_FILES = (
    "scene.toml", "history.csv", "animation.vtkhdf", "animation.vtkhdf.larger",
    checkpoint.CURRENT, checkpoint.PREVIOUS, "energy.svg", "report.html", "log.txt",
    "energy.png",  # of runs of earlier versions
)  # fmt: skip


class FolderInUse(RecordError):
    """Another process is writing into the folder."""


class RunStatus(Enum):
    """Status of a run, as text for the user."""

    RUNNING = "still running, or killed before it could report why it stopped"
    FINISHED = "finished"
    INTERRUPTED = "interrupted by the user"
    FAILED = "stopped by an error"


@dataclass
class RunFolder:
    """The folder of a run; created or opened for writing, it is locked until `close`."""

    path: Path
    _lock: int | None = field(default=None, repr=False)

    @classmethod
    def create(cls, path: Path, overwrite: bool = False) -> RunFolder:
        """A folder for a new run. An older run in it is refused, or removed if `overwrite`; foreign files stay."""
        cls.check(path, overwrite)
        make_folder(path)
        folder = cls(path, lock_folder(path))
        try:
            record = _record(path)  # again: another process may have been faster
            if record is None:
                _refuse_foreign(path)
            elif not overwrite:
                raise _occupied(path, _status(record))
            folder._write(RunStatus.RUNNING, started=_now())
            folder._clear()
        except BaseException:
            folder.close()
            raise
        return folder

    @classmethod
    def check(cls, path: Path, overwrite: bool = False) -> None:
        """Refuse what `create` would refuse, without writing anything: to be called before a long preparation."""
        demand_place(path, "a run")
        record = _record(path)
        if record is not None and not overwrite:
            raise _occupied(path, _status(record))
        if record is None and path.is_dir():
            _refuse_foreign(path)
        if path.is_dir():
            _refuse_odd_entries(path)

    @classmethod
    def open(cls, path: Path, writing: bool = False) -> RunFolder:
        """The folder of an earlier run, to read it, or with `writing` to continue it."""
        if _record(path) is None:
            found = "there is no such folder" if not path.is_dir() else f"it has no {_RECORD}"
            raise RecordError(f"{path}: not the folder of a run ({found}); give the folder that `supple run` wrote")
        _refuse_odd_entries(path)
        return cls(path, lock_folder(path) if writing else None)

    @property
    def scene(self) -> Path:
        """The scene of the run."""
        return self.path / "scene.toml"

    @property
    def history(self) -> Path:
        """The ledger, one row per step."""
        return self.path / "history.csv"

    @property
    def animation(self) -> Path:
        """The frames."""
        return self.path / "animation.vtkhdf"

    @property
    def checkpoint(self) -> Path:
        """The checkpoint to resume from."""
        return self.path / checkpoint.CURRENT

    @property
    def energy_plot(self) -> Path:
        """The energies over time."""
        return self.path / "energy.svg"

    @property
    def log(self) -> Path:
        """The log of the run."""
        return self.path / "log.txt"

    @property
    def status(self) -> RunStatus:
        """Status of the run."""
        return _status(_record(self.path) or {})

    @property
    def record(self) -> dict[str, Any]:
        """All of run.json: supple (version), status, started, ended (ISO 8601, UTC)."""
        return _record(self.path) or {}

    def demand_own(self) -> None:
        """Refuse to write if this folder is gone, or another one has taken its place: that may be another run's."""
        place = self.path / LOCK
        if self._lock is not None and not self.path.exists():
            raise RecordError(
                f"{self.path}: this folder was moved or removed during the run; continue a moved one with --resume"
            )
        if self._lock is not None and place.exists() and not os.path.samestat(place.stat(), os.fstat(self._lock)):
            raise RecordError(
                f"{self.path}: this folder was moved during the run, and another one is in its place, which stays as it is; "
                "continue the moved one with --resume"
            )

    def mark(self, status: RunStatus) -> None:
        """Store the status, and the end time unless it is running."""
        self.demand_own()
        self._write(status, started=self.record.get("started", _now()))

    def close(self) -> None:
        """Release the lock; closing twice is harmless."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, status: RunStatus, started: str) -> None:
        ended = None if status is RunStatus.RUNNING else _now()
        record = {"supple": __version__, "status": status.name.lower(), "started": started, "ended": ended}
        replace_bytes(self.path / _RECORD, (json.dumps(record, indent=2) + "\n").encode())

    def _clear(self) -> None:
        endings = ("*.coarse.npz", f"*{ENDING}", "files/*-????????????????.usd*")
        copies = (str(file.relative_to(self.path)) for ending in endings for file in self.path.glob(ending))
        for name in (*_FILES, *copies):
            for file in (self.path / name, temporary(self.path / name)):
                try:
                    file.unlink(missing_ok=True)
                except OSError as error:
                    raise trouble(file, "remove", error) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _record(path: Path) -> dict[str, Any] | None:
    """The content of run.json, or None if there is no such file from a run of supple."""
    if not (path / _RECORD).is_file():  # reading a pipe would never end
        return None
    try:
        record = json.loads((path / _RECORD).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and "supple" in record else None


def _status(record: dict[str, Any]) -> RunStatus:
    name = str(record.get("status", "")).upper()
    return RunStatus[name] if name in RunStatus.__members__ else RunStatus.FAILED


def _refuse_odd_entries(path: Path) -> None:
    """A folder may be untrusted: no link in it may redirect reading or writing elsewhere, and no pipe may block a reader."""
    try:
        entries = [(Path(entry.path), entry.is_symlink(), _is_odd(entry)) for entry in os.scandir(path)]
    except OSError as error:
        raise trouble(path, "read", error) from error
    for file, is_link, is_odd in entries:
        if is_link and not may_read(file, path):
            raise RecordError(
                f"{path}: {file.name} is a link to {file.readlink()}, which {refusal(file, path)}; or replace the link by a copy"
            )
        if is_odd:
            raise RecordError(
                f"{path}: {file.name} is no plain file; put back the one that the run wrote, or remove it"
            )


def _is_odd(entry: os.DirEntry[str]) -> bool:
    """Whether it is a pipe, a socket or a device."""
    try:
        mode = entry.stat().st_mode
    except OSError:  # a link to nothing or to itself, which opening reports
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _refuse_foreign(path: Path) -> None:
    """Hidden files are no reason to refuse: they belong to supple or are unaffected. Nor is the record that a run was writing
    when it was killed at its very beginning."""
    begun = temporary(path / _RECORD).name
    try:
        names = (entry.name for entry in path.iterdir())
        foreign = sorted(name for name in names if not name.startswith(".") and name != begun)
    except OSError as error:
        raise trouble(path, "read", error) from error
    if foreign:
        shown = ", ".join(foreign[:3]) + (", ..." if len(foreign) > 3 else "")
        raise RecordError(
            f"{path}: contains {len(foreign)} files that do not belong to a run ({shown}), which supple will not touch; "
            "choose an empty or a new folder with --out"
        )


def _occupied(path: Path, status: RunStatus) -> RecordError:
    if status is RunStatus.FINISHED:
        remedy = "choose another --out, or replace it with --overwrite (in Python: overwrite=True)"
    else:
        remedy = f"continue it with `supple run --resume {path}`, replace it with --overwrite, or choose another --out"
    return RecordError(f"{path}: already contains a run ({status.value}); {remedy}")


def lock_folder(path: Path) -> int:
    """Lock the folder for this process; the system releases it however the process ends."""
    try:
        descriptor = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise RecordError(
            f"{path}: cannot write into this folder: {error.strerror or error}; choose another --out, or change its permissions"
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise FolderInUse(
            f"{path}: another process is writing into this folder; wait for it, stop it, or choose another --out"
        ) from error
    except OSError as error:
        if error.errno not in (errno.ENOTSUP, errno.ENOSYS, errno.ENOLCK):
            raise trouble(path / LOCK, "lock", error) from error
        warnings.warn(
            f"{path}: this file system has no locks; do not start two runs there", SuppleWarning, stacklevel=4
        )
    return descriptor
