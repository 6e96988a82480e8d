"""Material libraries beside OBJ files: the names of materials, their diffuse colours and textures.

A missing or unreadable library costs only the colours: the faces keep the names of their materials.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from supple.escaping import one_line
from supple.mesh.faces.polygons import Finish
from supple.mesh.obj.lines import statements
from supple.paths import may_read

TEXTURE_OPTIONS = {"-o": 3, "-s": 3, "-t": 3, "-mm": 2}
"""Number of values after a texture option; other options have one."""

MOST_LIBRARIES = 1000
"""Names of libraries that are looked up for one mesh; a file can name hundreds of thousands."""


def read_finishes(folder: Path, libraries: Iterable[str]) -> dict[str, Finish]:
    """All materials of the libraries that `mtllib` lines name, relative to the folder; each library is read once."""
    found: dict[str, Finish] = {}
    read: set[Path] = set()
    looked = 0
    for line in dict.fromkeys(libraries):
        # a name with spaces, or several names
        for name in dict.fromkeys([line, *line.split()]):
            looked += 1
            if looked > MOST_LIBRARIES:
                return found
            if _is_readable(folder, name):
                if (file := (folder / name).resolve()) not in read:
                    read.add(file)
                    found |= _finishes(folder / name)
                if name == line:
                    break
    return found


def _is_readable(folder: Path, name: str) -> bool:
    """Whether a library exists, in the folder or where the user allows it."""
    try:
        return may_read(folder / name, folder) and (folder / name).is_file()
    except OSError:  # a name that is too long
        return False


def _finishes(path: Path) -> dict[str, Finish]:
    found: dict[str, Finish] = {}
    name = ""
    for _, word, rest in statements(path):
        if word == "newmtl":
            name = rest
            found[name] = Finish()
        elif word.lower() == "kd" and name in found:
            found[name] = Finish(_colour(rest), found[name].texture)
        elif word.lower() == "map_kd" and name in found and (file := _texture(rest)):
            found[name] = Finish(found[name].colour, os.path.abspath(path.parent / file.replace("\\", "/")))
    return found


def library_text(finishes: Mapping[str, Finish], names: Iterable[str], folder: Path) -> str:
    """A library of these materials for an OBJ file in the folder; textures keep their locations."""
    blocks = []
    for name in names:
        finish = finishes.get(name, Finish())
        lines = [f"newmtl {one_line(name)}"]
        lines += [f"Kd {' '.join(f'{c:.6g}' for c in finish.colour)}"] if finish.colour else []
        lines += [f"map_Kd {one_line(_relative(finish.texture, folder))}"] if finish.texture else []
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _relative(file: str, folder: Path) -> str:
    try:
        return Path(os.path.relpath(file, folder.absolute())).as_posix()
    except ValueError:  # on another drive
        return file


def _colour(text: str) -> tuple[float, float, float] | None:
    try:
        numbers = [float(word) for word in text.split()[:3]]
    except ValueError:
        return None
    red, green, blue = (numbers * 3)[:3] if len(numbers) in (1, 3) else (1.0, 1.0, 1.0)
    return (red, green, blue)


def _texture(text: str) -> str:
    """The file name after the options of a texture."""
    words = text.split()
    while words and words[0].startswith("-"):
        words = words[1 + TEXTURE_OPTIONS.get(words[0], 1) :]
    return " ".join(words)
