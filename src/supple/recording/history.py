"""The ledger of a run: one row per step (and one for the start), in SI units, as comma-separated text.

    total + dissipated + rescued + held - external_work - hardening - total(0) = residue

The header says which columns a file has: those of COLUMNS, then the work of each number that changes with time. Those of
LATER are missing from runs of older versions: they are read without them, and a run that is continued goes on without them.

Rows go out unbuffered, one system call each; a kill may still cut the last one, so nobody trusts a line that is not
whole. Floats are written so that reading gives back the same bits. Two equal runs give equal files, but for the column
`wall_seconds`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError
from supple.recording.files import put, trouble

COLUMNS = (
    "step", "time", "h",
    "kinetic", "elastic", "gravity", "other", "total",
    "dissipated", "external_work", "residue",
    "px", "py", "pz", "lx", "ly", "lz",
    "newton_iterations", "factorisations", "line_search_steps", "rejected_steps", "gradient_norm",
    "constraint_error", "constraint_force", "inverted_elements", "crushed_elements", "exceptional", "rescued",
    "transfer", "force", "collided", "plastic", "hardening", "restored", "springs", "held", "doubtful", "wall_seconds",
)  # fmt: skip
"""Step number; s; s; J (8 columns); kg m/s; kg m^2/s; counts of the solver; -; m; N; counts of tets; 1 for
a step that is not what the method promises, else 0; J (9 columns: rescued, 6 of material points, springs, held); 1 for a
step whose residue the witness doubts, else 0; s."""

SQUEEZED = ("inverted_elements", "crushed_elements")
"""Counts of tets that are inside out or have lost most of their volume."""
GRID = ("transfer", "force", "collided", "plastic", "hardening", "restored")
"""What steps of material points on their grid did to the energy, running sums; zero for all else [J]."""
LATER = (*SQUEEZED, "exceptional", "rescued", *GRID, "springs", "held", "doubtful")
"""Columns that files of older versions lack."""

WORK = "work."
"""Before the name of a number that changes with time: the column of its work, part of `external_work`, a running sum [J]."""

DERIVED = {"potential": ("elastic", "gravity", "other")}
"""Series that are sums of columns: contact counts among `other`."""

COUNTS = frozenset(
    {"step", "newton_iterations", "factorisations", "line_search_steps", "rejected_steps", *LATER}
    - {"rescued", *GRID, "springs", "held"}
)
"""The columns of whole numbers."""


class HistoryWriter:
    """Appends rows to a history; use `create` or `reopen`."""

    def __init__(self, path: Path, descriptor: int, size: int, columns: tuple[str, ...] = COLUMNS) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = size
        self._columns = columns

    @classmethod
    def create(cls, path: Path, works: Sequence[str] = ()) -> HistoryWriter:
        """A new history with its header; `works`: numbers whose work has a column of its own."""
        columns = (*COLUMNS, *(WORK + name for name in works))
        try:
            writer = cls(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666), 0, columns)
        except OSError as error:
            raise trouble(path, "write", error) from error
        writer._write(_header(columns))
        return writer

    @classmethod
    def reopen(cls, path: Path, step: int) -> HistoryWriter:
        """Go on after the row of `step`, the last one that the checkpoint knows; what came later is cut off."""
        columns, lines = _whole_lines(path)
        size, last = len(_header(columns)), -1
        for line in lines:
            if int(line[0]) > step:
                break
            size, last = size + sum(map(len, line)) + len(line), int(line[0])
        if last < step:
            raise RecordError(
                f"{path}: its whole rows end at step {last}, but the checkpoint was made at step {step}; "
                "the file was changed or damaged since: run again with --overwrite"
            )
        try:
            descriptor = os.open(path, os.O_RDWR)
            os.ftruncate(descriptor, size)
        except OSError as error:
            raise trouble(path, "write", error) from error
        return cls(path, descriptor, size, columns)

    def append(self, row: Mapping[str, float | int]) -> None:
        """Add a row; its keys are exactly COLUMNS and the works that the file was made with."""
        known = {*COLUMNS, *self._columns}
        if row.keys() != known:
            missing, unknown = known - row.keys(), row.keys() - known
            raise RecordError(f"{self.path}: a row lacks {sorted(missing)} and has unknown columns {sorted(unknown)}")
        cells = [str(int(row[c])) if c in COUNTS else repr(float(row[c])) for c in self._columns]
        self._write((",".join(cells) + "\n").encode())

    def sync(self) -> None:
        """Have all rows on the disk itself; to be called before a checkpoint that counts them."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise trouble(self.path, "write", error) from error

    def close(self) -> None:
        """Let go of the file; closing twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, data: bytes) -> None:
        try:
            put(self._descriptor, data, self._size)
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)  # no half row where the disk was full
            raise trouble(self.path, "write", error) from error
        self._size += len(data)


def read_history(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Column name -> values: int64 for counts, else float64. A last row that was cut by a kill is left out, and so are
    columns that the file does not have."""
    names, lines = _whole_lines(path, strict=True)
    columns = zip(*lines, strict=True) if lines else [()] * len(names)
    return {
        name: np.array(values, dtype=np.int64 if name in COUNTS else np.float64)
        for name, values in zip(names, columns, strict=True)
    }


def series(history: Mapping[str, npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    """A column of a history, or a sum of columns by its name (DERIVED)."""
    return np.sum([history[part] for part in DERIVED.get(name, (name,))], axis=0)


def _header(columns: tuple[str, ...]) -> bytes:
    return (",".join(columns) + "\n").encode()


def _whole_lines(path: Path, strict: bool = False) -> tuple[tuple[str, ...], list[list[str]]]:
    """The columns, and the cells of all rows up to the first that is not whole; if strict, only the last row may be so."""
    if path.exists() and not path.is_file():  # reading a pipe would never end
        raise RecordError(f"{path}: is no plain file; put back the history.csv that the run wrote")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise trouble(path, "read", error) from error
    columns = _columns(path, text)
    lines = text[len(_header(columns)) :].decode(errors="replace").split("\n")
    whole: list[list[str]] = []
    for number, line in enumerate(lines[:-1]):  # what follows the last newline is a cut row, or nothing
        cells = line.split(",")
        if not _is_row(cells, columns):
            if strict and number < len(lines) - 2:
                raise RecordError(
                    f"{path}: line {number + 2} is damaged: {line[:80]!r}; expected {len(columns)} numbers"
                )
            break
        whole.append(cells)
    return columns, whole


def _columns(path: Path, text: bytes) -> tuple[str, ...]:
    """The columns that the header names: all of COLUMNS but for some of LATER, and works."""
    first = text.partition(b"\n")[0].decode(errors="replace").split(",")
    works = tuple(name for name in first if name.startswith(WORK))
    columns = (*(name for name in COLUMNS if name not in LATER or name in first), *works)
    if not text.startswith(_header(columns)):
        expected = _header(COLUMNS).decode().strip()
        raise RecordError(f"{path}: does not start with the header of a history: {expected}")
    return columns


def _is_row(cells: list[str], columns: tuple[str, ...]) -> bool:
    if len(cells) != len(columns):
        return False
    try:
        for name, cell in zip(columns, cells, strict=True):
            int(cell) if name in COUNTS else float(cell)
    except ValueError:
        return False
    return True
