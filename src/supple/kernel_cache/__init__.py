"""Storage of compiled kernels: a folder in the user's cache, named by a hash of the kernel sources.

Numba checks only the file that contains a kernel, not the helpers and materials it calls, so it would miss an edit
elsewhere. Moreover, an installed package may not be writable. A separate folder for each state of the sources solves both.
Packages with kernels call `choose` first, which sets NUMBA_CACHE_DIR. Files in the folder are executed: see `trust`.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from supple.errors import SuppleError, SuppleWarning
from supple.kernel_cache.checked_files import check_files
from supple.kernel_cache.trust import problem
from supple.surroundings import import_numba

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
"""Folders of the sources that Numba compiles and of the functions they call. Reading all sources would take longer
than the rest of `import supple`; a test looks for kernels elsewhere."""
KEEP_DAYS = 14


def sources(root: Path) -> list[Path]:
    """All sources with kernels below the package's folder, in a fixed order."""
    return [file for folder in WITH_KERNELS for file in sorted((root / folder).rglob("*.py"))]


def sources_digest(root: Path = Path(__file__).parent.parent) -> str:
    """A name for the current state of all sources with kernels."""
    total = hashlib.sha256()
    for file in sources(root):
        total.update(file.relative_to(root).as_posix().encode() + file.read_bytes())
    return total.hexdigest()[:16]


_chosen: Path | None = None
"""The folder in use, once there is one."""
_private = False
"""Whether it is removed with the process."""


def choose() -> None:
    """Point Numba at a folder that only the user can write to: the user's choice, our default, or a temporary one."""
    global _chosen
    if _chosen is not None:
        return
    _demand_settings()
    check_files()
    os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", "")  # ignore a settings file in the current folder
    named = os.environ.get("NUMBA_CACHE_DIR")
    refused = _opened(Path(named).absolute()) if named else ""
    _chosen = Path(named).absolute() if named and not refused else _own(refused)
    os.environ["NUMBA_CACHE_DIR"] = str(_chosen)
    import_numba()
    if "numba" in sys.modules:  # imported before us, with its environment already read
        sys.modules["numba"].config.CACHE_DIR = str(_chosen)


def _demand_settings() -> None:
    """Laws are called by their address, which only compiled ones have; Numba cannot be imported without a thread."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0").strip() not in ("", "0"):
        raise SuppleError("NUMBA_DISABLE_JIT: supple cannot compute without compiled kernels; remove it, or set 0")
    count = os.environ.get("NUMBA_NUM_THREADS", "1").strip()
    if count.lstrip("-").isdecimal() and int(count[:20]) < 1:
        raise SuppleError(f"NUMBA_NUM_THREADS: found {count[:20]}; give 1 or more, or remove it")


def _own(refused: str) -> Path:
    """Our folder, or a temporary one; `refused` is the reason against the user's folder."""
    global _private
    try:
        base = _caches() / "supple" / "kernels"
        folder = base / sources_digest()
        reason = _opened(base) or _opened(folder)
        if not reason:
            os.utime(folder)
            _prune(base)
    except (OSError, RuntimeError) as error:  # no home
        reason = f"compiled kernels cannot be kept: {error}"
    if reason:
        folder, _private = Path(tempfile.mkdtemp(prefix="supple-kernels-")), True
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if refused or reason:
        instead = "kernels are compiled again in this process" if reason else f"those in {folder} are used"
        warnings.warn(f"{refused or reason}; {instead}", SuppleWarning, stacklevel=3)
    return folder


def _caches() -> Path:
    """The user's cache folder; a relative path would depend on the current folder."""
    given = Path(os.environ.get("XDG_CACHE_HOME") or ".")
    return given if given.is_absolute() else Path.home() / ".cache"


def _opened(folder: Path) -> str:
    """Create a missing folder with mode 0700; returns the reason why an existing one is not used, or nothing."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        return f"{folder}: cannot be made ({error.strerror}), so that compiled kernels cannot be kept there"
    if reason := problem(folder):
        return f"{folder}: compiled kernels are not read from there, since {reason}"
    if not os.access(folder, os.W_OK):
        return f"{folder}: is read-only, so that compiled kernels cannot be kept there"
    folder.chmod(0o700)
    return ""


@dataclass(frozen=True)
class Kept:
    """Number of kernels already compiled."""

    folder: Path | None
    kernels: int
    warm: bool
    """Whether `supple warm` has compiled all kernels since the sources changed."""


def kept() -> Kept:
    """Contents of the chosen folder."""
    name = os.environ.get("NUMBA_CACHE_DIR")
    if not name or _private or not os.access(name, os.W_OK):
        return Kept(None, 0, False)
    folder = Path(name)
    return Kept(folder, sum(1 for _ in folder.rglob("*.nbc")), _mark(folder).is_file())


def mark_warm() -> None:
    """Record in the folder that all kernels are compiled."""
    _mark(Path(os.environ["NUMBA_CACHE_DIR"])).touch()


def _mark(folder: Path) -> Path:
    from importlib.metadata import version  # slower than the rest of this file

    # Numba keeps the kernels of each copy of the sources apart; and a folder chosen by the user also serves other sources
    # and other versions of Numba
    place = hashlib.sha256(os.fsencode(Path(__file__).parent)).hexdigest()[:8]
    return folder / f"warm-{sources_digest()}-{place}-numba-{version('numba')}"


def _prune(base: Path) -> None:
    """Delete the folders of source states that have not been used for a while."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in base.iterdir():
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
