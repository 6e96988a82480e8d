"""Pictures as numbered files, `frames.%04d.png`, for editing and compositing programs: all files appear, or none. Or side by
side in one picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.interruption.placing import put, under_way
from supple.interruption.signals import held
from supple.recording.files import trouble
from supple.render.pictures import Picture

GAP = 4
"""Pixels between pictures side by side."""
FIRST = 1
"""Number of the first picture."""
_NUMBER = re.compile(r"%(0\d+)?d")


def is_sequence(path: Path) -> bool:
    """Whether a name denotes many files."""
    return "%" in path.name


def check_sequence(path: Path, overwrite: bool) -> None:
    """Refuse invalid and existing sequences."""
    if len(_NUMBER.findall(path.name)) != 1 or path.name.count("%") != 1 or path.suffix.lower() != ".png":
        raise SuppleError(
            f"--to {path}: '%' stands for the number of a picture, once, in the name of .png files; give a name such as "
            "frames.%04d.png"
        )
    old = numbered(path)
    if old and not overwrite:
        raise SuppleError(
            f"--to {path}: {old[0].name} already exists; choose another name, or replace all of the {len(old)} numbered "
            "files with --overwrite"
        )


def numbered(path: Path) -> list[Path]:
    """Existing files with such names, in numerical order."""
    before, after = _NUMBER.split(path.name)[0], _NUMBER.split(path.name)[-1]
    form = re.compile(re.escape(before) + r"(\d+)" + re.escape(after))
    found = [(int(match[1]), file) for file in path.parent.iterdir() if (match := form.fullmatch(file.name))]
    return [file for number, file in sorted(found) if file.name == path.name % number]


def in_a_row(pictures: Sequence[Picture]) -> Picture:
    """One picture from several of the same height, with a white line between them."""
    parts = [pictures[0]]
    for picture in pictures[1:]:
        parts += [np.full((len(picture), GAP, 3), 255, dtype=np.uint8), picture]
    return np.concatenate(parts, axis=1)


@contextmanager
def open_sequence(path: Path) -> Iterator[Callable[[Picture], None]]:
    """Yields a function that adds a picture; older files are replaced once all pictures are complete."""
    from PIL.Image import fromarray

    made: list[tuple[Path, Path]] = []
    try:
        with ExitStack() as stack:

            def add(picture: Picture) -> None:
                file = path.with_name(path.name % (FIRST + len(made)))
                new = file.with_name(f".{file.stem}.part.png")
                stack.enter_context(under_way(new))
                made.append((new, file))
                fromarray(picture).save(new)

            yield add
            with held():
                for file in numbered(path):
                    file.unlink()
                for new, file in made:
                    put(new, file)
    except OSError as error:
        raise trouble(path, "write", error) from error
