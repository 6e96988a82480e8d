"""Files and folders that appear when they are complete, or not at all; existing files are not lost by accident."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from supple.errors import RecordError
from supple.interruption.placing import put, remove, under_way
from supple.interruption.signals import held
from supple.recording.files import replace, trouble


def check_free(paths: Sequence[Path], overwrite: bool) -> None:
    """Refuse outputs that cannot or must not be written, before any work is done."""
    for path in paths:
        if path.exists() and not overwrite:
            raise RecordError(f"{path}: already exists; replace it with --overwrite, or choose another --out")
        if path.is_dir():
            _refuse_foreign(path)
        above = next(parent for parent in path.absolute().parents if parent.exists())
        if not above.is_dir():
            raise RecordError(f"{path}: cannot be written, {above} is a file; choose another --out")


@contextmanager
def staged(paths: Sequence[Path], overwrite: bool) -> Iterator[dict[Path, Path]]:
    """Temporary names for each path; on success each is moved into place (the first one last)."""
    check_free(paths, overwrite)
    # the suffix is kept: some libraries select the format by it
    names = {path: path.with_name(f".part-{path.name}") for path in paths}
    try:
        with under_way(*names.values()):
            for path, new in names.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                remove(new)
            yield names
            with held():
                for path, new in reversed(names.items()):
                    _put(new, path)
    except OSError as error:
        raise trouble(paths[0], "write", error) from error


def _put(new: Path, path: Path) -> None:
    if new.is_dir():
        put(new, path)
    elif path.is_dir():
        raise RecordError(f"{path}: is a folder, but a file is to be written; choose another --out")
    else:
        replace(new, path)


def _refuse_foreign(folder: Path) -> None:
    """Replace a folder only if it contains nothing but an earlier export."""
    foreign = sorted(entry.name for entry in folder.iterdir() if entry.suffix not in {".obj", ".mtl", ".vtu"})
    if foreign:
        raise RecordError(
            f"{folder}: contains files that do not belong to an export ({', '.join(foreign[:3])}), which supple will not touch; "
            "choose another --out"
        )
