"""Open a layer of USD and read all of it: `python trial.py FILE`, in a process that may be lost.

pxr trusts the counts in a binary layer. A damaged layer makes it fill the memory of the machine, or end the process.
This file imports nothing of supple, so that it starts quickly. It prints the messages of pxr.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from pathlib import Path
from typing import Any

ERROR = 3
"""Exit code if pxr refuses the layer with an error."""
MEMORY = 2 << 30
"""Bytes of address space beyond those of Python and pxr; twenty times the size of the file more, since layers are compressed."""
SECONDS = 60
"""Processor time, and a second more per megabyte."""
WHOLE = 256 << 20
"""Bytes of a file up to which its values are read too."""


def main(name: str) -> int:
    """Read the layer; returns the exit code."""
    from pxr import Sdf, Tf

    size = os.path.getsize(name) if os.path.isfile(name) else 0
    _limit(size)
    try:
        layer = Sdf.Layer.FindOrOpen(name)
        if layer is not None:
            layer.Traverse(layer.pseudoRoot.path, lambda at: _look(layer, at, size <= WHOLE))
    except Tf.ErrorException as error:
        with contextlib.suppress(UnicodeDecodeError):  # pxr quotes bytes of the file that are no text
            sys.stdout.write(str(error)[:2000])
        return ERROR
    return 0


def _limit(size: int) -> None:
    used = 1 << 30
    with contextlib.suppress(OSError, ValueError, IndexError):  # a system without /proc
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    seconds = SECONDS + size // 1_000_000
    for kind, most in ((resource.RLIMIT_AS, used + MEMORY + 20 * size), (resource.RLIMIT_CPU, seconds)):
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
