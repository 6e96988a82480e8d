"""Where compiled kernels are kept: a folder of the user's cache, named by the sources that they are made of.

Numba looks only at the file in which a kernel stands, not at the helpers and materials it calls, so an edit elsewhere
would go unnoticed; and an installed package may not be writable. A folder for each state of the sources solves both.
Packages that hold kernels call `choose` first; it sets NUMBA_CACHE_DIR unless the user has.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

WITH_KERNELS = (
    "formulas",
    "linalg",
    "materials",
    "energies",
    "contact",
    "damping",
    "points",
    "budget",
    "coarsening",
    "integrators/explicit",
    "integrators/position_based",
    "integrators/springs",
    "render/drawing",
)
"""Folders of sources that Numba compiles, and of what those call. Not all sources are read, since that would take longer than
all the rest of `import supple`; a test looks for kernels elsewhere."""
KEEP_DAYS = 14


def sources(root: Path) -> list[Path]:
    """All sources with kernels below the package's folder, in a fixed order."""
    return [file for folder in WITH_KERNELS for file in sorted((root / folder).rglob("*.py"))]


def sources_digest(root: Path = Path(__file__).parent) -> str:
    """A name for the present state of all sources with kernels."""
    total = hashlib.sha256()
    for file in sources(root):
        total.update(file.relative_to(root).as_posix().encode() + file.read_bytes())
    return total.hexdigest()[:16]


def choose() -> None:
    """Point Numba at our folder; where none can be made, Numba's own choice stands."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "supple" / "kernels"
    folder = base / sources_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _prune(base)
    except OSError:
        return
    if not os.access(folder, os.W_OK):
        return
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:  # imported before us: it has read its environment already
        sys.modules["numba"].config.CACHE_DIR = str(folder)


@dataclass(frozen=True)
class Kept:
    """Kernels that are compiled already."""

    folder: Path | None
    kernels: int
    warm: bool
    """Whether `supple warm` has compiled all it can since the sources changed."""


def kept() -> Kept:
    """What is in the folder that was chosen."""
    name = os.environ.get("NUMBA_CACHE_DIR")
    if not name or not os.access(name, os.W_OK):
        return Kept(None, 0, False)
    folder = Path(name)
    return Kept(folder, sum(1 for _ in folder.rglob("*.nbc")), _mark(folder).is_file())


def mark_warm() -> None:
    """Note in the folder that all kernels are compiled."""
    _mark(Path(os.environ["NUMBA_CACHE_DIR"])).touch()


def _mark(folder: Path) -> Path:
    from importlib.metadata import version  # which takes longer than the rest of this file

    # a folder that the user has chosen serves other sources and other versions of Numba as well
    return folder / f"warm-{sources_digest()}-numba-{version('numba')}"


def _prune(base: Path) -> None:
    """Forget states of the sources that nobody has used for a while."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in base.iterdir():
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
