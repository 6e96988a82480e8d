"""User-defined Python files that register methods, materials, dampings, shapes, energies and more.

A plugin is a program. It runs when the user names it (`--plugin FILE`, or `supple.load_plugin(FILE)`); a scene may state
which plugins it needs, but cannot start them.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from supple.errors import SceneError, SuppleError

_LOADED: dict[Path, str] = {}
"""File -> digest of its content."""
LONGEST = 16 * 2**20
"""Largest size of a file that is compared with loaded plugins [bytes]: a scene may name any file."""
_in_use: frozenset[str] | None = None
"""Digests of the plugins that scenes get without naming them; None: all loaded ones."""


def load_plugin(path: str | os.PathLike[str]) -> None:
    """Run a Python file and make its registered classes available everywhere; a file that is already loaded, or a
    copy of it, is not run again."""
    file = Path(path).resolve()
    if file in _LOADED:
        return
    if not file.is_file():
        raise SuppleError(f"--plugin: no such file, found '{path}', resolved to {file}")
    digest = _digest(file)
    if not digest:
        raise SuppleError(f"--plugin: {file} has more than {LONGEST // 2**20} MiB; is it a Python file?")
    if digest in _LOADED.values():
        return
    name = f"supple_plugin_{file.stem}_{blake2b(str(file).encode(), digest_size=4).hexdigest()}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise SuppleError(f"--plugin: {file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickles and kernels look classes up by their module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise SuppleError(f"--plugin: {file}: {type(error).__name__}: {error}") from error
    _LOADED[file] = digest


def loaded_plugins() -> tuple[str, ...]:
    """Paths of all files that were loaded."""
    return tuple(map(str, _LOADED))


def check_named(named: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Absolute paths of the plugins named by a scene and of loaded ones; the user must have allowed them all."""
    files = [(text, (folder / text).resolve()) for text in named]
    problems = [
        f"plugins: {text} is a Python program, which a scene cannot start by itself; read it, then allow it with "
        f"--plugin {file}"
        for text, file in files
        if not _is_loaded(file)
    ]
    if problems:
        raise SceneError(problems)
    named_here = {_digest(file) for _, file in files}
    others = [file for file, digest in _LOADED.items() if digest not in named_here and _used(digest)]
    return tuple(dict.fromkeys(str(file) for file in (*(file for _, file in files), *others)))


@contextmanager
def only_plugins(paths: Iterable[Path]) -> Iterator[None]:
    """Scenes read inside get these plugins only: a worker of a cluster may have loaded others for an earlier sweep."""
    global _in_use
    before, _in_use = _in_use, frozenset(_digest(path.resolve()) for path in paths)
    try:
        yield
    finally:
        _in_use = before


def _used(digest: str) -> bool:
    return _in_use is None or digest in _in_use


def _is_loaded(file: Path) -> bool:
    """Whether a file, or another one with the same content, was loaded."""
    return file in _LOADED or (bool(_LOADED) and (digest := _digest(file)) != "" and digest in _LOADED.values())


def _digest(file: Path) -> str:
    """Of the content; empty for what is no file, or too large to be a plugin."""
    if not file.is_file():
        return ""
    with file.open("rb") as stream:  # some files of the system do not state their size
        content = stream.read(LONGEST + 1)
    return blake2b(content, digest_size=16).hexdigest() if len(content) <= LONGEST else ""
