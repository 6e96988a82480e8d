"""Expectations of the scenes on a page, and whether the runs meet them."""

from __future__ import annotations

from collections.abc import Sequence

from supple.render.report.account import Account, Expected
from supple.render.report.markup import DASH, Row, paragraph, table

TICK, CROSS = "\u2713", "\u2717"


def expectations(accounts: Sequence[Account], names: Sequence[str]) -> str:
    """A row for each expectation, a column for each run; empty if no scene has expectations."""
    keys = dict.fromkeys(expected.name for account in accounts for expected in account.expected)
    if not keys:
        return ""
    by_run = [{expected.name: expected for expected in account.expected} for account in accounts]
    rows: list[Row] = [(key, [_cell(run.get(key)) for run in by_run]) for key in keys]
    held = [expected.held for account in accounts for expected in account.expected]
    words = f"{sum(held)} of {len(held)} hold."
    if len(accounts) > 1:
        words += " They were written for the scene without changes; other methods and values need not meet them."
    return paragraph(words, "quiet" if all(held) or len(accounts) > 1 else "warning") + table(
        "The [expect] tables of the scene", names if len(names) > 1 else [], rows
    )


def _cell(expected: Expected | None) -> str:
    if expected is None:
        return DASH
    return f"{TICK if expected.held else CROSS} {'held' if expected.held else 'NOT held'}: {expected.found}"
