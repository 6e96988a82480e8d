"""The runs of a sweep as a contact sheet: in columns and rows by the values of its keys, or in sequence."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from supple.errors import SuppleError, did_you_mean
from supple.recording.folder import RunFolder
from supple.render.sheet import Cell, Sheet
from supple.sweeps.manifest import Manifest, Row, State
from supple.sweeps.plan import in_words, label, short_keys

SPARSE = 4
"""Largest number of cells per run: samples have different values in every run."""


def arrange(manifest: Manifest, columns: str | None = None, rows: str | None = None) -> Sheet:
    """A cell per run. `columns` and `rows` are varied keys, or the ends of such keys. Other keys become part of
    the rows (of the columns if only rows are given) where several runs would share a cell. Unfinished runs are
    grey cells."""
    found = manifest.rows
    across, down = _keys(manifest, "--columns", columns), _keys(manifest, "--rows", rows)
    if not across and not down:
        return _one_by_one(manifest)
    if across == down:
        raise SuppleError(f"--columns, --rows: both are {across[0]}; give two different keys, or omit one")
    others = [key for key in found[0].values if key not in (*across, *down)]
    if crowded := _crowded(found, [*across, *down]):
        if not across:
            across, others = others, []
        else:
            down, others = [*down, *others], []
        _check_apart(found, [*across, *down])
    places = [_values(found, keys) for keys in (across, down)]
    if len(places[0]) * len(places[1]) > SPARSE * len(found):
        raise SuppleError(
            f"--columns, --rows: {len(places[0])} columns and {len(places[1])} rows for {len(found)} runs leave most of the "
            "sheet empty, since values hardly repeat; give one key only, or none"
        )
    short = dict(zip(found[0].values, short_keys(list(found[0].values)), strict=True))
    headings = [
        tuple("\n".join(f"{short[k]} = {in_words(row.values[k])}" for k in keys) for row in some.values())
        for keys, some in zip((across, down), places, strict=True)
    ]
    at = [list(some) for some in places]
    cells = [
        _cell(
            manifest, row, at[1].index(_mark(row, down)), at[0].index(_mark(row, across)), bool(others) and not crowded
        )
        for row in found
    ]
    return _checked(manifest, Sheet(tuple(cells), *headings))


def _one_by_one(manifest: Manifest) -> Sheet:
    """Nearly as many rows as columns, with a label below each run."""
    count = len(manifest.rows)
    columns = math.ceil(math.sqrt(count))
    cells = [_cell(manifest, row, *divmod(k, columns), True) for k, row in enumerate(manifest.rows)]
    return _checked(manifest, Sheet(tuple(cells), ("",) * columns, ("",) * math.ceil(count / columns)))


def _cell(manifest: Manifest, row: Row, down: int, across: int, labelled: bool) -> Cell:
    path = manifest.folder / row.folder
    note = ""
    if row.state is State.FAILED:
        note = f"failed: {(row.error or '').partition('; ')[0]}"  # the rest is advice
    elif row.state is not State.FINISHED:
        note = row.state.value
    elif not RunFolder(path).animation.is_file():
        note = f"{row.folder}: its recording is missing"
    words = f"{row.index}: {label(row.values)}" if labelled else ""
    return Cell(down, across, None if note else path, words, note)


def _checked(manifest: Manifest, sheet: Sheet) -> Sheet:
    if not sheet.runs:
        raise SuppleError(
            f"{manifest.folder}: none of its {len(manifest.rows)} runs is finished, so there is nothing to draw; continue with "
            f"supple sweep --resume {manifest.folder}"
        )
    return sheet


def _keys(manifest: Manifest, option: str, word: str | None) -> list[str]:
    """The key denoted by a word; none without a word."""
    keys = list(manifest.rows[0].values)
    if word is None:
        return []
    found = [key for key in keys if key == word] or [key for key in keys if key.endswith(f".{word}")]
    if len(found) == 1:
        return found
    if found:
        raise SuppleError(f"{option}: '{word}' may be {' or '.join(found)}; give a longer part of the key")
    ends = [*keys, *short_keys(keys)]
    raise SuppleError(f"{option}: unknown key '{word}'{did_you_mean(word, ends)} the sweep varies: {', '.join(keys)}")


def _mark(row: Row, keys: Sequence[str]) -> str:
    """The same for runs with the same values of some keys."""
    return json.dumps([row.values[key] for key in keys])


def _values(rows: Sequence[Row], keys: Sequence[str]) -> dict[str, Row]:
    """A run for each combination of values, in order of appearance."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(_mark(row, keys), row)
    return found


def _crowded(rows: Sequence[Row], keys: Sequence[str]) -> bool:
    """Whether several runs have the same values of these keys."""
    return len(_values(rows, keys)) < len(rows)


def _check_apart(rows: Sequence[Row], keys: Sequence[str]) -> None:
    seen: dict[str, Any] = {}
    for row in rows:
        first = seen.setdefault(_mark(row, keys), row)
        if first is not row:
            raise SuppleError(
                f"--columns, --rows: runs {first.index} and {row.index} have the same values ({label(row.values)}) and "
                "would share a cell; omit both options"
            )
