"""The folder in which local workers keep what they need for a while.

It is gone when the sweep ends, also by Ctrl-C. A client that is killed cannot remove it, so that the next one does: the lock of a
folder says whether anybody uses it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from supple.errors import RecordError
from supple.recording.folder import lock_folder

PREFIX = "supple-sweep-"
NEW = 60.0
"""Age below which a folder without a lock may be one that is about to get it [s]."""


@contextmanager
def scratch_folder() -> Iterator[str]:
    """A new folder among temporary files."""
    _tidy()
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        lock = lock_folder(Path(folder))
        try:
            yield folder
        finally:
            os.close(lock)


def _tidy() -> None:
    """Remove what killed clients have left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(RecordError, OSError):  # in use, or somebody else's
            if time.time() - folder.stat().st_mtime > NEW:
                lock = lock_folder(folder)
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)
