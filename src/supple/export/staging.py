"""Files and folders that appear when they are complete, or not at all; what is there is not lost by accident."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from supple.errors import RecordError
from supple.recording.files import replace, trouble


def check_free(paths: Sequence[Path], overwrite: bool) -> None:
    """Refuse what cannot or must not be written, before any work is done."""
    for path in paths:
        if path.exists() and not overwrite:
            raise RecordError(f"{path}: exists already; replace it with --overwrite, or choose another --out")
        if path.is_dir():
            _refuse_foreign(path)
        above = next(parent for parent in path.absolute().parents if parent.exists())
        if not above.is_dir():
            raise RecordError(f"{path}: cannot be written, {above} is a file; choose another --out")


@contextmanager
def staged(paths: Sequence[Path], overwrite: bool) -> Iterator[dict[Path, Path]]:
    """For each path the name to write to; when all went well, each takes its place (the first one last)."""
    check_free(paths, overwrite)
    # the ending stays: some libraries choose the format by it
    names = {path: path.with_name(f".part-{path.name}") for path in paths}
    try:
        for path, new in names.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove(new)
        yield names
        for path, new in reversed(names.items()):
            _put(new, path)
    except OSError as error:
        raise trouble(paths[0], "write", error) from error
    finally:
        for new in names.values():
            _remove(new)


def _put(new: Path, path: Path) -> None:
    if not new.is_dir():
        if path.is_dir():
            raise RecordError(f"{path}: is a folder, but a file is to be written; choose another --out")
        replace(new, path)
        return
    if path.exists():
        old = path.with_name(f".old-{path.name}")
        _remove(old)
        os.rename(path, old)
        os.rename(new, path)
        _remove(old)
    else:
        os.rename(new, path)


def _refuse_foreign(folder: Path) -> None:
    """Only a folder that holds nothing but an earlier export is replaced."""
    foreign = sorted(entry.name for entry in folder.iterdir() if entry.suffix not in {".obj", ".mtl", ".vtu"})
    if foreign:
        raise RecordError(
            f"{folder}: has files that no export has written ({', '.join(foreign[:3])}), which supple will not touch; "
            "choose another --out"
        )


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
