"""Writing files so that a kill, a power cut or a full disk leaves either the old content or the new.

Folders for results are refused before any work is done if they cannot be created.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from supple.errors import RecordError
from supple.interruption.placing import put as put_in_place
from supple.interruption.placing import under_way

_FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than this file system or process allows",
}

SPARE = 1 << 20
"""Free space that a file may need beyond its data [bytes]."""


def temporary(path: Path) -> Path:
    """The name under which a new version of `path` is prepared, in the same folder so a rename is atomic."""
    return path.with_name(path.name + ".part")


def free_path(folder: Path, name: str, suffix: str = "") -> Path:
    """`name` in a folder, or `name-2`, `name-3` ... whichever is new."""
    found, k = folder / f"{name}{suffix}", 1
    while found.exists():
        k += 1
        found = folder / f"{name}-{k}{suffix}"
    return found


def put(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of `data` at `offset`; a short write (disk filling up) is continued until it fails."""
    rest = memoryview(data).cast("B")
    while len(rest):
        written = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[written:], offset + written


def sync(path: Path) -> None:
    """Flush a file or a folder to the disk, against power cuts."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace(new: Path, path: Path) -> None:
    """Replace `path` by `new`, durably."""
    sync(new)
    put_in_place(new, path)
    sync(path.parent)


def replace_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically; a reader sees the old or the new content, never a part."""
    new = temporary(path)
    try:
        with under_way(new):
            new.write_bytes(data)
            replace(new, path)
    except OSError as error:
        raise trouble(path, "write", error) from error


def demand_space(folder: Path, size: int) -> None:
    """An OSError unless so many bytes fit, for libraries that end the process on a full disk."""
    free = os.statvfs(folder)
    if free.f_bavail * free.f_frsize < size + SPARE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def unwritten(path: Path, library: str) -> OSError:
    """The error of a library that could not write, and does not say why."""
    try:
        demand_space(path.parent, 0)
    except OSError as error:
        return error
    return OSError(f"{library} could not complete it")


def trouble(path: Path, verb: str, error: OSError) -> RecordError:
    """The error to raise when the operating system refuses to `verb` (write, read ...) `path`."""
    remedy = "check that the path exists and that you may use it"
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        reason = _FULL[error.errno]
        remedy = "free some space (or record fewer frames); earlier records are kept"
    elif error.errno in (errno.EMFILE, errno.ENFILE):
        remedy = "close other programs, or raise the limit (ulimit -n)"
    return RecordError(f"{path}: cannot {verb}: {reason}; {remedy}")


def demand_place(path: Path, role: str) -> None:
    """Refuse a path that cannot become a folder. `role`: its purpose for the message, such as `a run`."""
    _demand_name(path)
    if path.exists() and not path.is_dir():
        raise RecordError(f"{path}: is a file, but {role} requires a folder; choose another --out")
    above = next((parent for parent in path.absolute().parents if parent.exists()), path)
    if not above.is_dir():
        raise RecordError(f"{path}: cannot create this folder: {above} is a file; choose another --out")


def make_folder(path: Path) -> None:
    """Create a folder with those above it; an existing one is kept."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(
            f"{path}: cannot create this folder: {error.strerror or error}; choose another --out, or create it yourself"
        ) from error


def _demand_name(path: Path) -> None:
    """Refuse a name that no file can have."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise trouble(path, "use", error) from error
        raise RecordError(
            f"{str(path)[:100]}...: this name is longer than the file system allows; give a shorter one"
        ) from error
    except ValueError as error:  # characters that no file system has
        raise RecordError(f"{str(path)!a}: cannot be the name of a folder: {error}; choose another --out") from error
