"""HTML elements; all text from a scene, a log or a folder name is escaped here."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from supple.escaping import markup as escape

Row = tuple[str, Sequence[str]]
"""A heading and one cell per run."""

DASH = "\u2013"
"""Placeholder for a missing value."""


def section(name: str, title: str, *content: str) -> str:
    """A section with a heading; empty without content."""
    inner = "\n".join(filter(None, content))
    if not inner:
        return ""
    head = f'<h2 id="{escape(name)}-h">{escape(title)}</h2>'
    return f'<section id="{escape(name)}" aria-labelledby="{escape(name)}-h">\n{head}\n{inner}\n</section>'


def paragraph(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def table(caption: str, heads: Sequence[str], rows: Sequence[Row], mark: bool = False) -> str:
    """Rows with headings; `heads` names the columns, none for a single run. `mark` highlights differing rows."""
    if not rows:
        return ""
    top = ""
    if heads:
        top = (
            "<thead><tr><td></td>" + "".join(f'<th scope="col">{escape(head)}</th>' for head in heads) + "</tr></thead>"
        )
    lines = []
    for name, cells in rows:
        kind = ' class="differs"' if mark and len(set(cells)) > 1 else ""
        inner = "".join(f"<td{_side(cell)}>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr{kind}><th scope="row">{escape(name)}</th>{inner}</tr>')
    body = "\n".join(lines)
    # wide tables scroll in a separate frame that the keyboard can reach
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption>{top}<tbody>\n{body}\n</tbody></table></div>"
    )


def listing(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>" if lines else ""


def folded(title: str, content: str) -> str:
    """Collapsed section; expanded in print."""
    return f"<details><summary>{escape(title)}</summary>\n{content}\n</details>" if content else ""


def number(value: float | None, unit: str = "", digits: int = 4) -> str:
    """A short value with its unit; non-finite values become words."""
    if value is None:
        return DASH
    if not math.isfinite(value):
        return "not finite"
    text = re.sub(r"e\+?(-?)0*", r"e\1", f"{value:.{digits}g}").replace("-", "\u2212")
    return f"{text} {unit}" if unit else text


def _side(cell: str) -> str:
    """Table cell; figures are right-aligned."""
    return ' class="figure"' if cell[:1].isdigit() or cell[:1] in ("\u2212", DASH) else ""
