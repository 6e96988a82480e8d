"""The page of all corrections, as Markdown."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum, Source
from supple.gallery.errata.table import SOURCES

HEAD = """# Errata of the sources

Formulas and claims of the published texts behind supple that do not work as they are printed, or only under a condition that
they do not state. Each row names a test of supple that fails if the correction is wrong; many of them evaluate the printed form
beside the corrected one. The page is written from `supple.gallery.errata` by `tools/write_errata.py`.
"""


def page() -> str:
    """All sources, a table each."""
    count = sum(len(source.errata) for source in SOURCES)
    return HEAD + f"There are {count} of them.\n" + "".join(map(_section, SOURCES))


def _section(source: Source) -> str:
    rows = "".join(f"| {' | '.join(map(_cell, _cells(erratum)))} |\n" for erratum in source.errata)
    return (
        f"\n## {source.letter}: {source.title}\n\n| where | printed | correction | proof |\n|---|---|---|---|\n{rows}"
    )


def _cells(erratum: Erratum) -> tuple[str, str, str, str]:
    return erratum.where, erratum.printed, erratum.works, f"`{erratum.proof}`"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")
