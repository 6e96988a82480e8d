"""Kernels for materials that are written outside supple.

Numba's index of compiled kernels names the parameter types they were compiled for. An index with a type from somebody's
script could not be read by any process that does not know the script, so such materials get their own copy of the
modules with kernels, compiled into a cache folder of their own that is named by the module's text.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

OURS = "supple"


def kernels_for(module: str, parameters: type) -> ModuleType:
    """The module with kernels that take these parameters."""
    home = parameters.__module__
    if home.partition(".")[0] == OURS:
        return importlib.import_module(module)
    return _copy(module, home)


@cache
def _copy(module: str, home: str) -> ModuleType:
    from numba import config

    original = importlib.import_module(module)
    name = f"{module}@{home}"
    spec = importlib.util.spec_from_file_location(name, original.__file__)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load a second copy of {module}")
    copy = importlib.util.module_from_spec(spec)
    sys.modules[name] = copy  # where Numba looks for it when a kernel comes from the cache
    usual = config.CACHE_DIR
    config.CACHE_DIR = str(_folder(home, usual))
    try:
        spec.loader.exec_module(copy)
    finally:
        config.CACHE_DIR = usual
    return copy


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Lives as long as the process."""
    return tempfile.TemporaryDirectory(prefix="supple-kernels-")


def _folder(home: str, base: str) -> Path:
    """A folder for the present text of the module. What a main script or a prompt defines has a new identity in every
    process, as Numba sees it, so its kernels are not worth keeping."""
    file = getattr(sys.modules[home], "__file__", None)
    if home == "__main__" or file is None or not base:
        return Path(_scratch().name)
    text = home.encode() + Path(file).read_bytes()
    return Path(base) / f"foreign-{hashlib.sha256(text).hexdigest()[:16]}"
