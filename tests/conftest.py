"""Compiled kernels are cached in a folder named by the sources: Numba does not notice a change in a helper elsewhere."""

import hashlib
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _sources_hash() -> str:
    total = hashlib.sha256()
    for file in sorted((ROOT / "src" / "supple").rglob("*.py")):
        total.update(str(file.relative_to(ROOT)).encode())
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


def _choose_numba_cache() -> None:
    """Must run before Numba is imported; a folder that the environment names already is taken as it is."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    chosen = ROOT / ".numba_cache" / _sources_hash()
    chosen.mkdir(parents=True, exist_ok=True)
    for stale in chosen.parent.iterdir():
        if stale != chosen:
            shutil.rmtree(stale, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(chosen)


_choose_numba_cache()
