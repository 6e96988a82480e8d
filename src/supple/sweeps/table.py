"""The table of a sweep: a row per run, with its values and measures."""

from __future__ import annotations

import csv
import importlib.util
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from supple.escaping import cell
from supple.recording.files import replace_bytes
from supple.sweeps.manifest import Row, State

CSV, PARQUET = "table.csv", "table.parquet"
Columns = dict[str, list[Any]]


def columns_of(rows: Sequence[Row], measures: Sequence[str]) -> Columns:
    """Number, values, state, measures, seconds, worker and error of each run, by column. A missing measure
    is NaN."""
    keys = list(rows[0].values) if rows else []
    return {
        "run": [row.index for row in rows],
        **{key: [row.values[key] for row in rows] for key in keys},
        "state": [row.state.value for row in rows],
        **{name: [row.measures.get(name, math.nan) for row in rows] for name in measures},
        "seconds": [math.nan if row.seconds is None else row.seconds for row in rows],
        "worker": [row.worker or "" for row in rows],
        "error": [row.error or "" for row in rows],
        "folder": [row.folder for row in rows],
    }


def write_tables(folder: Path, columns: Columns) -> list[Path]:
    """table.csv, and table.parquet where pyarrow is installed."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(cell, columns))
    writer.writerows(map(cell, row) for row in zip(*columns.values(), strict=True))
    replace_bytes(folder / CSV, text.getvalue().encode())
    if importlib.util.find_spec("pyarrow") is None:
        return [folder / CSV]
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    to = io.BytesIO()
    parquet.write_table(arrow.table({name: _alike(values) for name, values in columns.items()}), to)
    replace_bytes(folder / PARQUET, to.getvalue())
    return [folder / CSV, folder / PARQUET]


def _alike(values: list[Any]) -> list[Any]:
    """Values of one type: text where types differ."""
    plain = [value for value in values if not isinstance(value, list | dict)]
    same = len(plain) == len(values) and len({type(value) for value in values}) <= 1
    return values if same else [str(value) for value in values]


def finished(rows: Sequence[Row]) -> list[Row]:
    """Rows with measures."""
    return [row for row in rows if row.state is State.FINISHED]
