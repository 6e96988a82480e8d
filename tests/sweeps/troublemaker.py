"""A plugin that makes trouble in the run which the environment names: its disk is full, or its worker is killed."""

import errno
import os
import signal

import supple as sp

ALLOWED = 10
"""Writes before the trouble begins."""
_write, _count = os.pwrite, 0


@sp.register("trouble-stvk")
class TroubleStVK(sp.StVK):
    """Known only where this file was loaded."""


def _troubled(descriptor: int, data: bytes, offset: int) -> int:
    global _count
    place = os.readlink(f"/proc/self/fd/{descriptor}")
    for kind in ("FULL_DISK", "DEADLY"):
        if os.environ.get(kind, "none") in place:
            _count += 1
            if _count > ALLOWED and kind == "DEADLY":
                os.kill(os.getpid(), signal.SIGKILL)
            if _count > ALLOWED:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return _write(descriptor, data, offset)


os.pwrite = _troubled
