"""Writes docs/reference/history-columns.md, the columns of a history with their units. Run by `make docs`.

python tools/write_columns.py
"""

from __future__ import annotations

from pathlib import Path

from supple.recording.history import DERIVED, LATER, WORK
from supple.recording.reading.columns import COLUMNS

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "history-columns.md"
HEAD = """<!-- Written by tools/write_columns.py: `make docs`. -->
# History columns

`history.csv` in the folder of a run has one row per accepted step; row 0 is the initial state. `run.history` in Python and
`sp.read_history` return the same columns as arrays. [Recording](../guide/recording.md) describes the other files of a run.

![Stacked energies reach the energy put in with AVF; a large gap remains with backward Euler](../images/history-columns.png)

The plot stacks columns of two runs (`python tools/draw_reference.py history-columns`). The jelly is shaken until 0.6 s and
damped by viscosity. The gap below the black line is energy lost by the numerics: round-off for AVF, and much more than the
intended damping for backward Euler.

"""
TAIL = """
In every row

    total + dissipated + rescued + held - external_work - hardening - total(row 0) = residual

The terms `rescued`, `held` and `hardening` are zero in most runs. Numerical dissipation of a method is part of `residual`,
not of `dissipated`. [The ledger as a witness](../theory/ledger.md) describes `doubtful`,
[the ledger of material points](../theory/mpm-ledger.md) the columns from `transfer` to `restored`.

"""


def page() -> str:
    """The whole page."""
    lines = [("column", "unit", "meaning"), ("---",) * 3, *((f"`{c.name}`", c.unit, c.meaning) for c in COLUMNS)]
    rows = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return HEAD + rows + TAIL + more()


def more() -> str:
    """Columns of some runs only, and series made of columns."""
    sums = "; ".join(
        f"`{name}` is the sum of {', '.join(f'`{part}`' for part in parts)}" for name, parts in DERIVED.items()
    )
    return (
        f"After these columns, each number that changes with time has a column `{WORK}NAME`: its part of `external_work` [J].\n\n"
        f"Plots, sweeps and comparisons accept derived series as well: {sums}.\n\n"
        f"Runs of earlier versions may lack {', '.join(f'`{name}`' for name in LATER)}.\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
