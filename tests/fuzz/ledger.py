"""The energy ledger of a finished run, read from history.csv by nobody's help: is every residual explained?

A residual is explained by a mark in its row: an exceptional step, a doubtful one, or one that moved a body out of an obstacle.
Without a mark, methods that conserve energy may have an error of 1e-8 of the energy in play per step, or of the tolerance of a
looser solve. Other methods may create ten times the energy in play in total.
"""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import h5py
import numpy as np

CONSERVING = frozenset({"avf", "gonzalez", "simo-tarnow"})
"""Methods that promise to keep the energy of every step when they stand alone."""
PROMISED = 1e-8
SILENT = 10.0
"""Times the energy in play that a method without a promise may make before a mark is due."""
ROUNDING = 1e-20
"""Energies below, about that of a molecule, are rounding errors of a body at rest [J]."""

STILL = 1e-9
"""Speed relative to the coordinates below which motion cannot be distinguished from rounding errors of positions [1/s]."""
BODY = re.compile(r" m, ([\d.e+-]+) kg, [\d,]+ (?:vertices|material points)")
"""A line about a body at the start of a run's log."""

Row = dict[str, float]


def rows(file: Path) -> list[Row]:
    """The history as numbers; columns that hold none are left out."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [{word: float(cell) for word, cell in row.items() if cell} for row in csv.DictReader(lines)]


def not_finite(history: list[Row]) -> str:
    """Columns with NaN or infinities, in a word."""
    bad = sorted({word for row in history for word, number in row.items() if not math.isfinite(number)})
    return ", ".join(bad)


def rounding(run: Path) -> float:
    """Energy of motions of the whole scene that are rounding errors of its positions [J]."""
    if not (run / "animation.vtkhdf").exists():
        return ROUNDING
    log = (run / "log.txt").read_text(encoding="utf-8", errors="replace")
    mass = sum(_mass(line) for line in log.splitlines())
    with h5py.File(run / "animation.vtkhdf") as file:
        reach = float(np.abs(file["VTKHDF/Points"][()]).max(initial=0.0))
    return max(ROUNDING, 0.5 * mass * (STILL * reach) ** 2)


def _mass(line: str) -> float:
    """Mass of the bodies that a line describes [kg]; zero for other lines."""
    found, several = BODY.search(line), re.search(r", (\d+) bodies, each ", line)
    return float(found[1]) * (int(several[1]) if several else 1) if found else 0.0


def unexplained(history: list[Row], conserving: bool, allowed: float = PROMISED, floor: float = ROUNDING) -> str:
    """Fault of the residual of a run, in a sentence; empty if all of it is explained. `floor`: rounding errors [J]."""
    in_play, noted = floor, False
    if len(history) > 1 and not conserving and not history[0]["kinetic"] and not history[0]["elastic"]:
        # a start from rest has no energy yet: the first step shows the energy in play
        in_play = max(in_play, _energy(history[1]))
    for before, row in zip(history[:1] + history, history, strict=False):
        noted = noted or any(row.get(mark, 0.0) for mark in ("exceptional", "doubtful"))
        made = row["residual"]
        in_play = max(in_play, _energy(row) - max(made, 0.0), abs(history[0]["total"]))
        jump = made - before["residual"] - (row.get("springs", 0.0) - before.get("springs", 0.0))
        jump -= row.get("collided", 0.0) - before.get("collided", 0.0)
        if noted:
            continue
        if conserving and abs(jump) > allowed * in_play:
            return f"step {row['step']:.0f} misses {jump / in_play:.1e} of the energy in play"
        if made > SILENT * in_play or jump > SILENT * in_play:
            return f"step {row['step']:.0f}: {made / in_play:.1e} times the energy in play was made"
    return ""


def _energy(row: Row) -> float:
    """Scale of errors of a state [J]."""
    return max(abs(row["total"]), abs(row["kinetic"]) + abs(row["elastic"]) + abs(row["other"]))
