"""Measured stresses of simple tests, and their files.

A file has a row per point: stretch, stress, and the mode in a third column if it contains several. Columns are separated by
commas, semicolons, tabs or spaces. Lines that begin with # are skipped. A first line of words may name the columns, in any
order, and the unit of the stress: `mode, stretch, stress [MPa]`. `strain` is the stretch minus one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.analysis.materials.loading import LOADINGS
from supple.errors import SuppleError
from supple.types import Array
from supple.wording import suggestion

UNITS = {"pa": 1.0, "kpa": 1e3, "mpa": 1e6, "gpa": 1e9}
COLUMNS = ("stretch", "strain", "stress", "mode")
EXAMPLE = "such as 'stretch, stress [Pa], mode' above '1.5, 4.1e5, uniaxial'"


@dataclass(frozen=True)
class Measured:
    """Points of one test."""

    amount: Array
    """(m,) stretch, amount of shear, or J."""
    stress: Array
    """(m,) nominal, or for volumetric tests mean stress [Pa]."""


StressData = Mapping[str, Measured]
"""Points by mode."""


def read_stress_data(path: str | Path, mode: str = "uniaxial") -> dict[str, Measured]:
    """The points of a file; `mode` applies to a file without such a column."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SuppleError(f"{file}: cannot be read: {reason}") from None
    rows = _rows(text)
    if not rows:
        raise SuppleError(f"{file}: no rows; a file has a line per point, {EXAMPLE}")
    columns, unit, rows = _head(file, rows)
    points: dict[str, list[tuple[float, float]]] = {}
    for number, words in rows:
        point, name = _point(f"{file}, line {number}", words, columns, mode)
        points.setdefault(name, []).append((point[0], unit * point[1]))
    return {name: Measured(*np.array(sorted(found)).T) for name, found in points.items()}


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Number and words of each line that is not a comment."""
    lines = ((k, line.strip()) for k, line in enumerate(text.splitlines(), 1))
    return [(k, _words(line)) for k, line in lines if line and not line.startswith("#")]


def _words(line: str) -> list[str]:
    pattern = r"[,;\t]" if re.search(r"[,;\t]", line) else r"\s+(?!\[)"
    return [word.strip().strip("\"'") for word in re.split(pattern, line)]


def _head(file: Path, rows: list[tuple[int, list[str]]]) -> tuple[dict[str, int], float, list[tuple[int, list[str]]]]:
    """Column positions, the unit of the stress, and the numeric rows."""
    number, first = rows[0]
    if _number(first[0]) is not None:
        return {"stretch": 0, "stress": 1, **({"mode": 2} if len(first) > 2 else {})}, 1.0, rows
    columns, unit = {}, 1.0
    for k, word in enumerate(first):
        found = re.fullmatch(r"(\w+)\s*(?:[\[(]\s*([\w/%-]*)\s*[\])])?", word)
        name = found[1].lower() if found else word
        if name not in COLUMNS:
            raise SuppleError(f"{file}, line {number}: unknown column '{word}'{suggestion(name, COLUMNS)}; {EXAMPLE}")
        columns[name] = k
        if found and name == "stress" and found[2]:
            if found[2].lower() not in UNITS:
                raise SuppleError(f"{file}, line {number}: unknown unit '{found[2]}'; known: Pa, kPa, MPa, GPa")
            unit = UNITS[found[2].lower()]
    if "stress" not in columns or ("stretch" in columns) == ("strain" in columns):
        raise SuppleError(f"{file}, line {number}: columns stretch (or strain) and stress are required; {EXAMPLE}")
    if len(rows) == 1:
        raise SuppleError(f"{file}: no rows below the names of the columns; {EXAMPLE}")
    return columns, unit, rows[1:]


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _point(where: str, words: Sequence[str], columns: Mapping[str, int], mode: str) -> tuple[tuple[float, float], str]:
    """Amount and stress of a row, and its mode."""
    if len(words) <= max(columns.values()):
        raise SuppleError(f"{where}: {len(words)} columns found, {max(columns.values()) + 1} required; {EXAMPLE}")
    name = words[columns["mode"]].lower() if "mode" in columns else mode
    if name not in LOADINGS:
        raise SuppleError(f"{where}: unknown mode '{name}'{suggestion(name, LOADINGS)}")
    first = "stretch" if "stretch" in columns else "strain"
    values = {key: _number(words[columns[key]]) for key in (first, "stress")}
    for key, value in values.items():
        if value is None or not np.isfinite(value):
            raise SuppleError(f"{where}: found '{words[columns[key]]}' in the column {key}; give a finite number")
    amount, stress = (float(value) for value in values.values() if value is not None)
    if first == "strain" and LOADINGS[name].rest == 1.0:
        amount += 1.0
    if LOADINGS[name].rest == 1.0 and amount <= 0:
        raise SuppleError(f"{where}: found a {LOADINGS[name].amount} of {amount:g}; give one above 0")
    return (amount, stress), name


def points_of(data: StressData) -> Iterator[tuple[str, float, float]]:
    """Mode, amount and stress of every point."""
    for mode, measured in data.items():
        for amount, stress in zip(measured.amount.tolist(), measured.stress.tolist(), strict=True):
            yield mode, amount, stress
