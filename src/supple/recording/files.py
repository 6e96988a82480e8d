"""Writing files so that a kill, a power cut or a full disk leaves either the old content or the new."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from supple.errors import RecordError

_FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than this file system or process allows",
}


def temporary(path: Path) -> Path:
    """The name under which a new version of `path` is prepared, beside it so that a rename is atomic."""
    return path.with_name(path.name + ".part")


def free_path(folder: Path, name: str, suffix: str = "") -> Path:
    """`name` in a folder, or `name-2`, `name-3` ... whichever is new."""
    found, k = folder / f"{name}{suffix}", 1
    while found.exists():
        k += 1
        found = folder / f"{name}-{k}{suffix}"
    return found


def put(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of `data` at `offset`; a short write (the disk filled up on the way) is continued until it fails."""
    rest = memoryview(data).cast("B")
    while len(rest):
        written = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[written:], offset + written


def sync(path: Path) -> None:
    """Have a file or a folder on the disk itself, for the sake of power cuts."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace(new: Path, path: Path) -> None:
    """Let `new` take the place of `path`, durably."""
    sync(new)
    os.replace(new, path)
    sync(path.parent)


def replace_bytes(path: Path, data: bytes) -> None:
    """Give `path` the content `data`; a reader sees the old content or the new, never a part."""
    new = temporary(path)
    try:
        new.write_bytes(data)
        replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise trouble(path, "write", error) from error


def trouble(path: Path, verb: str, error: OSError) -> RecordError:
    """The error to raise when the operating system refuses to `verb` (write, read ...) `path`."""
    remedy = "check that the path exists and that you may use it"
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        reason = _FULL[error.errno]
        remedy = "free some space (or record fewer frames); what was recorded before is kept"
    return RecordError(f"{path}: cannot {verb}: {reason}; {remedy}")
