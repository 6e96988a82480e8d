# SPDX-License-Identifier: GPL-3.0-or-later
"""The energy ledger of a run in progress: the last row of its history."""

import csv
from dataclasses import dataclass
from pathlib import Path

TAIL = 8192
"""Bytes at the end of the file that hold more than one row."""


@dataclass(frozen=True)
class Row:
    """Energies [J] at a time [s]."""

    time: float
    total: float
    dissipated: float
    external_work: float
    residual: float


def last_row(history: Path) -> Row | None:
    """The last complete row; None before there is one."""
    try:
        with history.open("rb") as file:
            names = file.readline().decode().strip().split(",")
            begin = file.tell()
            end = file.seek(0, 2)
            file.seek(max(begin, end - TAIL))
            lines = file.read().decode(errors="replace").split("\n")[:-1]
    except OSError:
        return None
    for line in reversed(lines):
        values = next(csv.reader([line]))
        if len(values) == len(names):
            row = dict(zip(names, values, strict=True))
            try:
                return Row(*(float(row[key]) for key in Row.__dataclass_fields__))
            except (KeyError, ValueError):
                continue
    return None
