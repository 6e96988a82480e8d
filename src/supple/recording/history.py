"""The ledger of a run: one row per step (and one for the start), in SI units, as comma-separated text.

    total + dissipated + rescued + held - external_work - hardening - total(0) = residual

The header lists the columns of a file: those of COLUMNS, then the work of each time-dependent parameter. Columns of
LATER are missing from runs of older versions: these are read without them, and a resumed run continues without them.

Rows are written unbuffered, one system call each; a kill may still truncate the last one, so incomplete lines are
ignored. Floats are written so that reading restores the same bits. Two equal runs give equal files, except for the column
`wall_seconds`.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.checks import checked_call
from supple.errors import RecordError
from supple.recording.files import put, trouble
from supple.recording.reading.columns import COLUMNS as HISTORY_COLUMNS

COLUMNS = tuple(column.name for column in HISTORY_COLUMNS)
"""Names of all columns; `recording.reading.columns` has their units and meanings."""

SQUEEZED = ("inverted_elements", "crushed_elements")
"""Counts of tets that are inverted or have lost most of their volume."""
GRID = ("transfer", "force", "collided", "plastic", "hardening", "restored")
"""Energy changes by material-point steps on their grid, running sums; zero for other methods [J]."""
LATER = (*SQUEEZED, "exceptional", "rescued", *GRID, "springs", "held", "doubtful")
"""Columns missing from files of older versions."""

WORK = "work."
"""Prefix of the work column of a time-dependent parameter: part of `external_work`, a running sum [J]."""

DERIVED = {"potential": ("elastic", "gravity", "other")}
"""Series that are sums of columns: contact counts among `other`."""

COUNTS = frozenset(
    {"step", "newton_iterations", "factorisations", "line_search_steps", "rejected_steps", *LATER}
    - {"rescued", *GRID, "springs", "held"}
)
"""The integer columns."""


LIMIT = 2**63
"""Of the integer columns."""
DIGEST = 16
"""Bytes of the digest of a history."""


class HistoryWriter:
    """Appends rows to a history; use `create` or `reopen`."""

    def __init__(self, path: Path, descriptor: int, size: int, columns: tuple[str, ...] = COLUMNS) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = size
        self._columns = columns
        self._total = blake2b(os.pread(descriptor, size, 0), digest_size=DIGEST)

    @property
    def digest(self) -> str:
        """Of all bytes so far, for the checkpoint."""
        return self._total.hexdigest()

    @classmethod
    def create(cls, path: Path, works: Sequence[str] = ()) -> HistoryWriter:
        """A new history with its header; `works`: parameters whose work has a separate column."""
        columns = (*COLUMNS, *(WORK + name for name in works))
        try:
            writer = cls(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666), 0, columns)
        except OSError as error:
            raise trouble(path, "write", error) from error
        writer._write(_header(columns))
        return writer

    @classmethod
    def reopen(
        cls, path: Path, step: int, digest: str | None = None, figures: Mapping[str, float] | None = None
    ) -> HistoryWriter:
        """Continue after the row of `step`, the last one in the checkpoint; later rows are cut off.

        A history with another digest, or other figures in its last row, is refused unchanged; checkpoints of earlier versions
        have no digest.
        """
        columns, lines = _whole_lines(path)
        size, row = len(_header(columns)), [str(-1)]
        for line in lines:
            if int(line[0]) > step:
                break
            size, row = size + sum(map(len, line)) + len(line), line
        if int(row[0]) < step:
            raise RecordError(
                f"{path}: its complete rows end at step {row[0]}, but the checkpoint was made at step {step}; "
                "the file was changed or damaged since: run again with --overwrite"
            )
        _demand_figures(path, dict(zip(columns, row, strict=True)), figures or {})
        try:
            descriptor = os.open(path, os.O_RDWR)
        except OSError as error:
            raise trouble(path, "write", error) from error
        writer = cls(path, descriptor, size, columns)
        if digest not in (None, writer.digest):
            writer.close()
            raise RecordError(
                f"{path}: its rows up to step {step} are not those of the checkpoint; the file was changed or damaged since, or "
                "is of another run: put back the one that the run wrote, or run again with --overwrite"
            )
        try:
            os.ftruncate(descriptor, size)
        except OSError as error:
            writer.close()
            raise trouble(path, "write", error) from error
        return writer

    def append(self, row: Mapping[str, float | int]) -> None:
        """Add a row; its keys are exactly COLUMNS and the works of the file."""
        known = {*COLUMNS, *self._columns}
        if row.keys() != known:
            missing, unknown = known - row.keys(), row.keys() - known
            raise RecordError(f"{self.path}: a row lacks {sorted(missing)} and has unknown columns {sorted(unknown)}")
        cells = [str(int(row[c])) if c in COUNTS else repr(float(row[c])) for c in self._columns]
        self._write((",".join(cells) + "\n").encode())

    def sync(self) -> None:
        """Flush all rows to the disk; to be called before a checkpoint that counts them."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise trouble(self.path, "write", error) from error

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, data: bytes) -> None:
        try:
            put(self._descriptor, data, self._size)
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)  # no incomplete row on a full disk
            raise trouble(self.path, "write", error) from error
        self._size += len(data)
        self._total.update(data)


