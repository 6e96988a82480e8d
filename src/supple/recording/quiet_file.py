"""A file object that never raises errors inside HDF5.

HDF5 cannot handle a full disk: it keeps unwritten data, fails again on closing, and may crash when
the process exits. So it writes through this object, which stores the first error, drops all later writes, and reports
to the owner on request. The owner discards an unfinished file, or returns to the last recorded state.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from supple.recording.files import put


class QuietFile(io.RawIOBase):
    """Reads and writes at a position, straight to the operating system; `error` is the first failure, or None."""

    def __init__(self, path: Path, new: bool) -> None:
        self.error: OSError | None = None
        self._at = 0
        self._descriptor = os.open(path, os.O_RDWR | (os.O_CREAT | os.O_TRUNC if new else 0), 0o666)

    def check(self) -> None:
        """Raise the first failure, if there was one."""
        if self.error is not None:
            raise self.error

    def put_at(self, offset: int, data: memoryview) -> None:
        """Write for the owner; failures are raised at once."""
        put(self._descriptor, data, offset)

    def get_at(self, offset: int, size: int) -> bytes:
        """Read for the owner what is in the file."""
        return os.pread(self._descriptor, size, offset)

    def sync(self) -> None:
        os.fsync(self._descriptor)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: os.fstat(self._descriptor).st_size}[whence]
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._descriptor, [buffer], self._at)
        self._at += count
        return count

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        self._try(lambda: put(self._descriptor, view, self._at))
        self._at += len(view)
        return len(view)

    def truncate(self, size: int | None = None) -> int:
        length = self._at if size is None else size
        self._try(lambda: os.ftruncate(self._descriptor, length))
        return length

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def _try(self, action: Callable[[], object]) -> None:
        if self.error is None:
            try:
                action()
            except OSError as error:
                self.error = error
