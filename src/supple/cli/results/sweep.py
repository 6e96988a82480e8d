"""The table of a sweep on the terminal: folded headings, short figures, nothing cut off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.sweeps.campaign import Campaign

SHOWN = 30
"""Largest number of rows."""
WIDE = 10
"""Characters per line of a heading, where it can be broken."""
_PIECES = re.compile(r"[^@._\-+*/ ]*[@._\-+*/ ]?")


def show_sweep(campaign: Campaign, console: Console) -> None:
    """Values, state, measures and errors of each run."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from supple.cli.analyse.output import WIDEST
    from supple.escaping import one_line
    from supple.sweeps.manifest import State
    from supple.sweeps.plan import short_keys

    rows, names = campaign.manifest.rows, [m.name for m in campaign.plan.measures]
    keys = short_keys(list(rows[0].values)) if rows else []
    table = Table(box=None, padding=(0, 1, 0, 0))
    for heading in ("run", *keys, "state", *names, "seconds"):
        table.add_column(
            Text(folded(one_line(heading))), justify="left" if heading == "state" else "right", no_wrap=True
        )
    for row in rows[:SHOWN]:
        figures = [row.measures.get(name) for name in names]
        cells = (row.index, *row.values.values(), row.state.value, *figures, row.seconds)
        table.add_row(*(Text(one_line(short(value))) for value in cells))
    # truncated figures would be worse than lines that a narrow terminal wraps
    Console(file=console.file, highlight=False, width=max(console.width, WIDEST)).print(table)
    if len(rows) > SHOWN:
        console.print(f"... and {len(rows) - SHOWN} more", markup=False)
    counts = ", ".join(f"{count} {state}" for state, count in campaign.manifest.counts().items() if count)
    console.print(f"{len(rows)} runs: {counts}", markup=False)
    for row in rows:
        if row.state is State.FAILED:
            console.print(f"run {row.index}: {row.error}", markup=False)


def folded(heading: str) -> str:
    """Lines of a heading, broken after separators between words."""
    lines = [""]
    for piece in _PIECES.findall(heading):
        if lines[-1] and len(lines[-1]) + len(piece) > WIDE:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def short(value: Any) -> str:
    """Three figures, and exponents without zeros: 2.07e4."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.0f}" if 1e3 <= abs(value) < 1e5 else f"{value:.3g}"
    return re.sub(r"e([+-])0*(\d+)$", lambda m: f"e{m[1].replace('+', '')}{m[2]}", text)