@checked_call
def read_history(path: str | os.PathLike[str]) -> dict[str, npt.NDArray[Any]]:
    """Column name -> values: int64 for counts, otherwise float64. A last row truncated by a kill is omitted, and so are
    columns that the file does not have."""
    names, lines = _whole_lines(Path(path), strict=True)
    columns = zip(*lines, strict=True) if lines else [()] * len(names)
    return {
        name: np.array(values, dtype=np.int64 if name in COUNTS else np.float64)
        for name, values in zip(names, columns, strict=True)
    }


def read_rows(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The same of a run that has taken its first step; a history without rows is an error."""
    history = read_history(path)
    if not len(history["step"]):
        raise RecordError(f"{path}: has no rows; put back the one that the run wrote, or run again with --overwrite")
    return history


def series(history: Mapping[str, npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    """A column of a history, or a sum of columns by its name (DERIVED)."""
    return np.sum([history[part] for part in DERIVED.get(name, (name,))], axis=0)


def _header(columns: tuple[str, ...]) -> bytes:
    """Names with a comma or a quotation mark, as bodies may have, stand in quotation marks."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(columns)
    return text.getvalue().encode()


def _whole_lines(path: Path, strict: bool = False) -> tuple[tuple[str, ...], list[list[str]]]:
    """The columns, and the cells of all rows up to the first incomplete one; if strict, only the last row may be."""
    if path.exists() and not path.is_file():  # reading a pipe would never end
        raise RecordError(f"{path}: is not a regular file; restore the history.csv of the run")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise trouble(path, "read", error) from error
    if strict:  # reading only: a file of that version is not continued
        text = _renamed(text)
    columns = _columns(path, text)
    lines = text[len(_header(columns)) :].decode(errors="replace").split("\n")
    whole: list[list[str]] = []
    for number, line in enumerate(lines[:-1]):  # text after the last newline is a truncated row, or empty
        cells = line.split(",") if line.isascii() else []  # Python reads digits of all scripts
        if not _is_row(cells, columns):
            if strict and number < len(lines) - 2:
                raise RecordError(
                    f"{path}: line {number + 2} is damaged: {line[:80]!r}; expected {len(columns)} numbers"
                )
            break
        if strict and whole and not 0 <= int(cells[0]) - int(whole[-1][0]) <= 1:
            raise RecordError(
                f"{path}: line {number + 2} has step {cells[0]} after step {whole[-1][0]}; rows are missing or were changed: put "
                "back the file that the run wrote, or run again with --overwrite"
            )
        whole.append(cells)
    return columns, whole


def _renamed(text: bytes) -> bytes:
    """With the present names of columns: the energy residual was called `residue` until version 0.1."""
    header, line_feed, rows = text.partition(b"\n")
    return header.replace(b",residue,", b",residual,") + line_feed + rows


def _columns(path: Path, text: bytes) -> tuple[str, ...]:
    """The columns that the header names: all of COLUMNS except some of LATER, and works."""
    try:
        first = next(csv.reader([text.partition(b"\n")[0].decode(errors="replace")]), [])
    except csv.Error:  # no header of ours
        first = []
    works = tuple(name for name in first if name.startswith(WORK))
    columns = (*(name for name in COLUMNS if name not in LATER or name in first), *works)
    if not text.startswith(_header(columns)):
        expected = _header(COLUMNS).decode().strip()
        raise RecordError(f"{path}: does not start with the header of a history: {expected}")
    return columns


def _demand_figures(path: Path, row: Mapping[str, str], figures: Mapping[str, float]) -> None:
    """Refuse a row with figures other than those of the checkpoint; both were written from the same bits."""
    for name, value in figures.items():
        found = float(row[name])
        if found != value and not (math.isnan(found) and math.isnan(value)):
            raise RecordError(
                f"{path}: the row of step {row['step']} has {name} = {found!r}, the checkpoint has {value!r}; one of them was "
                "changed since, or is of another run: put back the files that the run wrote, or run again with --overwrite"
            )


def _is_row(cells: list[str], columns: tuple[str, ...]) -> bool:
    if len(cells) != len(columns):
        return False
    try:
        counts = [int(cell) for name, cell in zip(columns, cells, strict=True) if name in COUNTS]
        for name, cell in zip(columns, cells, strict=True):
            if name not in COUNTS:
                float(cell)
    except ValueError:
        return False
    return min(counts) >= 0 and max(counts) < LIMIT
