"""Common part of all formats: supported content and output files."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from supple.errors import BackendMissing, RecordError
from supple.export.sequence import Instant, Sequence


class Format:
    """A writer of sequences; one registered with `FORMATS("name")` is available everywhere."""

    name: ClassVar[str]
    title: ClassVar[str]
    """Description for help and documentation."""
    suffixes: ClassVar[tuple[str, ...]] = ()
    """File suffixes, the default first; none: a folder."""
    ups: ClassVar[tuple[str, ...]] = ("y", "z", "x")
    """Supported vertical axes; a run with another one is rotated to the first."""
    even: ClassVar[bool] = False
    """Whether frames must be equally far apart in time."""
    whole: ClassVar[bool] = False
    """Whether tets and inner vertices are written in addition to the surface."""
    colours: ClassVar[bool] = False
    """Whether colours can change from frame to frame."""
    clouds: ClassVar[bool] = True
    """Whether point clouds are supported, as points or as surfaces."""
    shapes: ClassVar[bool] = True
    """Whether static shape obstacles are written; mesh obstacles always are."""
    physics: ClassVar[bool] = False
    """Whether the set-up of the run can be written with its motion."""

    def outputs(self, out: Path, sequence: Sequence) -> tuple[Path, ...]:
        """All output files and folders; the first is the one to open."""
        return (out,)

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        """Write; `paths` maps each output to its temporary name. Returns notes for the user."""
        raise TypeError(f"{type(self).__name__} does not implement writing")

    def named(self, out: Path) -> Path:
        """The path with the suffix of the format."""
        if not self.suffixes or out.suffix.lower() in self.suffixes:
            return out
        if out.is_dir():
            raise RecordError(f"--out {out}: is a folder; give the name of a file")
        if not out.suffix:
            return out.with_name(out.name + self.suffixes[0])
        raise RecordError(
            f"{out}: a file of the format {self.name} ends in {' or '.join(self.suffixes)}, found '{out.suffix}'; "
            "change --out or --to"
        )


def needed(module: str, package: str, extra: str) -> Any:
    """Import an optional library, or explain how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BackendMissing(
            f'this export requires {package}, which cannot be imported ({error}); install it with: pip install "supple[{extra}]"'
        ) from error
