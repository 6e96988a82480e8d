"""The page of all corrections, as Markdown."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum, Source
from supple.gallery.errata.table import SOURCES

HEAD = """# Errata of the sources

Formulas and claims of the sources of supple that do not hold as printed, or only under a condition that is not stated. Each row
names a test of supple that fails if the correction is wrong. Many of these tests evaluate both the printed and the corrected
form. The page is written from `supple.gallery.errata` by `tools/write_errata.py`.
"""


def page() -> str:
    """All sources, one table each."""
    count = sum(len(source.errata) for source in SOURCES)
    return HEAD + f"The tables list {count} corrections.\n" + "".join(map(_section, SOURCES))


def _section(source: Source) -> str:
    rows = "".join(f"| {' | '.join(map(_cell, _cells(erratum)))} |\n" for erratum in source.errata)
    return (
        f"\n## {source.letter}: {source.title}\n\n| where | printed | correction | proof |\n|---|---|---|---|\n{rows}"
    )


def _cells(erratum: Erratum) -> tuple[str, str, str, str]:
    return erratum.where, erratum.printed, erratum.works, f"`{erratum.proof}`"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")
