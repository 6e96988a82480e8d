"""Files of Numba's cache that end in a digest of the rest: a damaged or truncated one is compiled again.

Numba unpickles every file it finds. A truncated file ends in a traceback, and machine code with a wrong bit would be executed.
Numba has no hook for this, so three methods of its class for files are replaced as soon as it is imported.
"""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MODULE = "numba.core.caching"
SIZE = 32
"""Bytes of the digest."""


class _OnImport(MetaPathFinder):
    """Acts on one module, once."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        loader: Any = None if spec is None else spec.loader
        if loader is not None:
            execute = loader.exec_module

            def execute_and_replace(module: ModuleType) -> None:
                execute(module)
                replace(module)

            loader.exec_module = execute_and_replace
        return spec


def check_files() -> None:
    """Check files from now on, whether or not Numba is imported already."""
    if MODULE in sys.modules:
        replace(sys.modules[MODULE])
    else:
        sys.meta_path.insert(0, _OnImport())


def replace(caching: Any) -> None:
    """Write files with a digest, and read only those with the right one."""
    kind = getattr(caching, "IndexDataCacheFile", None)
    if kind is None or not all(hasattr(kind, name) for name in ("_load_index", "_load_data", "_open_for_write")):
        return  # another version of Numba
    if getattr(kind, "checked_by_supple", False):
        return
    load_index, load_data = kind._load_index, kind._load_data

    def checked_index(self: Any) -> Any:
        if not whole(self._index_path):
            return {}
        with suppress(Exception):  # whatever unpickling raises: the index is begun anew
            return load_index(self)
        return {}

    def checked_data(self: Any, name: str) -> Any:
        if not whole(self._data_path(name)):
            raise FileNotFoundError(name)  # as if it were not there
        return load_data(self, name)

    kind._load_index, kind._load_data, kind.checked_by_supple = checked_index, checked_data, True
    kind._open_for_write = _with_digest(kind._open_for_write)


def whole(path: str) -> bool:
    """Whether a file exists and ends in the digest of the rest."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    return len(data) > SIZE and blake2b(data[:-SIZE], digest_size=SIZE).digest() == data[-SIZE:]


def _with_digest(opened: Any) -> Any:
    """Numba's function that opens a file for writing, with the digest added at the end."""

    @contextmanager
    def open_for_write(self: Any, path: str) -> Any:
        with opened(self, path) as file:
            total = _Total(file)
            yield total
            file.write(total.digest())

    return open_for_write


class _Total:
    """A file being written, and its digest."""

    def __init__(self, file: Any) -> None:
        self._file, self._hash = file, blake2b(digest_size=SIZE)

    def write(self, data: Any) -> int:
        self._hash.update(data)
        return int(self._file.write(data))

    def digest(self) -> bytes:
        return self._hash.digest()
