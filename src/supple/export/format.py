"""What all formats have in common: what they can hold, and which files they write."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from supple.errors import BackendMissing, RecordError
from supple.export.sequence import Instant, Sequence


class Format:
    """A way to write a sequence; one made known with `FORMATS("name")` can be chosen everywhere."""

    name: ClassVar[str]
    title: ClassVar[str]
    """For help and documentation."""
    suffixes: ClassVar[tuple[str, ...]] = ()
    """How the name of the file ends, the usual way first; none: a folder."""
    ups: ClassVar[tuple[str, ...]] = ("y", "z", "x")
    """Axes that may point up; a run with another one is turned to the first."""
    even: ClassVar[bool] = False
    """Whether frames must be equally far apart in time."""
    whole: ClassVar[bool] = False
    """Whether tets and inner vertices are wanted too, not the surface only."""
    colours: ClassVar[bool] = False
    """Whether colours can change from frame to frame."""
    clouds: ClassVar[bool] = True
    """Whether clouds of points are written, as points or by the surface around them."""
    shapes: ClassVar[bool] = True
    """Whether obstacles that are shapes, and stand still, are written; those that are meshes always are."""
    physics: ClassVar[bool] = False
    """Whether the set-up of the run can be written beside its motion."""

    def outputs(self, out: Path, sequence: Sequence) -> tuple[Path, ...]:
        """All files and folders that will be there in the end; the first is the one to open."""
        return (out,)

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        """Write; `paths` says under which name each output is prepared. Returns notes for the user."""
        raise TypeError(f"{type(self).__name__} does not define how it writes")

    def named(self, out: Path) -> Path:
        """The path with the ending of the format."""
        if not self.suffixes or out.suffix.lower() in self.suffixes:
            return out
        if not out.suffix:
            return out.with_name(out.name + self.suffixes[0])
        raise RecordError(
            f"{out}: a file of the format {self.name} ends in {' or '.join(self.suffixes)}, found '{out.suffix}'; "
            "change --out or --to"
        )


def needed(module: str, package: str, extra: str) -> Any:
    """Import an optional library, or say how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BackendMissing(
            f'this export needs {package}, which cannot be imported ({error}); install it with: pip install "supple[{extra}]"'
        ) from error
