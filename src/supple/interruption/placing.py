"""Files that are written beside their place and renamed when they are complete.

Whatever ends the writing, the place has the old content or the new. Names under way are known, so that a process which has to
end at once can remove them.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from supple.interruption.signals import held

_under_way: dict[Path, None] = {}
_complete: dict[Path, None] | None = None
"""Files that were put in place, while somebody listens."""


@contextmanager
def noted() -> Iterator[None]:
    """Complete files are noted within."""
    global _complete
    before, _complete = _complete, {}
    try:
        yield
    finally:
        _complete = before


def complete() -> list[Path]:
    """Files that were put in place since, and are still there."""
    return [path for path in _complete or () if path.exists()]


@contextmanager
def under_way(*names: Path) -> Iterator[None]:
    """Names of unfinished files or folders, which are gone at the end. A file or a link of such a name is removed first: writing
    through a link that somebody else put there would change another file."""
    for name in names:
        clear(name)
    _under_way.update(dict.fromkeys(names))
    try:
        yield
    finally:
        for name in names:
            remove(name)
            _under_way.pop(name, None)


def remove_unfinished() -> None:
    """For a process that ends at once."""
    for name in list(_under_way):
        remove(name, ignore_errors=True)


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """The name to write to, in the same folder and with the same ending; takes the place of `path` if all goes well."""
    if path.exists() and not path.is_file():  # a device or a pipe has no content to keep, and must stay what it is
        yield path
        return
    place = _target(path) if path.is_symlink() else path
    new = place.with_name(f".part-{place.name}")
    with under_way(new):
        try:
            yield new
            put(new, place)
        except OSError as error:
            if error.errno is not None and error.filename in (None, str(new)):  # the user knows it by its own name
                error.filename = str(path)
            raise


def clear(name: Path) -> None:
    """Remove a file or a link, but no folder."""
    if name.is_symlink() or name.is_file():
        name.unlink()


def _target(link: Path) -> Path:
    """The file that a link leads to, below the folder of the link: a link in a stranger's folder may lead anywhere."""
    place = link.resolve()
    if place.is_relative_to(link.parent.resolve()) or link.parent == Path("/dev"):
        return place
    sentence = f"a link to {place}, outside its folder, is not written to; remove the link, or give that path"
    raise PermissionError(errno.EPERM, sentence, str(link))


@contextmanager
def scratch(prefix: str = "supple-") -> Iterator[Path]:
    """A folder for the time being, in the system's place for such."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    with under_way(folder):
        yield folder


def put(new: Path, path: Path) -> None:
    """Let a file or a folder take the place of another, which is gone then."""
    with held():
        if new.is_dir() and path.is_dir():
            old = path.with_name(f".old-{path.name}")
            remove(old)
            os.rename(path, old)
            os.rename(new, path)
            remove(old)
        else:
            os.replace(new, path)
        if _complete is not None:
            _complete[path] = None


def remove(path: Path, ignore_errors: bool = False) -> None:
    """Remove a file or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=ignore_errors)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError:
        if not ignore_errors:
            raise
