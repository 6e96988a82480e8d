"""The table of all runs as HTML; scripts sort and filter it, and it is readable without them."""

from __future__ import annotations

from collections.abc import Sequence

from supple.escaping import markup as escape
from supple.render.report.markup import DASH, number
from supple.sweeps.manifest import State
from supple.sweeps.report.columns import Column
from supple.sweeps.report.gather import Entry, Gathered

HELP = "Filters: a word, a number, > 3, <= 2, 1..5, or != word; commas separate alternatives. A click on a row shows the run."


def run_table(found: Gathered) -> str:
    """A row for each run, with a field for a filter above each column."""
    heads = '<th scope="col" aria-sort="ascending" data-column="-1"><button type="button">run</button></th>' + "".join(
        f'<th scope="col" data-column="{k}" title="{escape(c.name)}"><button type="button">{escape(c.title)}</button></th>'
        for k, c in enumerate(found.columns)
    )
    fields = "<td></td>" + "".join(
        f'<td><input type="text" class="filter" data-column="{k}" size="7" spellcheck="false" autocomplete="off" '
        f'aria-label="filter {escape(c.title)}"></td>'
        for k, c in enumerate(found.columns)
    )
    rows = "\n".join(_row(k, entry, found.columns) for k, entry in enumerate(found.entries))
    return (
        '<div class="wide runs" tabindex="0" role="region" aria-label="All runs"><table id="runs">'
        f'<caption>{escape(HELP)}</caption><thead><tr>{heads}<th scope="col">page</th></tr>'
        f'<tr class="filters">{fields}<td></td></tr></thead><tbody>\n{rows}\n</tbody></table></div>'
    )


def _row(k: int, entry: Entry, columns: Sequence[Column]) -> str:
    row = entry.row
    cells = "".join(_cell(column.cells[k], column.numeric) for column in columns)
    page = f'<a href="{escape(entry.link)}">page</a>' if entry.link else DASH
    return f'<tr data-run="{row.index}"><th scope="row">{row.index}</th>{cells}<td>{page}</td></tr>'


def _cell(value: float | str | None, numeric: bool) -> str:
    if not numeric:
        return f"<td>{escape(str(value))}</td>"
    return f'<td class="figure">{number(value if isinstance(value, float) else None, digits=5)}</td>'


def failures(found: Gathered) -> str:
    """Runs that failed, with their messages."""
    failed = [entry for entry in found.entries if entry.row.state is State.FAILED]
    lines = "".join(
        f'<li data-run="{e.row.index}"><b>run {e.row.index}</b> ({escape(e.label)}): {escape(e.row.error or "")}</li>'
        for e in failed
    )
    return f'<ul class="failures">{lines}</ul>' if failed else ""
