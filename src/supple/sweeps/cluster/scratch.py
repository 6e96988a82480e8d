"""Temporary folder of local workers.

It is removed when the sweep ends, also by Ctrl-C. A killed client cannot remove it, so the next one does: the lock of a
folder shows whether it is in use.
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
"""Age below which an unlocked folder may be about to be locked [s]."""


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
    """Remove remains of killed clients."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(RecordError, OSError):  # in use, or owned by another user
            if time.time() - folder.stat().st_mtime > NEW:
                lock = lock_folder(folder)
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)
