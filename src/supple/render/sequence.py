"""Pictures as numbered files, `frames.%04d.png`: what editing and compositing programs read. All appear, or none. Or as one
picture, in a row."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.recording.files import trouble
from supple.render.pictures import Picture

GAP = 4
"""Pixels between pictures in a row."""
FIRST = 1
"""Number of the first picture."""
_NUMBER = re.compile(r"%(0\d+)?d")


def is_sequence(path: Path) -> bool:
    """Whether a name stands for many files."""
    return "%" in path.name


def check_sequence(path: Path, overwrite: bool) -> None:
    """Refuse what cannot be a sequence, and one that is there already."""
    if len(_NUMBER.findall(path.name)) != 1 or path.name.count("%") != 1 or path.suffix.lower() != ".png":
        raise SuppleError(
            f"--to {path}: '%' stands for the number of a picture, once, in the name of .png files; give a name such as "
            "frames.%04d.png"
        )
    old = numbered(path)
    if old and not overwrite:
        raise SuppleError(
            f"--to {path}: {old[0].name} exists already; choose another name, or replace all of the {len(old)} numbered "
            "files with --overwrite"
        )


def numbered(path: Path) -> list[Path]:
    """The files that are there with such names, in the order of their numbers."""
    before, after = _NUMBER.split(path.name)[0], _NUMBER.split(path.name)[-1]
    form = re.compile(re.escape(before) + r"(\d+)" + re.escape(after))
    found = [(int(match[1]), file) for file in path.parent.iterdir() if (match := form.fullmatch(file.name))]
    return [file for number, file in sorted(found) if file.name == path.name % number]


def in_a_row(pictures: Sequence[Picture]) -> Picture:
    """One picture of several of the same height, with a white line between them."""
    parts = [pictures[0]]
    for picture in pictures[1:]:
        parts += [np.full((len(picture), GAP, 3), 255, dtype=np.uint8), picture]
    return np.concatenate(parts, axis=1)


@contextmanager
def open_sequence(path: Path) -> Iterator[Callable[[Picture], None]]:
    """Gives the function that adds a picture; older files of that name make way when all pictures are there."""
    from PIL.Image import fromarray

    made: list[tuple[Path, Path]] = []

    def add(picture: Picture) -> None:
        file = path.with_name(path.name % (FIRST + len(made)))
        made.append((file.with_name(f".{file.stem}.part.png"), file))
        fromarray(picture).save(made[-1][0])

    try:
        yield add
        for file in numbered(path):
            file.unlink()
        for new, file in made:
            os.replace(new, file)
    except OSError as error:
        raise trouble(path, "write", error) from error
    finally:
        for new, _ in made:
            new.unlink(missing_ok=True)
