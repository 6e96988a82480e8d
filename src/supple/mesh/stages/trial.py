"""Open a layer of USD and read all of it: `python trial.py FILE`, in a process that may be lost.

pxr trusts the counts in a binary layer. A damaged layer makes it fill the memory of the machine, or end the process. Each error
in a list of values of a text is reported with the whole list, which takes gigabytes for a file of 200 kB.
This file imports nothing of supple, so that it starts quickly. It prints the messages of pxr.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

ERROR = 3
"""Exit code if pxr refuses the layer with an error."""
MEMORY = {True: (512 << 20, 100), False: (2 << 30, 20)}
"""By whether the layer is a text: bytes of address space beyond those of Python and pxr, and more per byte of the file."""
SECONDS = 60
"""Processor time, and a second more per megabyte."""
MESSAGES = 1 << 20
"""Bytes of messages, after which the system ends the process."""
WHOLE = 256 << 20
"""Bytes of a file up to which its values are read too."""


def main(name: str) -> int:
    """Read the layer; returns the exit code."""
    from pxr import Sdf, Tf, Usd  # noqa: F401  # before version 25, Usd loads the libraries that read binary layers

    size = os.path.getsize(name) if os.path.isfile(name) else 0
    _limit(size, _is_text(name))
    try:
        layer = Sdf.Layer.FindOrOpen(name)
        if layer is not None:
            layer.Traverse(layer.pseudoRoot.path, lambda at: _look(layer, at, size <= WHOLE))
    except Tf.ErrorException as error:
        with contextlib.suppress(UnicodeDecodeError):  # pxr quotes bytes of the file that are no text
            sys.stdout.write(str(error)[:2000])
        return ERROR
    return 0


def _is_text(name: str) -> bool:
    with contextlib.suppress(OSError), open(name, "rb") as stream:
        return stream.read(5) == b"#usda"
    return False


def _limit(size: int, text: bool) -> None:
    used = 1 << 30
    with contextlib.suppress(OSError, ValueError, IndexError):  # a system without /proc
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    limits = {
        resource.RLIMIT_AS: used + MEMORY[text][0] + MEMORY[text][1] * size,
        resource.RLIMIT_CPU: SECONDS + size // 1_000_000,
        resource.RLIMIT_FSIZE: MESSAGES,
    }
    for kind, most in limits.items():
        with contextlib.suppress(OSError, ValueError):  # a system that has no such limit, or a lower one
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _look(layer: Any, at: Any, values: bool) -> None:
    if at.isEmpty:
        return
    spec = layer.GetObjectAtPath(at)
    if spec is None or not values:
        return
    for key in spec.ListInfoKeys():
        with contextlib.suppress(TypeError, ValueError, KeyError):  # a value that has no type in Python
            spec.GetInfo(key)
    for when in layer.ListTimeSamplesForPath(at) if at.IsPropertyPath() else ():
        layer.QueryTimeSample(at, when)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
