"""Layers of USD are read in a separate process first: a damaged one may end the process or fill the memory."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from supple.errors import MeshError
from supple.mesh.stages import trial

BINARY = (b"PXR-USDC", b"PK\x03\x04")
"""How binary layers and packages begin."""
SHORT = 16_384
"""Bytes of a text that does no harm, whatever is in it."""
_PLACE = re.compile(r"Error in '\S+' at line \d+ in file \S+ ?: ")
KEPT = 256
"""Layers whose outcome is remembered, as long as the file does not change."""


def demand_readable(name: str, file: str) -> None:
    """Refuse the layer `name`, in a file, if reading it fails in another process; short texts and missing files pass."""
    try:
        with open(file, "rb") as stream:
            is_binary = stream.read(8).startswith(BINARY)
            found = os.fstat(stream.fileno())
    except OSError:  # opening the stage reports it
        return
    harmless = not is_binary and found.st_size <= SHORT
    reason = "" if harmless else _reason(name, found.st_size, found.st_mtime_ns)
    if reason:
        raise MeshError(f"{file}: cannot be read as USD: {reason}; it is damaged, export it again")


@lru_cache(maxsize=KEPT)
def _reason(name: str, size: int, changed: int) -> str:
    """Why a layer cannot be read; nothing if it can. `size` and `changed`: of its file, which may be another one later."""
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    with tempfile.TemporaryDirectory() as folder:  # for the report that pxr writes when it ends a process
        errors = Path(folder, "errors.txt")
        with errors.open("wb") as stream:  # a file has a limit, unlike a pipe
            done = subprocess.run(
                [sys.executable, "-P", str(Path(trial.__file__)), os.path.abspath(name)],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": paths, "TMPDIR": folder},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stream,
                text=True,
                errors="replace",
                check=False,
            )
        said = errors.read_text(encoding="utf-8", errors="replace")
    if done.returncode == 0:
        return ""
    if done.returncode == trial.ERROR:
        return plain(done.stdout)
    if done.returncode == -signal.SIGXFSZ:
        return "it has more errors than anybody could read"
    if done.returncode < 0:
        return f"reading it ends a process ({signal.Signals(-done.returncode).name})"
    last = said.strip().rpartition("\n")[2]
    return "it takes more memory than a file of its size may" if "MemoryError" in last else last[:200]


def plain(said: str) -> str:
    """The message of pxr, without lines of its source and without local folders."""
    words = _PLACE.sub("", " ".join(said.split())).replace("@", " ").split()
    return " ".join(word for word in words if "/" not in word)[:200] or "it is no text in UTF-8"
